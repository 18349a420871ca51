//! Compiled schemas of stored profiles.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use crate::{AttributeSchema, SchemaError, SchemaLimits, Violations};
use crate::{Profile, Refusal};

/// The memory of all cached schemas.
const BYTES_MAX: usize = 64 << 20;

/// The memory of a schema besides its patterns, for each byte of its text: the shortest value of an enumeration has three.
const BYTES_EACH: usize = 32;

/// The version of a profile that is about to be created.
const FIRST_VERSION: u64 = 1;

/// Compiled schemas, those that were used last.
pub(crate) struct Schemas(Mutex<Kept>);

struct Kept {
    /// By text.
    schemas: LruCache<String, Arc<AttributeSchema>>,
    size_bytes: usize,
}

impl Schemas {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Kept { schemas: LruCache::unbounded(), size_bytes: 0 }))
    }

    /// Checks the attributes of a profile against its schema, if it has one. See [`AttributeSchema::check`] for how long that takes. The schema of a
    /// profile that is about to be created is kept only if they conform, so that requests that are refused leave nothing.
    pub(crate) fn check(&self, profile: &Profile) -> Result<(), Refusal> {
        let Some(schema) = &profile.schema else { return Ok(()) };
        let kept = self.lock().schemas.get(schema.text()).map(Arc::clone);
        let is_kept = kept.is_some();
        // Nothing is compiled or checked while this is locked.
        let compiled = kept.map_or_else(|| parse(schema.text()).map(Arc::new), Ok).map_err(Refusal::Invalid)?;
        let checked = compiled.check(&profile.attributes).map_err(Refusal::Invalid);
        if !is_kept && (checked.is_ok() || profile.version > FIRST_VERSION) {
            self.lock().add(schema.text(), compiled);
        }
        checked
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Keeps a schema in place of those that were not used for the longest time.
    fn add(&mut self, text: &str, schema: Arc<AttributeSchema>) {
        self.size_bytes += size_bytes(text, &schema);
        // Another thread may have compiled the same schema.
        if let Some((text, schema)) = self.schemas.push(text.to_owned(), schema) {
            self.size_bytes -= size_bytes(&text, &schema);
        }
        while self.size_bytes > BYTES_MAX
            && let Some((text, schema)) = self.schemas.pop_lru()
        {
            self.size_bytes -= size_bytes(&text, &schema);
        }
    }
}

fn size_bytes(text: &str, schema: &AttributeSchema) -> usize {
    size_of::<AttributeSchema>() + BYTES_EACH * text.len() + schema.size_bytes()
}

/// Compiles a stored schema. Its size was checked when the profile was created, perhaps against other limits. Nothing conforms to a schema
/// that cannot be read.
fn parse(text: &str) -> Result<AttributeSchema, Violations> {
    AttributeSchema::parse(text, SchemaLimits::NONE).map_err(|error| match error {
        SchemaError::TooLarge(detail) => Violations::single(detail),
        SchemaError::Defects(defects) => defects,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewProfile;
    use crate::ProfileSchema;
    use store::Owner;

    /// A profile of a version whose schema has a title, a rule, and perhaps large patterns.
    fn profile(title: usize, rule: &str, num_large: usize, version: u64) -> Profile {
        let large = |number| format!(r#""p{number}":{{"pattern":"^[\\p{{L}} ]{{1,20}}$"}}"#);
        let large: Vec<_> = (0..num_large).map(large).collect();
        let given = format!(r#"{{"title":"{title}",{rule},"properties":{{{}}}}}"#, large.join(","));
        let schema = Some(ProfileSchema { given, fetched: None });
        let owner = Owner::Domain("dom-x".parse().expect("a domain"));
        Profile {
            version,
            ..NewProfile { owner, schema, attributes: [("a", "1")].into_iter().collect() }.into_profile()
        }
    }

    const CONFORMING: &str = r#""required":["a"]"#;
    const VIOLATED: &str = r#""required":["b"]"#;

    #[test]
    fn only_schemas_of_stored_profiles_are_kept() {
        let schemas = Schemas::new();
        assert!(schemas.check(&profile(1, VIOLATED, 0, FIRST_VERSION)).is_err());
        assert!(schemas.check(&profile(2, r#""properties":5"#, 0, FIRST_VERSION)).is_err());
        let size = || {
            let kept = schemas.lock();
            (kept.schemas.len(), kept.size_bytes)
        };
        assert_eq!(size(), (0, 0));
        assert!(schemas.check(&profile(3, CONFORMING, 0, FIRST_VERSION)).is_ok());
        assert!(schemas.check(&profile(4, VIOLATED, 0, FIRST_VERSION + 1)).is_err());
        for _ in 0..2 {
            assert!(schemas.check(&profile(3, CONFORMING, 0, FIRST_VERSION + 1)).is_ok());
            assert_eq!(size().0, 2);
        }
        let kept = schemas.lock();
        let size_bytes: usize = kept.schemas.iter().map(|(text, schema)| size_bytes(text, schema)).sum();
        assert_eq!(kept.size_bytes, size_bytes);
    }

    #[test]
    fn what_is_kept_is_bounded_by_its_size() {
        let schemas = Schemas::new();
        let size_bytes = |title| {
            assert!(schemas.check(&profile(title, CONFORMING, 3, FIRST_VERSION)).is_ok());
            schemas.lock().size_bytes
        };
        // More than the patterns can take.
        let each = size_bytes(0);
        assert!(each > 3 << 20, "{each}");
        let num_fitting = BYTES_MAX / each;
        for title in 1..num_fitting + 3 {
            assert!(size_bytes(title) <= BYTES_MAX);
        }
        assert!((num_fitting - 1..=num_fitting).contains(&schemas.lock().schemas.len()));
        let last = profile(num_fitting + 2, CONFORMING, 3, FIRST_VERSION);
        assert!(schemas.lock().schemas.contains(last.schema.expect("one").text()));
    }
}
