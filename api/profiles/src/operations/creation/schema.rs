//! The schema of a new profile: fetched if it is given by URL, and checked.

use api_http::posted::Given;
use store_profiles::{ProfileSchema, SchemaError, Violations};

use crate::context::Context;
use crate::problem::ProfileProblem;

/// Reads a schema. The text at a URL is kept: later changes are checked against it.
pub(super) async fn read(context: &Context, schema: &Given) -> Result<ProfileSchema, ProfileProblem> {
    let limits = context.config().schema;
    let given = match schema {
        Given::Text(given) if !given.is_empty() => given,
        _ => return Err(no_schema("$: a schema must be a string: a JSON Schema, or the URL of one".to_owned())),
    };
    let fetched = if is_url(given) {
        Some(context.services.schemas.fetch(given, limits.bytes_max).await.map_err(no_schema)?)
    } else {
        None
    };
    let schema = ProfileSchema { given: given.clone(), fetched };
    let read =
        context.writable_profiles()?.read_schema(context.caller.claims.user, schema.text().to_owned(), limits).await?;
    match read {
        Ok(()) => Ok(schema),
        Err(SchemaError::TooLarge(problem)) => Err(ProfileProblem::invalid(problem)),
        Err(SchemaError::Defects(defects)) => Err(ProfileProblem::violations(below_schema(defects))),
    }
}

fn no_schema(problem: String) -> ProfileProblem {
    ProfileProblem::violations(below_schema(Violations::single(problem)))
}

/// Moves paths below `schema`: `$.required: …` becomes `$.schema: required: …`.
fn below_schema(defects: Violations) -> Violations {
    let line = |line: String| match line.strip_prefix("$: ").or_else(|| line.strip_prefix("$.")) {
        Some(rest) => format!("$.schema: {rest}"),
        None => format!("$.schema: {line}"),
    };
    Violations { details: defects.details.into_iter().map(line).collect(), ..defects }
}

fn is_url(text: &str) -> bool {
    let begins_with = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    begins_with("https://") || begins_with("http://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_distinguished_from_schemas() {
        for (text, expected) in [
            ("https://a.org/x.json", true),
            ("HTTP://a.org", true),
            ("ftp://a.org/x.json", false),
            ("{}", false),
            ("ü", false),
            ("", false),
        ] {
            assert_eq!(is_url(text), expected, "{text}");
        }
    }
}
