//! Metadata of samples: entries of version 1, and the keys of version 2.

use serde_json::{Value, json};
use store_catalogue::MetadataEntry;
use store_catalogue::model::{METADATA_ATTRIBUTES, METADATA_KEYS};

use crate::read::Members;

/// Returns the entries of version 1 for metadata of version 2: those with a value that are not
/// attributes. Texts that are invalid as attributes stay entries.
pub(super) fn entries(metadata: &Members, is_set: impl Fn(&str) -> bool) -> Vec<Value> {
    let is_attribute = |key: &str| METADATA_ATTRIBUTES.iter().any(|(known, _)| *known == key) && is_set(key);
    let others = metadata.iter().filter(|(key, value)| !is_attribute(key) && !is_empty(value));
    others.map(|(key, value)| json!({"key": key, "value": text(value), "unit": null})).collect()
}

/// Returns the metadata of version 2 for entries of version 1 with keys of version 2. The first
/// entry of each key counts.
pub(super) fn from_entries(entries: &[Value]) -> Members {
    let mut metadata = Members::new();
    for entry in entries {
        let part = |name: &str| entry.get(name).filter(|value| !is_empty(value));
        let key = part("key").and_then(Value::as_str);
        let known = METADATA_KEYS.iter().find(|(known, _)| Some(*known) == key);
        let (value, unit) = (part("value").map(text), part("unit").map(text).unwrap_or_default());
        let value = match value {
            Some(value) if unit.is_empty() => Some(value),
            Some(value) => Some(format!("{value} {unit}")),
            // A unit without a value may itself be the value.
            None => MetadataEntry::new("", None, &unit).value,
        };
        if let (Some((_, key)), Some(value)) = (known, value) {
            metadata.entry(*key).or_insert_with(|| value.into());
        }
    }
    metadata
}

/// Returns whether a value is empty.
pub(super) fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// Returns a string as it is, and any other value as JSON.
pub(super) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_with_known_keys_have_a_place() {
        let entries = [
            json!({"key": "depth", "value": "5", "unit": "m"}),
            json!({"key": "geographic location (depth)", "value": "6", "unit": null}),
            json!({"key": "pH", "value": 7.5, "unit": ""}),
            json!({"key": "instrument", "value": "x", "unit": null}),
            json!({"key": "sex", "value": "", "unit": null}),
            json!({"key": null, "value": "x"}),
        ];
        assert_eq!(Value::from(from_entries(&entries)), json!({"depth": "5 m", "ph": "7.5"}));
    }

    #[test]
    fn metadata_without_an_attribute_become_entries() {
        let metadata = json!({"lat": "1", "lon": "east", "depth": "5 m", "new_key": [1], "ph": "", "age": null});
        let entries = entries(metadata.as_object().expect("an object"), |key| key != "lon");
        assert_eq!(
            Value::from(entries),
            json!([
                {"key": "lon", "value": "east", "unit": null},
                {"key": "depth", "value": "5 m", "unit": null},
                {"key": "new_key", "value": "[1]", "unit": null},
            ])
        );
    }
}
