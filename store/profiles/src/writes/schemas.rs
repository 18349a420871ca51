//! Compiled schemas of stored profiles.

use std::sync::Arc;

use store::WeightedCache;

use crate::{AttributeSchema, SchemaError, SchemaLimits, Violations};
use crate::{Profile, Refusal};

/// The memory of all cached schemas.
const BYTES_MAX: usize = 64 << 20;

/// The memory of a schema in addition to its patterns, for each byte of its text: the shortest
/// value of an enumeration has three.
const BYTES_EACH: usize = 32;

/// The version of a profile that is about to be created.
const FIRST_VERSION: u64 = 1;

/// The compiled schemas that were used last, by text.
pub(crate) struct Schemas(WeightedCache<String, Arc<AttributeSchema>>);

impl Schemas {
    pub(crate) fn new() -> Self {
        Self(WeightedCache::new(BYTES_MAX))
    }

    /// Checks the attributes of a profile against its schema, if it has one. See
    /// [`AttributeSchema::check`] for the duration. The schema of a profile that is about to be
    /// created is cached only if the attributes conform, so that rejected requests leave nothing.
    pub(crate) fn check(&self, profile: &Profile) -> Result<(), Refusal> {
        let Some(schema) = &profile.schema else { return Ok(()) };
        let kept = self.0.get(schema.text());
        let is_kept = kept.is_some();
        // Nothing is compiled or checked while this is locked.
        let compiled = kept.map_or_else(|| parse(schema.text()).map(Arc::new), Ok).map_err(Refusal::Invalid)?;
        let checked = compiled.check(&profile.attributes).map_err(Refusal::Invalid);
        if !is_kept && (checked.is_ok() || profile.version > FIRST_VERSION) {
            let num_bytes = size_bytes(schema.text(), &compiled);
            self.0.put(schema.text().to_owned(), compiled, num_bytes);
        }
        checked
    }
}

fn size_bytes(text: &str, schema: &AttributeSchema) -> usize {
    size_of::<AttributeSchema>() + BYTES_EACH * text.len() + schema.size_bytes()
}

/// Compiles a stored schema. Its size was checked when the profile was created, perhaps against
/// other limits. No attributes conform to a schema that cannot be read.
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

    fn kept(schemas: &Schemas, profile: &Profile) -> Option<Arc<AttributeSchema>> {
        schemas.0.get(profile.schema.as_ref().expect("one").text())
    }

    #[test]
    fn only_schemas_of_stored_profiles_are_kept() {
        let schemas = Schemas::new();
        for (title, rule) in [(1, VIOLATED), (2, r#""properties":5"#)] {
            let rejected = profile(title, rule, 0, FIRST_VERSION);
            assert!(schemas.check(&rejected).is_err() && kept(&schemas, &rejected).is_none());
        }
        let conforming = profile(3, CONFORMING, 0, FIRST_VERSION);
        assert!(schemas.check(&conforming).is_ok());
        let violated = profile(4, VIOLATED, 0, FIRST_VERSION + 1);
        assert!(schemas.check(&violated).is_err());
        assert!(kept(&schemas, &conforming).is_some() && kept(&schemas, &violated).is_some());
        assert!(schemas.check(&profile(3, CONFORMING, 0, FIRST_VERSION + 1)).is_ok());
    }

    #[test]
    fn cached_schemas_are_bounded_by_their_size() {
        let schemas = Schemas::new();
        let profile = |title| profile(title, CONFORMING, 3, FIRST_VERSION);
        let first = profile(0);
        assert!(schemas.check(&first).is_ok());
        // More than the patterns can take.
        let each = size_bytes(first.schema.as_ref().expect("one").text(), &kept(&schemas, &first).expect("cached"));
        assert!(each > 3 << 20, "{each}");
        let num_fitting = BYTES_MAX / each;
        let others: Vec<Profile> = (1..num_fitting + 3).map(profile).collect();
        assert!(others.iter().all(|profile| schemas.check(profile).is_ok()));
        assert!(kept(&schemas, &first).is_none() && kept(&schemas, &others[num_fitting + 1]).is_some());
        let num_kept = others.iter().filter(|profile| kept(&schemas, profile).is_some()).count();
        assert!((num_fitting - 1..=num_fitting).contains(&num_kept), "{num_kept} of {num_fitting}");
    }
}
