//! A cache of compiled schemas.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lru::LruCache;

use super::{Profile, Refusal};
use crate::{AttributeSchema, SchemaError, SchemaLimits, Violations};

const SCHEMAS_MAX: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// A schema once it is compiled, or why it cannot be read.
type Compiled = Arc<OnceLock<Result<AttributeSchema, Violations>>>;

pub(super) struct Schemas {
    /// By text. Nothing is compiled or checked while this is locked.
    compiled: Mutex<LruCache<String, Compiled>>,
}

impl Schemas {
    pub(super) fn new() -> Self {
        Self { compiled: Mutex::new(LruCache::new(SCHEMAS_MAX)) }
    }

    pub(super) fn read(&self, text: &str, limits: SchemaLimits) -> Result<(), SchemaError> {
        let schema = AttributeSchema::parse(text, limits)?;
        // Another thread may have compiled the same schema.
        let _ = self.get(text).set(Ok(schema));
        Ok(())
    }

    /// Checks the attributes of a profile against its schema, if it has one. See [`AttributeSchema::check`] for how long that takes.
    pub(super) fn check(&self, profile: &Profile) -> Result<(), Refusal> {
        let Some(schema) = &profile.schema else { return Ok(()) };
        match self.get(schema.text()).get_or_init(|| parse(schema.text())) {
            Ok(schema) => schema.check(&profile.attributes).map_err(Refusal::Invalid),
            Err(defects) => Err(Refusal::Invalid(defects.clone())),
        }
    }

    fn get(&self, text: &str) -> Compiled {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(compiled.get_or_insert_ref(text, Compiled::default))
    }
}

/// Compiles a stored schema. Its size was checked when the profile was created, perhaps against other limits. Nothing conforms to a schema
/// that cannot be read.
fn parse(text: &str) -> Result<AttributeSchema, Violations> {
    AttributeSchema::parse(text, SchemaLimits::NONE).map_err(|error| match error {
        SchemaError::TooLarge(detail) => Violations::single(detail),
        SchemaError::Defects(defects) => defects,
    })
}
