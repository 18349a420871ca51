//! The keys by which resources are ordered: by type and default order, and by the fields that
//! clients can order by.

use serde_json::Value;
use store_catalogue::ascending_bits;
use store_catalogue::model::{ACCESSION, Direction, RESOURCE_TYPES, ROOT, ResourceType, SortKey, lineage_path};

use crate::read::{Members, Resource};

/// The members of documents with the time of the last change, and with the place of a biome in its
/// list.
const UPDATED_AT: &str = "updated_at";
const RANK: &str = "@rank";

/// The end of a text: less than any byte of a longer one, since zeros within a text are escaped.
const TEXT_END: [u8; 2] = [0, 0];

const ESCAPED_ZERO: [u8; 2] = [0, 0xff];

/// A key in one of the orders of a type: a value, and a part that breaks ties.
#[derive(Debug)]
pub(crate) struct FieldKey {
    pub(crate) bytes: Box<[u8]>,
    /// The number of bytes of the value.
    pub(crate) value_length: usize,
}

impl FieldKey {
    pub(crate) fn value(&self) -> &[u8] {
        &self.bytes[..self.value_length]
    }
}

/// Returns the names of the orders of a type, other than the default.
pub(crate) fn field_names(resource_type: &str) -> impl Iterator<Item = &'static str> {
    let ResourceType { orders, document_orders, .. } = ResourceType::rules_of(resource_type);
    orders.iter().chain(*document_orders).map(|&(name, _)| name)
}

/// Returns the key of a resource among those of all types.
pub(crate) fn default_key(resource: &Resource) -> Box<[u8]> {
    let mut key = KeyWriter::default();
    let rank = RESOURCE_TYPES.iter().position(|known| known.name == resource.kind).unwrap_or(RESOURCE_TYPES.len());
    key.byte(u8::try_from(rank).unwrap_or(u8::MAX));
    key.text(Some(&resource.kind));
    for &(field, direction) in ResourceType::rules_of(&resource.kind).default_order {
        match direction {
            Direction::Ascending => write_field(&mut key, field, resource, None),
            Direction::Descending => key.descending(|key| write_field(key, field, resource, None)),
        }
    }
    key.finish()
}

/// Returns the keys of a resource in the orders of its type, as [`field_names`] names them.
pub(crate) fn field_keys(resource: &Resource, document: Option<&Members>) -> Vec<FieldKey> {
    let ResourceType { orders, tie, document_orders, document_key, .. } = ResourceType::rules_of(&resource.kind);
    let key_of = |field: SortKey, tie: &[SortKey]| {
        let mut key = KeyWriter::default();
        write_field(&mut key, field, resource, document);
        let value_length = key.len();
        for &field in tie {
            write_field(&mut key, field, resource, document);
        }
        FieldKey { bytes: key.finish(), value_length }
    };
    let orders = orders.iter().map(|&(_, field)| key_of(field, tie));
    let document_tie = [SortKey::Document(document_key)];
    orders.chain(document_orders.iter().map(|&(_, field)| key_of(field, &document_tie))).collect()
}

fn write_field(key: &mut KeyWriter, field: SortKey, resource: &Resource, document: Option<&Members>) {
    let member = |name: &str| document.and_then(|document| document.get(name));
    match field {
        SortKey::Text(attribute) => key.text(resource.text(attribute)),
        SortKey::Number(attribute) => key.number(resource.number(attribute)),
        SortKey::Accession => key.text(Some(resource.text(ACCESSION).unwrap_or(&resource.id))),
        SortKey::Id => key.text(Some(&resource.id)),
        SortKey::IdNumber => {
            let number = ResourceType::rules_of(&resource.kind).number_of(&resource.id);
            key.digits(number);
            key.text(Some(&resource.id));
        }
        SortKey::Version(attribute) => {
            let version = resource.text(attribute);
            for part in version.into_iter().flat_map(|version| version.split('.')) {
                key.digits(part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.trim_start_matches('0')));
                key.text(Some(part));
            }
            key.byte(0);
        }
        SortKey::Named(relation) => {
            let named = resource.references().find(|reference| reference.relation == relation);
            key.text(named.map(|reference| reference.id));
        }
        SortKey::IsBelowRoot => key.byte(u8::from(resource.id != ROOT)),
        SortKey::Document(name) => key.nulls_last(|key| match member(name) {
            Some(Value::Number(number)) => key.number(number.as_f64()),
            Some(Value::String(text)) => {
                key.text(Some(text.strip_suffix('Z').filter(|_| name == UPDATED_AT).unwrap_or(text)));
            }
            _ => key.text(None),
        }),
        SortKey::LineagePath => {
            key.nulls_last(|key| key.number(member(RANK).and_then(Value::as_f64)));
            let path = lineage_path(&resource.id);
            path.split('.').for_each(|level| key.text(Some(level)));
            key.byte(0);
        }
    }
}

/// Builds a key. No part is a prefix of another one, so later parts matter only where both are
/// equal.
#[derive(Debug, Default)]
struct KeyWriter(Vec<u8>);

impl KeyWriter {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Appends a text, to be compared by code point; null sorts first.
    fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.0.push(0) };
        self.0.push(1);
        for &byte in text.as_bytes() {
            if byte == 0 { self.0.extend(ESCAPED_ZERO) } else { self.0.push(byte) }
        }
        self.0.extend(TEXT_END);
    }

    /// Appends a number other than NaN; null sorts first.
    fn number(&mut self, number: Option<f64>) {
        let Some(number) = number else { return self.0.push(0) };
        self.0.push(1);
        self.0.extend(ascending_bits(number).to_be_bytes());
    }

    /// Appends a whole number of any size, given by its digits without leading zeros; null sorts
    /// first.
    fn digits(&mut self, digits: Option<&str>) {
        // Numbers with equally many digits compare like texts.
        self.number(digits.map(|digits| u32::try_from(digits.len()).map_or(f64::MAX, f64::from)));
        self.text(digits);
    }

    /// Appends a part in the opposite order.
    fn descending(&mut self, write: impl FnOnce(&mut Self)) {
        let start = self.len();
        write(self);
        self.0[start..].iter_mut().for_each(|byte| *byte = !*byte);
    }

    /// Appends a text or a number; null sorts last.
    fn nulls_last(&mut self, write: impl FnOnce(&mut Self)) {
        let start = self.len();
        write(self);
        if let Some(first) = self.0.get_mut(start).filter(|first| **first == 0) {
            *first = u8::MAX;
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn finish(self) -> Box<[u8]> {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn resource(resource_type: &str, id: &str, attributes: &str) -> Resource {
        let text = format!(r#"{{"type": "{resource_type}", "id": "{id}", "attributes": {{{attributes}}}}}"#);
        Resource::parse(&text).expect(&text)
    }

    #[test]
    fn types_and_resources_have_their_default_order() {
        let sorted = [
            resource("samples", "ERS1", r#""last-update": "2019""#),
            resource("samples", "ERS2", r#""last-update": "2019""#),
            resource("samples", "ERS0", r#""last-update": "2018""#),
            resource("biomes", "root", ""),
            resource("biomes", "root:A", ""),
            resource("studies", "MGYS00000010", r#""last-update": "2019-01-01T00:00:00.000001""#),
            resource("studies", "MGYS00000009", r#""last-update": "2019-01-01T00:00:00""#),
            resource("studies", "MGYS00000010", r#""last-update": "2019-01-01T00:00:00""#),
            resource("studies", "MGYS00000001", r#""last-update": null"#),
            resource("assemblies", "ERZ2", ""),
            resource("assemblies", "ERZ1", ""),
            resource("pipeline-tools", "b", r#""tool-name": null"#),
            resource("pipeline-tools", "B", r#""tool-name": "B", "version": "1""#),
            resource("pipeline-tools", "a", r#""tool-name": "a", "version": "1""#),
            resource("pipeline-tools", "a", r#""tool-name": "a", "version": "2""#),
            resource("cog-cats", "1", r#""name": "Z""#),
            resource("cog-cats", "2", r#""name": "A""#),
            resource("cog-cats", "3", r#""name": "-""#),
            resource("runs", "B", ""),
            resource("runs", "A", ""),
            resource("analysis-jobs", "MGYA00000002", r#""pipeline-version": "4.10""#),
            resource("analysis-jobs", "MGYA00000010", r#""pipeline-version": "4.10""#),
            resource("analysis-jobs", "MGYA00000001", r#""pipeline-version": "4.9""#),
            resource("analysis-jobs", "MGYA00000003", r#""pipeline-version": "4""#),
            resource("analysis-jobs", "MGYA00000003", ""),
            resource("publications", "10", r#""pubmed-id": 10"#),
            resource("publications", "9", r#""pubmed-id": 9"#),
            resource("pipelines", "1.0", r#""release-version": "1.0""#),
            resource("pipelines", "2.0", r#""release-version": "2.0""#),
            resource("downloads", "1", ""),
            resource("downloads", "2", ""),
        ];
        let keys: Vec<_> = sorted.iter().map(default_key).collect();
        assert!(keys.is_sorted_by(|one, other| one < other), "{keys:?}");
        assert!(default_key(&resource("biomes", "root:B", "")) == keys[4], "biomes stay in the order of their arrival");
    }

    #[test]
    fn field_keys_include_tie_breakers() {
        let names: Vec<_> = field_names("studies").collect();
        assert_eq!(names, ["study_id", "study_name", "last_update", "samples_count", "accession", "@updated_at"]);
        let keys =
            |id: &str, count: &str| field_keys(&resource("studies", id, &format!(r#""samples-count": {count}"#)), None);
        let counts = [keys("MGYS2", "null"), keys("MGYS3", "7"), keys("MGYS00010", "7"), keys("MGYS1", "10")];
        assert!(counts.is_sorted_by(|one, other| one[3].bytes < other[3].bytes));
        let value = |keys: &Vec<FieldKey>| keys[3].bytes[..keys[3].value_length].to_vec();
        assert!(value(&counts[0]) != value(&counts[1]) && value(&counts[1]) == value(&counts[2]));
        assert!(
            field_names("downloads").next().is_none() && field_keys(&resource("downloads", "1", ""), None).is_empty()
        );
        let run_key = |relationships: &str| {
            let text = format!(r#"{{"type": "analysis-jobs", "id": "MGYA1", "relationships": {{{relationships}}}}}"#);
            let keys = field_keys(&Resource::parse(&text).expect(&text), None);
            let position = field_names("analysis-jobs").position(|name| name == "run__accession").expect("an order");
            keys[position].bytes.clone()
        };
        let runs = [r#""run": {"data": null}"#, r#""run": {"data": {"type": "runs", "id": "A"}}"#];
        assert!(run_key(runs[0]) < run_key(runs[1]));
    }

    fn key(text: Option<&str>, number: Option<f64>, is_descending: bool) -> Box<[u8]> {
        let mut key = KeyWriter::default();
        if is_descending {
            key.descending(|key| key.text(text));
        } else {
            key.text(text);
        }
        key.number(number);
        key.finish()
    }

    fn any_text() -> impl Strategy<Value = Option<String>> {
        prop::option::of(
            prop::collection::vec(prop_oneof![Just('\0'), Just('a'), Just('\u{e9}'), Just('\u{10ffff}')], 0..4)
                .prop_map(String::from_iter),
        )
    }

    fn any_number() -> impl Strategy<Value = Option<f64>> {
        prop::option::of(prop_oneof![
            any::<i32>().prop_map(f64::from),
            any::<f64>().prop_filter("a number", |x| !x.is_nan())
        ])
    }

    proptest! {
        #[test]
        fn keys_compare_as_their_parts(
            one in (any_text(), any_number()), other in (any_text(), any_number()), is_descending: bool,
        ) {
            let of = |parts: &(Option<String>, Option<f64>)| key(parts.0.as_deref(), parts.1, is_descending);
            let by_text = one.0.cmp(&other.0);
            let by_text = if is_descending { by_text.reverse() } else { by_text };
            let expected = by_text.then(one.1.partial_cmp(&other.1).expect("no NaN"));
            prop_assert_eq!(of(&one).cmp(&of(&other)), expected);
        }
    }

    #[test]
    fn times_with_microseconds_are_later() {
        let [without, with] =
            ["2019-09-25T16:24:05", "2019-09-25T16:24:05.000001"].map(|time| key(Some(time), None, false));
        assert!(without < with);
    }
}
