//! Schemas that are kept ready.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lru::LruCache;

use super::{Profile, Refusal};
use crate::{AttributeSchema, SchemaError, SchemaLimits, Violations};

/// How many are kept.
const SCHEMAS_MAX: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// The limits were looked at when the profile was made, and may have been others then.
const NO_LIMITS: SchemaLimits = SchemaLimits { bytes_max: usize::MAX, properties_max: usize::MAX };

/// A schema, once somebody has compiled it; one that cannot be read says why instead.
type Compiled = Arc<OnceLock<Result<AttributeSchema, Violations>>>;

/// The schemas of profiles, for all threads.
pub(super) struct Schemas {
    /// By their text. Nobody compiles or checks while it is locked.
    compiled: Mutex<LruCache<String, Compiled>>,
}

impl Schemas {
    /// Starts without any.
    pub(super) fn new() -> Self {
        Self { compiled: Mutex::new(LruCache::new(SCHEMAS_MAX)) }
    }

    /// Reads a schema, and keeps it.
    pub(super) fn read(&self, text: &str, limits: SchemaLimits) -> Result<(), SchemaError> {
        let schema = AttributeSchema::parse(text, limits)?;
        // Somebody else may have compiled the same one.
        let _ = self.get(text).set(Ok(schema));
        Ok(())
    }

    /// Holds the attributes of a profile against its schema, if it has one. That may take a while: see [`AttributeSchema::check`].
    pub(super) fn check(&self, profile: &Profile) -> Result<(), Refusal> {
        let Some(schema) = &profile.schema else { return Ok(()) };
        match self.get(schema.text()).get_or_init(|| parse(schema.text())) {
            Ok(schema) => schema.check(&profile.attributes).map_err(Refusal::Invalid),
            Err(defects) => Err(Refusal::Invalid(defects.clone())),
        }
    }

    /// Returns the place of a schema.
    fn get(&self, text: &str) -> Compiled {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(compiled.get_or_insert_ref(text, Compiled::default))
    }
}

/// Reads a schema. Nothing conforms to one that cannot be read.
fn parse(text: &str) -> Result<AttributeSchema, Violations> {
    AttributeSchema::parse(text, NO_LIMITS).map_err(|error| match error {
        SchemaError::TooLarge(detail) => Violations::single(detail),
        SchemaError::Defects(defects) => defects,
    })
}
