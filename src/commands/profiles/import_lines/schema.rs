//! Profiles and their schemas: nobody could change a profile that does not conform to its schema.

use store::{AttributeSchema, Profile, SchemaError, SchemaLimits};

/// The limits of schemas are those of the server that they were given to.
const NO_LIMITS: SchemaLimits = SchemaLimits { bytes_max: usize::MAX, properties_max: usize::MAX };

/// Compares the attributes of a profile with its schema, if it has one.
///
/// # Errors
///
/// * The schema is none that can be used, or they do not conform to it: the reason.
pub(super) fn check(profile: &Profile) -> Result<(), String> {
    let Some(schema) = &profile.schema else { return Ok(()) };
    let schema = AttributeSchema::parse(schema.text(), NO_LIMITS).map_err(|error| {
        let problem = match error {
            SchemaError::TooLarge(problem) => problem,
            SchemaError::Defects(defects) => defects.details.join("; "),
        };
        format!("its schema cannot be used: {problem}")
    })?;
    schema
        .check(&profile.attributes)
        .map_err(|violations| format!("its attributes do not conform to its schema: {}", violations.details.join("; ")))
}

#[cfg(test)]
mod tests {
    use store::{Owner, ProfileReference, ProfileSchema};

    use super::*;

    fn checked(given: &str, fetched: Option<&str>) -> Result<(), String> {
        check(&Profile {
            reference: ProfileReference::random(),
            owner: Owner::Domain("dom-x".parse().expect("a reference")),
            version: 1,
            schema: Some(ProfileSchema { given: given.to_owned(), fetched: fetched.map(str::to_owned) }),
            attributes: [("a", "1")].into_iter().collect(),
        })
    }

    #[test]
    fn what_counts_is_the_schema_that_was_fetched() {
        let (fitting, unfit) = (r#"{"required":["a"]}"#, r#"{"required":["b"]}"#);
        assert_eq!(checked(fitting, None), Ok(()));
        assert_eq!(checked("https://a.org/x.json", Some(fitting)), Ok(()));
        for (given, fetched, reason) in [
            (unfit, None, "its attributes do not conform to its schema: $.b"),
            ("https://a.org/x.json", Some(unfit), "its attributes do not conform to its schema: $.b"),
            ("https://a.org/x.json", None, "its schema cannot be used"),
            ("[]", None, "its schema cannot be used"),
            (r#"{"type":"object","type":"object"}"#, None, "its schema cannot be used"),
        ] {
            let problem = checked(given, fetched).expect_err(reason);
            assert!(problem.contains(reason), "{given}: {problem}");
        }
    }
}
