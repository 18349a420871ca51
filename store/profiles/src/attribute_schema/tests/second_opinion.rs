use std::collections::HashSet;

use jsonschema::draft4;
use jsonschema::error::ValidationErrorKind;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, json};

use super::*;

/// Returns the number of different violations that the library finds with the whole schema. It has
/// one error for all forbidden keys, and reports some of them as missing.
fn num_violations(schema: &Value, attributes: &Attributes) -> usize {
    let validator = draft4::options().offline().build(schema).expect("a schema of Draft 4");
    let map = attributes.iter().map(|(key, value)| (key.to_owned(), Value::from(value))).collect();
    let map = Value::Object(map);
    let mut seen = HashSet::new();
    let mut count = 0;
    for error in validator.iter_errors(&map) {
        if seen.insert(format!("{} {}", error.instance_path(), error.masked())) {
            count += match error.kind() {
                ValidationErrorKind::AdditionalProperties { unexpected } => unexpected.len(),
                ValidationErrorKind::FalseSchema => attributes.len(),
                ValidationErrorKind::Required { property } if attributes.get(property.as_str().unwrap()).is_some() => 0,
                _ => 1,
            };
        }
    }
    count
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[abc]{1,2}", 1 => Just("$ref".to_owned()), 1 => "[é𝒜 ./~]{0,2}"]
}

fn pattern() -> impl Strategy<Value = &'static str> {
    select(vec!["", "^a", "b$", "^[ab]+$", r"^.{2,3}$", r"(a|b)\1", "^(?!a)", "(?=b)b1", "é"])
}

fn object(members: Vec<(&str, Option<Value>)>) -> Value {
    members.into_iter().filter_map(|(keyword, value)| Some((keyword.to_owned(), value?))).collect::<Map<_, _>>().into()
}

fn rules() -> impl Strategy<Value = Value> {
    (of(0..4_u64), of(0..5_u64), of(pattern())).prop_map(|(min, max, pattern)| {
        object(vec![
            ("minLength", min.map(Value::from)),
            ("maxLength", max.map(Value::from)),
            ("pattern", pattern.map(Value::from)),
        ])
    })
}

/// A schema of all keywords that select the rules of a key.
fn schema() -> impl Strategy<Value = Value> {
    let properties = prop::collection::hash_map(key(), rules(), 0..4).prop_map(|named| json!(named));
    let families = prop::collection::hash_map(pattern(), rules(), 0..3).prop_map(|families| json!(families));
    let others = prop_oneof![any::<bool>().prop_map(Value::from), rules()];
    let required = prop::collection::btree_set(key(), 1..3).prop_map(|keys| json!(keys));
    (of(properties), of(families), of(others), of(required), of(0..4_u64), of(0..4_u64)).prop_map(
        |(properties, families, others, required, min, max)| {
            object(vec![
                ("properties", properties),
                ("patternProperties", families),
                ("additionalProperties", others),
                ("required", required),
                ("minProperties", min.map(Value::from)),
                ("maxProperties", max.map(Value::from)),
            ])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_library_agrees_about_the_whole(
        schema in schema(),
        maps in prop::collection::vec(prop::collection::vec((key(), "[ab1é]{0,5}"), 0..5), 1..6),
    ) {
        let own = parse(&schema).unwrap();
        for map in maps {
            let attributes: Attributes = map.into_iter().collect();
            let found = own.check(&attributes).map_or_else(|violations| violations.details, |()| Vec::new());
            prop_assert_eq!(found.len(), num_violations(&schema, &attributes), "{} {:?} {:?}", schema, attributes, found);
        }
    }
}
