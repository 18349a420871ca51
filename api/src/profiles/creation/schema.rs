//! The schema of a new profile: read, fetched if need be, and checked.

use serde_json::Value;
use store::{ProfileSchema, SchemaError, Violations};

use crate::profiles::context::Context;
use crate::profiles::problem::ProfileProblem;

/// Where a schema stands.
#[derive(Debug, PartialEq, Eq)]
enum Given<'a> {
    /// It is given itself.
    Inline(&'a str),
    /// It is at an address.
    Url(&'a str),
}

/// Reads a schema. What was at an address is kept, so that later changes are held against what the profile was made with.
///
/// # Errors
///
/// * It is no text, no schema of attributes, too large, or not to be had.
pub(super) async fn read(context: &Context, schema: &Value) -> Result<ProfileSchema, ProfileProblem> {
    let limits = context.config().schema;
    let given = Given::of(schema)
        .ok_or_else(|| no_schema("$: a schema is a string that holds a JSON Schema or the URL of one".to_owned()))?;
    let schema = match given {
        Given::Inline(text) => ProfileSchema { given: text.to_owned(), fetched: None },
        Given::Url(url) => {
            let fetched = context.services.schemas.fetch(url, limits.bytes_max).await;
            ProfileSchema { given: url.to_owned(), fetched: Some(fetched.map_err(no_schema)?) }
        }
    };
    let read = context.profiles().read_schema(context.caller.claims.user, schema.text().to_owned(), limits).await?;
    match read {
        Ok(()) => Ok(schema),
        Err(SchemaError::TooLarge(problem)) => Err(ProfileProblem::Invalid(problem)),
        Err(SchemaError::Defects(defects)) => Err(ProfileProblem::Violations(of_schema(defects))),
    }
}

/// Returns the answer to a schema that is none.
fn no_schema(problem: String) -> ProfileProblem {
    ProfileProblem::Violations(of_schema(Violations::single(problem)))
}

/// Makes the places inside of a schema part of what is said of `schema`: `$.required: …` becomes `$.schema: required: …`.
fn of_schema(defects: Violations) -> Violations {
    let line = |line: String| match line.strip_prefix("$: ").or_else(|| line.strip_prefix("$.")) {
        Some(rest) => format!("$.schema: {rest}"),
        None => format!("$.schema: {line}"),
    };
    Violations { details: defects.details.into_iter().map(line).collect(), ..defects }
}

impl<'a> Given<'a> {
    /// Tells addresses from schemas; `None` for what is neither.
    fn of(schema: &'a Value) -> Option<Self> {
        let text = schema.as_str().filter(|text| !text.is_empty())?;
        let begins_with =
            |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        let is_url = begins_with("https://") || begins_with("http://");
        Some(if is_url { Self::Url(text) } else { Self::Inline(text) })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_are_told_from_schemas() {
        for (schema, expected) in [
            (json!("https://a.org/x.json"), Some(Given::Url("https://a.org/x.json"))),
            (json!("HTTP://a.org"), Some(Given::Url("HTTP://a.org"))),
            (json!("ftp://a.org/x.json"), Some(Given::Inline("ftp://a.org/x.json"))),
            (json!("{}"), Some(Given::Inline("{}"))),
            (json!("ü"), Some(Given::Inline("ü"))),
            (json!(""), None),
            (json!({}), None),
            (json!(true), None),
        ] {
            assert_eq!(Given::of(&schema), expected, "{schema}");
        }
    }
}
