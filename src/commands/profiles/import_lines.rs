//! The lines of an export, read back.

use std::io::{self, BufRead, BufReader, Read};

use store::{AttributeSchema, PROFILE_BYTES_MAX, Profile, ProfileSchema, SchemaError, SchemaLimits};

/// The longest line that is read: a profile of the largest size whose letters are all written as escapes.
const LINE_BYTES_MAX: usize = 6 * PROFILE_BYTES_MAX;

/// How much is read at once.
const READ_BUFFER_BYTES: usize = 128 << 10;

/// The limits of schemas are those of the server that they were given to.
const NO_LIMITS: SchemaLimits = SchemaLimits { bytes_max: usize::MAX, properties_max: usize::MAX };

/// A line.
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u64,
    /// The profile, or why it is none.
    pub(super) profile: Result<Profile, String>,
}

/// Reads all lines. An error is one of the input, after which there are no more lines.
pub(super) fn read(input: impl Read) -> impl Iterator<Item = io::Result<Line>> {
    let mut reader = BufReader::with_capacity(READ_BUFFER_BYTES, input);
    let mut number = 0;
    std::iter::from_fn(move || {
        number += 1;
        next(&mut reader).map(|profile| profile.map(|profile| Line { number, profile })).transpose()
    })
}

/// Reads the next line, or nothing at the end.
fn next(reader: &mut impl BufRead) -> io::Result<Option<Result<Profile, String>>> {
    let mut line = Vec::new();
    if reader.by_ref().take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > LINE_BYTES_MAX {
        reader.skip_until(b'\n')?;
        return Ok(Some(Err(format!("it has more than {LINE_BYTES_MAX} bytes"))));
    }
    Ok(Some(parse(&line)))
}

/// Reads a profile, which must conform to its schema.
fn parse(line: &[u8]) -> Result<Profile, String> {
    let profile: Profile = serde_json::from_slice(line).map_err(|error| {
        // The number of the line is that of the file.
        let text = error.to_string();
        let problem = text.split(" at line ").next().unwrap_or_default();
        format!("it is no profile: {problem} at column {}", error.column())
    })?;
    if let Some(schema) = &profile.schema {
        check(schema, &profile)?;
    }
    Ok(profile)
}

/// Compares a profile with its schema: nobody could change a profile that does not conform to it.
fn check(schema: &ProfileSchema, profile: &Profile) -> Result<(), String> {
    let schema = AttributeSchema::parse(schema.text(), NO_LIMITS).map_err(|error| {
        let problem = match error {
            SchemaError::TooLarge(problem) => problem,
            SchemaError::Defects(defects) => defects.join("; "),
        };
        format!("its schema cannot be used: {problem}")
    })?;
    schema
        .check(&profile.attributes)
        .map_err(|violations| format!("its attributes do not conform to its schema: {}", violations.details.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"reference":"prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90","domain":"dom-x","version":3,"attributes":{"a":"1"}}"#;

    #[test]
    fn lines_are_numbered_and_a_bad_one_does_not_end_them() {
        let with_schema = |schema: &str| {
            let schema = serde_json::json!({"given": schema}).to_string();
            GOOD.replace(r#""attributes""#, &format!(r#""schema":{schema},"attributes""#))
        };
        let fitting = with_schema(r#"{"properties":{"a":{"type":"string","maxLength":1}}}"#);
        let unfit = with_schema(r#"{"required":["b"]}"#);
        let no_schema = with_schema("[]");
        let long = "x".repeat(LINE_BYTES_MAX + 10);
        let text = [GOOD, "", "{", &long, &fitting, &unfit, &no_schema, "5", GOOD].join("\n");
        let lines: Vec<Line> = read(text.as_bytes()).map(|line| line.expect("in memory")).collect();
        assert!(lines.iter().map(|line| line.number).eq(1..=9));
        let problems: Vec<Option<&str>> =
            lines.iter().map(|line| line.profile.as_ref().err().map(String::as_str)).collect();
        for (index, expected) in
            [(1, "no profile"), (2, "no profile"), (3, "bytes"), (5, "$.b"), (6, "schema"), (7, "no profile")]
        {
            assert!(problems[index].is_some_and(|problem| problem.contains(expected)), "{index}: {problems:?}");
        }
        assert!([0, 4, 8].iter().all(|index| problems[*index].is_none()), "{problems:?}");
        assert_eq!(read(&b""[..]).count(), 0);
    }
}
