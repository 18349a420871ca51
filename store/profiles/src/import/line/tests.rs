//! Defects of lines.

use serde_json::json;
use store::{Owner, ProfileReference};

use super::*;
use crate::ProfileSchema;

#[test]
fn lines_of_servers_have_the_right_fields() {
    for line in [
        json!({"reference": "prf-", "user": "usr-", "version": 1, "attributes": {}}),
        json!({"attributes": {"a": "", "schema": ""}, "version": u64::MAX, "domain": "dom-", "reference": ""}),
        json!({"domain": "dom-", "schema": {"given": "", "fetched": ""}}),
    ] {
        assert_eq!(check_fields(&line), Ok(()), "{line}");
    }
}

#[test]
fn other_fields_and_types_are_rejected() {
    for (line, reason) in [
        (json!(["prf-", "usr-", 1, {}]), "not an object"),
        (json!("{}"), "not an object"),
        (json!({"reference": null, "user": ""}), "its reference is not a string"),
        (json!({"user": {"userReference": ""}}), "its user is not a string"),
        (json!({"user": "", "version": -1}), "its version is not a positive whole number"),
        (json!({"user": "", "version": 1.0}), "its version is not"),
        (json!({"user": "", "version": "1"}), "its version is not"),
        (json!({"domain": "", "schema": null}), "its schema is not an object"),
        (json!({"domain": "", "schema": [""]}), "its schema is not an object"),
        (
            json!({"domain": "", "schema": {"given": "", "fetched": null}}),
            "field fetched of its schema is not a string",
        ),
        (json!({"domain": "", "schema": {"given": "", "title": ""}}), "unknown field \"title\""),
        (json!({"user": "", "attributes": []}), "its attributes is not an object"),
        (json!({"user": "", "attributes": {"b": "", "a": null}}), "the value of \"a\" is not a string"),
        (json!({"user": "", "Version": 1}), "unknown field \"Version\""),
        (json!({"user": "", "domain": ""}), "both user and domain"),
        (json!({"version": 1}), "neither user nor domain"),
        (json!({"user": "", "schema": {"given": "{}"}}), "the profile of a user"),
    ] {
        let problem = check_fields(&line).expect_err(reason);
        assert!(problem.contains(reason), "{line}: {problem}");
    }
}

fn checked_pair(key: &str, value: &str) -> Result<(), String> {
    check_attributes(&[("first", ""), (key, value)].into_iter().collect())
}

#[test]
fn keys_and_values_that_a_server_accepts_are_accepted() {
    for (key, value) in [("a", ""), ("centre name", "ü \t\r\n"), ("a/%2F\"", "\u{2028}\u{200b}\u{feff}")] {
        assert_eq!(checked_pair(key, value), Ok(()), "{key:?}");
    }
}

#[test]
fn empty_keys_and_control_characters_are_rejected() {
    for (key, value, reason) in [
        ("", "", "the key of an attribute is empty"),
        ("a\n", "", r#"the key "a\n" has control characters"#),
        ("\u{7f}", "", r#"the key "\u{7f}" has control characters"#),
        ("a", "\u{0}", r#"the value of "a" has control characters"#),
        ("a", "x\u{1b}[2J", r#"the value of "a" has control characters"#),
        ("a", "\u{85}", r#"the value of "a" has control characters"#),
    ] {
        assert_eq!(checked_pair(key, value), Err(reason.to_owned()), "{key:?} {value:?}");
    }
}

fn checked_schema(given: &str, fetched: Option<&str>) -> Result<(), String> {
    check_schema(&Profile {
        reference: ProfileReference::random(),
        owner: Owner::Domain("dom-x".parse().expect("a reference")),
        version: 1,
        schema: Some(ProfileSchema { given: given.to_owned(), fetched: fetched.map(str::to_owned) }),
        attributes: [("a", "1")].into_iter().collect(),
    })
}

#[test]
fn attributes_must_conform_to_the_fetched_schema() {
    let (fitting, unfit) = (r#"{"required":["a"]}"#, r#"{"required":["b"]}"#);
    assert_eq!(checked_schema(fitting, None), Ok(()));
    assert_eq!(checked_schema("https://a.org/x.json", Some(fitting)), Ok(()));
    for (given, fetched, reason) in [
        (unfit, None, "its attributes do not conform to its schema: $.b"),
        ("https://a.org/x.json", Some(unfit), "its attributes do not conform to its schema: $.b"),
        ("https://a.org/x.json", None, "its schema cannot be used"),
        ("[]", None, "its schema cannot be used"),
        (r#"{"type":"object","type":"object"}"#, None, "its schema cannot be used"),
    ] {
        let problem = checked_schema(given, fetched).expect_err(reason);
        assert!(problem.contains(reason), "{given}: {problem}");
    }
}

#[test]
fn long_keys_are_cut_and_control_characters_escaped() {
    assert_eq!(quoted("a\u{1b}\""), r#""a\u{1b}\"""#);
    let longest = "ü".repeat(QUOTED_CHARS_MAX);
    assert_eq!(quoted(&longest), format!("\"{longest}\""));
    assert_eq!(quoted(&(longest.clone() + "x")), format!("\"{longest}\"…"));
}
