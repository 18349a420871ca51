use std::collections::HashSet;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Validator, draft4};
use proptest::option::of;
use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;

/// Another validator.
fn second_opinion(schema: &Value) -> Validator {
    draft4::options().offline().build(schema).expect("a schema of Draft 4")
}

/// Returns how many violations another validator finds, but for those that say the same of the same key. It says one thing of all keys that
/// are forbidden, and calls some of them missing.
fn num_violations(validator: &Validator, attributes: &Attributes) -> usize {
    let map: Map<_, _> = attributes.iter().map(|(key, value)| (key.to_owned(), Value::from(value))).collect();
    let of_error = |kind: &ValidationErrorKind| match kind {
        ValidationErrorKind::AdditionalProperties { unexpected } => unexpected.len(),
        ValidationErrorKind::FalseSchema => attributes.len(),
        ValidationErrorKind::Required { property } if attributes.get(property.as_str().unwrap()).is_some() => 0,
        _ => 1,
    };
    let mut said = HashSet::new();
    let map = Value::Object(map);
    let errors = validator.iter_errors(&map);
    // The lines do not tell texts from other values.
    let different =
        errors.filter(|error| said.insert(format!("{} {}", error.instance_path(), error.masked()).replace('"', "")));
    different.map(|error| of_error(error.kind())).sum()
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[abc]{1,2}", 1 => Just("$ref".to_owned()), 1 => "[é𝒜 ./~]{0,2}"]
}

fn value() -> impl Strategy<Value = String> {
    let known = [
        "a@b.org",
        "2020-02-30",
        "2020-02-28T01:02:03Z",
        "1.2.3.4",
        "::1",
        "example.org",
        "http://a.org/",
        "01:02:03Z",
        "(",
    ];
    prop_oneof![2 => "[ab1]{0,5}", 1 => "[é𝒜\\s_x]{0,4}", 1 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned)]
}

fn pattern() -> impl Strategy<Value = &'static str> {
    let all = [
        "",
        "^a",
        "b$",
        "^[ab]+$",
        r"^.{2,3}$",
        r"\d",
        r"^\S*$",
        r"^\w",
        r"(a|b)\1",
        "^(?!a)",
        "(?=b)b1",
        "^(a|b|ab)$",
        "é",
        r"\bb",
    ];
    proptest::sample::select(all.to_vec())
}

fn format() -> impl Strategy<Value = &'static str> {
    let all = ["date", "date-time", "email", "hostname", "ipv4", "ipv6", "regex", "time", "uri", "uuid", "color", ""];
    proptest::sample::select(all.to_vec())
}

/// Builds an object of the members that have a value.
fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    members.into_iter().filter_map(|(keyword, value)| Some((keyword.to_owned(), value?))).collect::<Map<_, _>>().into()
}

fn options() -> impl Strategy<Value = Value> {
    let option = prop_oneof![4 => value().prop_map(Value::from), 1 => Just(json!(1)), 1 => Just(json!({"a": null}))];
    prop::collection::vec(option, 1..4).prop_map(|mut options| {
        let mut seen = Vec::new();
        options.retain(|option| {
            !seen.contains(option) && {
                seen.push(option.clone());
                true
            }
        });
        options.into()
    })
}

fn text_rules() -> impl Strategy<Value = Value> {
    let parts = (
        of(Just("string")),
        of(0..4_u64),
        of(0..5_u64),
        of(pattern()),
        of(options()),
        of(format()),
        of(Just("a title")),
    );
    parts.prop_map(|(kind, min, max, pattern, options, format, title)| {
        object([
            ("title", title.map(Value::from)),
            ("format", format.map(Value::from)),
            ("minLength", min.map(Value::from)),
            ("enum", options),
            ("maxLength", max.map(Value::from)),
            ("type", kind.map(Value::from)),
            ("pattern", pattern.map(Value::from)),
        ])
    })
}

/// A schema of the supported keywords.
fn schema() -> impl Strategy<Value = Value> {
    let properties = prop::collection::hash_map(key(), text_rules(), 0..4).prop_map(|named| json!(named));
    let families = prop::collection::hash_map(pattern(), text_rules(), 0..3).prop_map(|families| json!(families));
    let others = prop_oneof![any::<bool>().prop_map(Value::from), text_rules()];
    let required = prop::collection::btree_set(key(), 1..3).prop_map(|keys| json!(keys));
    (of(properties), of(families), of(others), of(required), of(0..4_u64), of(0..4_u64)).prop_map(
        |(properties, families, others, required, min, max)| {
            object([
                ("type", min.map(|_| "object".into())),
                ("properties", properties),
                ("patternProperties", families),
                ("additionalProperties", others),
                ("required", required),
                ("minProperties", min.map(Value::from)),
                ("maxProperties", max.map(Value::from)),
                ("definitions", max.map(|_| json!({"a": {"type": "integer"}}))),
            ])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn another_validator_agrees(
        schema in schema(),
        maps in prop::collection::vec(prop::collection::vec((key(), value()), 0..5), 1..6),
    ) {
        let own = parse(&schema).unwrap();
        let other = second_opinion(&schema);
        for map in maps {
            let attributes: Attributes = map.into_iter().collect();
            let found = own.check(&attributes).map_or_else(|violations| violations.details, |()| Vec::new());
            prop_assert_eq!(found.len(), num_violations(&other, &attributes), "{} {:?} {:?}", schema, attributes, found);
        }
    }
}
