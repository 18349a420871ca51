//! Lines, their numbers, and their defects.

use super::*;

const GOOD: &str =
    r#"{"reference":"prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90","domain":"dom-x","version":3,"attributes":{"a":"1"}}"#;

/// Returns the number of each line with its defect.
fn problems(text: &[u8]) -> Vec<(u64, Option<String>)> {
    let lines = export_lines(text).map(|line| line.expect("in memory"));
    lines.map(|line| (line.number, line.profile.err())).collect()
}

#[test]
fn reading_continues_after_a_bad_line_with_the_right_number() {
    let with_schema = |schema: &str| {
        let schema = serde_json::json!({"given": schema}).to_string();
        GOOD.replace(r#""attributes""#, &format!(r#""schema":{schema},"attributes""#))
    };
    let fitting = with_schema(r#"{"properties":{"a":{"type":"string","maxLength":1}}}"#);
    let unfit = with_schema(r#"{"required":["b"]}"#);
    let no_schema = with_schema("[]");
    let long = "x".repeat(LINE_BYTES_MAX + 10);
    let text = [GOOD, "", "{", &long, &fitting, &unfit, &no_schema, "5", GOOD].join("\n");
    let expected = [(3, "not a profile"), (4, "bytes"), (6, "$.b"), (7, "schema"), (8, "not an object")];
    let problems = problems(text.as_bytes());
    assert!(problems.iter().map(|(number, _)| *number).eq([1, 3, 4, 5, 6, 7, 8, 9]), "{problems:?}");
    let bad: Vec<_> = problems.iter().filter_map(|(number, problem)| Some((*number, problem.as_ref()?))).collect();
    assert_eq!(bad.len(), expected.len(), "{bad:?}");
    for ((number, problem), (expected_number, reason)) in bad.into_iter().zip(expected) {
        assert!(number == expected_number && problem.contains(reason), "{number}: {problem}");
    }
}

#[test]
fn blank_lines_and_a_byte_order_mark_are_skipped() {
    assert_eq!(problems(b""), []);
    assert_eq!(problems(b"\n \t\r\n\n"), []);
    assert_eq!(problems(b"\xef\xbb\xbf\r\n"), []);
    let text = format!("\u{feff}{GOOD}\r\n\r\n  \n{GOOD}");
    assert_eq!(problems(text.as_bytes()), [(1, None), (4, None)]);
    let text = format!("{GOOD}\n\u{feff}{GOOD}\n\u{feff}");
    let problems = problems(text.as_bytes());
    assert!(problems[0].1.is_none() && problems[1..].iter().all(|(_, problem)| problem.is_some()), "{problems:?}");
}

#[test]
fn the_longest_line_is_read() {
    let longest = GOOD.to_owned() + &" ".repeat(LINE_BYTES_MAX - GOOD.len());
    assert_eq!(problems(longest.as_bytes()), [(1, None)]);
    assert_eq!(problems(format!("{longest}\n{longest} \n{longest}").as_bytes()).len(), 3);
    assert!(problems(format!("{longest} ").as_bytes())[0].1.is_some());
}

#[test]
fn reasons_do_not_quote_values() {
    for (from, to, reason) in [
        (r#""version":3"#, r#""version":3,"version":4"#, "duplicate key \"version\""),
        (r#""a":"1""#, r#""a":"1","\u0061":"1""#, "duplicate key \"a\""),
        ("dom-x", "Ada", "not a reference of the form dom-<id>"),
        ("prf-", "usr-", "not a reference of the form prf-<uuid>"),
        (r#""version":3,"#, "", "missing field `version`"),
        (r#","attributes":{"a":"1"}"#, "", "missing field `attributes`"),
        (r#""1""#, r#""\u0001""#, "the value of \"a\" has control characters"),
        (r#""1""#, r#"["Ada"]"#, "the value of \"a\" is not a string"),
        (r#""a":"#, r#""":"#, "key of an attribute is empty"),
        (r#""domain":"#, r#""other":"#, "unknown field \"other\""),
        (r#""1""#, r#""\ud800""#, "it is not a profile: "),
        ("}}", "}} {}", "it is not a profile: trailing characters at column"),
    ] {
        let line = GOOD.replacen(from, to, 1);
        let problem = line::parse(line.as_bytes()).expect_err(reason);
        assert!(problem.contains(reason) && !problem.contains("Ada"), "{line}: {problem}");
    }
    assert!(line::parse(b"\"\xff\"").is_err_and(|problem| problem.contains("invalid unicode code point")));
    assert!(line::parse(GOOD.as_bytes()).is_ok());
}
