use std::time::{Duration, Instant};

use serde_json::{Map, json};

use super::*;

/// The time limit of each test: a hundred times its duration, for slow machines.
const SHORT: Duration = Duration::from_secs(30);

fn timed<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = act();
    assert!(start.elapsed() < SHORT, "{what} took {:?}", start.elapsed());
    done
}

#[test]
fn chains_of_references_are_rejected() {
    let mut definitions = Map::new();
    for i in 0..100 {
        let next = json!({"$ref": format!("#/definitions/d{}", i + 1)});
        definitions.insert(format!("d{i}"), json!({"allOf": [next, next]}));
    }
    definitions.insert("d100".to_owned(), json!({}));
    let schema = json!({"definitions": definitions, "$ref": "#/definitions/d0"}).to_string();
    assert_eq!(timed("chain", || defects(&schema)), ["$.$ref: is not supported"]);
    assert_eq!(defects(r##"{"$ref": "#"}"##), ["$.$ref: is not supported"]);
}

#[test]
fn catastrophic_patterns_are_stopped() {
    for pattern in [
        r"^(\w+\s?)+\1$",
        r"^(a|a|aa)+\1b$",
        r"(?=(a+)+\1c)a",
        r"^((a*)*)*\2b$",
        r"((?<=a+)a)+\1b",
        r"(?=a)((a{1,1000}){1,1000}){1,1000}b",
        r"(?=.*.*.*c)",
        r"^(?=a)(?:){4294967295}",
    ] {
        let schema = timed(pattern, || parse(&json!({"properties": {"a": {"pattern": pattern}}}))).expect(pattern);
        for num_chars in [1000, 4000] {
            let found = timed(pattern, || details(&schema, &[("a", &("a".repeat(num_chars) + "!"))]));
            assert_eq!(found, [format!("$.a: does not match the regex pattern {pattern}")]);
        }
    }
}

/// A key whose match is undecided must not be accepted, neither as an allowed key nor as one
/// without rules.
#[test]
fn catastrophic_patterns_of_keys_are_violations() {
    let pattern = r"^(\w+\s?)+\1$";
    let key = "ab".repeat(100) + "!";
    for others in [json!(true), json!(false), json!({"maxLength": 0})] {
        let schema = json!({"patternProperties": {pattern: {"maxLength": 0}}, "additionalProperties": others});
        let found = details(&parse(&schema).unwrap(), &[(&key, "1")]);
        assert_eq!(found, [format!("$.{key}: does not match the regex pattern {pattern}")]);
    }
}

#[test]
fn exploding_patterns_are_rejected() {
    for pattern in ["(a{1,1000}){1,1000}", "((((a{1,99}){1,99}){1,99}){1,99}){1,99}"] {
        let schema = json!({"properties": {"a": {"pattern": pattern}}, "patternProperties": {pattern: {}}}).to_string();
        let lines = [
            "$.properties.a.pattern: is too large: compiled, it takes more than 1024 KiB".to_owned(),
            format!("$.patternProperties.{pattern}: is too large: compiled, it takes more than 1024 KiB"),
        ];
        assert_eq!(timed(pattern, || defects(&schema)), lines);
    }
}

#[test]
fn nesting_does_not_overflow() {
    let deep =
        |open: &str, close: &str| format!("{}{}", open.repeat(16_000 / open.len()), close.repeat(16_000 / open.len()));
    for schema in
        [deep("[", "]"), deep(r#"{"a":"#, "1}").replace("1}", "}"), r#"{"not":"#.repeat(4_000), "[".repeat(32_000)]
    {
        assert!(timed("nesting", || defects(&schema)).iter().all(|line| line.starts_with("$: is not JSON: ")));
    }
    let inert = format!(r#"{{"definitions":{}1{}}}"#, r#"{"definitions":"#.repeat(100), "}".repeat(100));
    assert_eq!(timed("definitions", || defects(&inert)).len(), 1);
    for pattern in [
        deep("(", ")"),
        deep("(?=", ")"),
        format!("(?=a){}", deep("(?:", ")")),
        "[".repeat(16_000),
        "a**".repeat(9_000),
    ] {
        let schema = json!({"properties": {"a": {"pattern": pattern}}}).to_string();
        assert_eq!(timed("nested pattern", || defects(&schema)).len(), 1);
        let formatted = parse(&json!({"properties": {"a": {"format": "regex"}}})).unwrap();
        timed("nested value", || details(&formatted, &[("a", &pattern)]));
    }
}

/// Zeros and ones in an order that has no pattern.
fn noise(num_chars: usize) -> String {
    let mut state = 1_u64;
    let bits = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if state & 1 == 0 { '0' } else { '1' }
    });
    bits.take(num_chars).collect()
}

/// The most attributes of a body, with the longest values.
fn large_attributes(num_chars: usize) -> Attributes {
    let num_long = 240_000 / num_chars;
    (0..200).map(|i| (format!("a{i}"), noise(if i < num_long { num_chars } else { 8 }))).collect()
}

#[test]
fn many_patterns_are_bounded_together() {
    for (name, num_patterns, pattern) in [
        ("plain", 200, r"^[A-Z]{3}[0-9]{3}$"),
        ("any", 16, "^.{1,255}$"),
        ("backtracking", 200, r"^(\w+\s?)+\1$"),
        ("thrashing", 200, "[01]*1[01]{300}[2-9]"),
        ("thrashing, large", 16, "[01]*1[01]{7000}[2-9]"),
        ("thrashing look-ahead", 200, "(?=[01]*1[01]{100}[2-9])x"),
        ("thrashing look-behind", 200, "(?<=2[01]{100}1[01]*)x"),
        ("wide", 16, r"[\p{L}\p{N}]*1\p{N}{1,20}2"),
        ("look-ahead", 200, r"(?=.*[a-z])(?=.*x)1"),
    ] {
        let mut properties = Map::new();
        for i in 0..num_patterns {
            properties.insert(format!("a{i}"), json!({"pattern": pattern}));
        }
        let named = json!({"properties": properties}).to_string();
        let mut families = Map::new();
        for i in 0..num_patterns {
            families.insert(format!("^a[0-9]*$|{i}"), json!({"pattern": format!("{pattern}|{i}")}));
        }
        let families = json!({"patternProperties": families}).to_string();
        for schema in [named, families] {
            let what = format!("{name}, {} bytes", schema.len());
            let schema = timed(&what, || AttributeSchema::parse(&schema, LIMITS)).expect(name);
            timed(&what, || {
                let _ = schema.check(&large_attributes(4000));
                let _ = schema.check(&large_attributes(1000));
            });
        }
    }
}
