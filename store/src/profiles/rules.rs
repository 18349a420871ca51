//! What the attributes of a profile must be like.

use std::num::NonZeroUsize;

use lru::LruCache;

use super::{PROFILE_BYTES_MAX, Profile, Refusal, record};
use crate::{AttributeSchema, SchemaError, SchemaLimits, Violations};

/// How many schemas are kept ready.
const SCHEMAS_MAX: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// The limits were looked at when the profile was made, and may have been others then.
const NO_LIMITS: SchemaLimits = SchemaLimits { bytes_max: usize::MAX, properties_max: usize::MAX };

/// The rules that every write keeps to.
pub(super) struct Rules {
    /// See [`super::ProfilesConfig::attributes_max`].
    attributes_max: usize,
    /// Schemas by their text; one that cannot be read says why instead.
    schemas: LruCache<String, Result<AttributeSchema, Violations>>,
}

impl Rules {
    /// Starts without any schema.
    pub(super) fn new(attributes_max: usize) -> Self {
        Self { attributes_max, schemas: LruCache::new(SCHEMAS_MAX) }
    }

    /// Checks what a profile would become, and returns the line of an export. A profile with too many attributes, after the limit was
    /// lowered, can be changed as long as it does not get more.
    pub(super) fn check(&mut self, num_attributes_before: usize, profile: &Profile) -> Result<Vec<u8>, Refusal> {
        let num_attributes = profile.attributes.len();
        if num_attributes > self.attributes_max && num_attributes > num_attributes_before {
            return Err(Refusal::TooManyAttributes(self.attributes_max));
        }
        let line = record::line(profile);
        if line.len() > PROFILE_BYTES_MAX {
            return Err(Refusal::TooLarge(PROFILE_BYTES_MAX));
        }
        if let Some(schema) = &profile.schema {
            let schema = self.schemas.get_or_insert_ref(schema.text(), || parse(schema.text()));
            match schema {
                Ok(schema) => schema.check(&profile.attributes).map_err(Refusal::Invalid)?,
                Err(defects) => return Err(Refusal::Invalid(defects.clone())),
            }
        }
        Ok(line)
    }
}

/// Reads a schema. Nothing conforms to one that cannot be read.
fn parse(text: &str) -> Result<AttributeSchema, Violations> {
    AttributeSchema::parse(text, NO_LIMITS).map_err(|error| Violations {
        title: None,
        details: match error {
            SchemaError::TooLarge(detail) => vec![detail],
            SchemaError::Defects(details) => details,
        },
    })
}
