use serde_json::json;

use super::*;

/// The documented example: a schema, attributes, title and details.
#[test]
fn the_documented_schema_gives_the_documented_details() {
    let schema = parse(&json!({
        "$schema": "http://json-schema.org/draft-04/schema#", "title": "Billing", "type": "object",
        "properties": {
            "cost_center": {"type": "string", "minLength": 3, "pattern": "^[A-Z]{3}[0-9]{3}$"},
            "address": {"type": "string"},
        },
        "required": ["address"],
    }))
    .unwrap();
    assert_eq!(schema.title(), Some("Billing"));
    let violations = schema.check(&[("cost_center", "a")].into_iter().collect()).unwrap_err();
    let details = [
        "$.cost_center: must be at least 3 characters long",
        "$.cost_center: does not match the regex pattern ^[A-Z]{3}[0-9]{3}$",
        "$.address: is missing but it is required",
    ];
    assert_eq!(
        violations,
        Violations { title: Some("Billing".to_owned()), details: details.map(str::to_owned).into(), num_omitted: 0 }
    );
    assert_eq!(schema.check(&[("cost_center", "ABC123"), ("address", "South Building")].into_iter().collect()), Ok(()));
}

#[test]
fn every_keyword_has_its_message() {
    for (rules, value, reason) in [
        (json!({"minLength": 3}), "éé", "must be at least 3 characters long"),
        (json!({"maxLength": 1}), "𝒜b", "may only be 1 characters long"),
        (json!({"pattern": "^[0-9]{5}$"}), "1234", "does not match the regex pattern ^[0-9]{5}$"),
        (json!({"enum": ["a", "b"]}), "c", "does not have a value in the enumeration [a, b]"),
        (json!({"enum": ["a b", 1, null]}), "1", "does not have a value in the enumeration [a b, 1, null]"),
        (json!({"format": "email"}), "a@b.org.", "does not match the email pattern of RFC 5321"),
        (json!({"format": "date"}), "today", "does not match the date pattern of RFC 3339"),
        (json!({"format": "time"}), "noon", "does not match the time pattern of RFC 3339"),
        (json!({"format": "ipv6"}), "1", "does not match the ipv6 pattern of RFC 4291"),
        (json!({"format": "regex"}), "[", "does not match the regex pattern of ECMA 262"),
    ] {
        let schema = parse(&json!({"properties": {"a": rules}})).unwrap();
        assert_eq!(details(&schema, &[("a", value)]), [format!("$.a: {reason}")], "{rules}");
        assert!(details(&schema, &[("b", value)]).is_empty(), "{rules}");
    }
    for (format, value) in [("date-time", "2020"), ("hostname", "no host"), ("ipv4", "1.2.3"), ("uri", "a b")] {
        let schema = parse(&json!({"properties": {"a": {"format": format}}})).unwrap();
        let [detail] = &details(&schema, &[("a", value)])[..] else { panic!("{format}") };
        assert!(detail.starts_with(&format!("$.a: does not match the {format} pattern ")), "{detail}");
        assert!(!detail.contains(value), "{detail}");
    }
    let schema = parse(&json!({"properties": {"a": {"minLength": 2, "maxLength": 2, "format": "shoe-size"}}})).unwrap();
    assert!(details(&schema, &[("a", "é𝒜")]).is_empty(), "lengths are code points, and unknown formats nothing");
}

#[test]
fn messages_name_the_format_that_was_checked() {
    let schema = parse(&json!({"additionalProperties": {"format": "regex"}})).unwrap();
    for value in ["{", r"[\w-.]", r"(?=a)\d", "(?i:a)"] {
        assert!(details(&schema, &[("a", value)]).is_empty(), "{value} is one of ECMA 262");
    }
    let schema = parse(&json!({"additionalProperties": {"format": "email"}})).unwrap();
    for value in ["müller@bücher.de", "a@b.org."] {
        assert_eq!(details(&schema, &[("a", value)]), ["$.a: does not match the email pattern of RFC 5321"]);
    }
}

#[test]
fn every_keyword_of_the_map_has_its_message() {
    for (schema, detail) in [
        (json!({"required": ["b c"]}), "$.b c: is missing but it is required"),
        (json!({"minProperties": 2}), "$: should have a minimum of 2 properties"),
        (json!({"maxProperties": 0}), "$: may only have a maximum of 0 properties"),
        (
            json!({"additionalProperties": false}),
            "$.a: is not defined in the schema and the schema does not allow additional properties",
        ),
        (json!({"additionalProperties": {"minLength": 2}}), "$.a: must be at least 2 characters long"),
        (json!({"patternProperties": {"^a": {"minLength": 2}}}), "$.a: must be at least 2 characters long"),
    ] {
        assert_eq!(details(&parse(&schema).unwrap(), &[("a", "1")]), [detail], "{schema}");
    }
    let untitled = parse(&json!({"maxProperties": 0})).unwrap();
    assert_eq!(untitled.title(), None);
    assert_eq!(untitled.check(&[("a", "")].into_iter().collect()).unwrap_err().title, None);
}

#[test]
fn violations_follow_the_schema_and_then_the_keys() {
    let schema = parse(&json!({
        "minProperties": 9, "maxProperties": 1, "required": ["y", "x"],
        "additionalProperties": false,
        "patternProperties": {"^p": {"maxLength": 0}, "^.?q": {"minLength": 9}},
        "properties": {
            "z": {"format": "ipv4", "enum": ["e"], "pattern": "p", "maxLength": 1, "minLength": 5, "type": "string"},
            "pq": {"pattern": "#"},
        },
    }))
    .unwrap();
    let attributes = [("é", ""), ("q", "1"), ("pr", "1"), ("pq", "1"), ("Z", ""), ("z", "12")];
    let expected = [
        "$.z: must be at least 5 characters long",
        "$.z: may only be 1 characters long",
        "$.z: does not match the regex pattern p",
        "$.z: does not have a value in the enumeration [e]",
        "$.z: does not match the ipv4 pattern of RFC 2673",
        "$.pq: does not match the regex pattern #",
        "$.pq: may only be 0 characters long",
        "$.pq: must be at least 9 characters long",
        "$.pr: may only be 0 characters long",
        "$.q: must be at least 9 characters long",
        "$.y: is missing but it is required",
        "$.x: is missing but it is required",
        "$.Z: is not defined in the schema and the schema does not allow additional properties",
        "$.é: is not defined in the schema and the schema does not allow additional properties",
        "$: should have a minimum of 9 properties",
        "$: may only have a maximum of 1 properties",
    ];
    assert_eq!(details(&schema, &attributes), expected);
    let mut reversed = attributes;
    reversed.reverse();
    assert_eq!(details(&schema, &reversed), expected);
}

/// Many attributes violate many rules: the lines are bounded, all are counted, and equal ones count
/// once.
#[test]
fn many_violations_are_counted_and_few_are_listed() {
    let families = (0..100).map(|number| (format!("^|{number}"), json!({"minLength": number / 2 + 1})));
    let schema = json!({"title": "T", "patternProperties": families.collect::<serde_json::Map<_, _>>()});
    let attributes: Vec<(String, String)> = (0..200).map(|number| (format!("{number:090}"), String::new())).collect();
    let violations = parse(&schema).unwrap().check(&attributes.into_iter().collect()).unwrap_err();
    assert_eq!(violations.num_violations(), 200 * 50);
    let listed = violations.details;
    assert!(listed.len() < 1000 && listed.iter().map(String::len).sum::<usize>() <= 64 << 10);
    let short: Vec<(String, String)> = (0..200).map(|number| (number.to_string(), String::new())).collect();
    let violations = parse(&schema).unwrap().check(&short.into_iter().collect()).unwrap_err();
    assert_eq!((violations.details.len(), violations.num_omitted), (1000, 9000));
}
