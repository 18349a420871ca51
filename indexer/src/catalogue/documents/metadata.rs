//! Metadata of samples: entries of version 1, and the keys of version 2.

use serde_json::{Value, json};

use crate::catalogue::resource::Members;

/// The keys of version 1 that version 2 has, and how it names them.
const KEYS: [(&str, &str); 37] = [
    ("temperature", "temperature"),
    ("salinity", "salinity"),
    ("pH", "ph"),
    ("depth", "depth"),
    ("geographic location (depth)", "depth"),
    ("elevation", "elevation"),
    ("geographic location (elevation)", "elevation"),
    ("altitude", "altitude"),
    ("geographic location (altitude)", "altitude"),
    ("sex", "sex"),
    ("age", "age"),
    ("body site", "host_body_site"),
    ("host body site", "host_body_site"),
    ("project name", "project_name"),
    ("investigation type", "investigation_type"),
    ("sequencing method", "sequencing_method"),
    ("tissue type", "tissue_type"),
    ("host", "host"),
    ("host sex", "host_sex"),
    ("host taxid", "host_tax_id"),
    ("host genotype", "host_genotype"),
    ("host phenotype", "host_phenotype"),
    ("isolation source", "isolation_source"),
    ("ENA checklist", "checklist"),
    ("collection date", "collection_date"),
    ("marine region", "marine_region"),
    ("sampling campaign", "sampling_campaign"),
    ("sampling platform", "sampling_platform"),
    ("sampling site", "sampling_site"),
    ("protocol label", "protocol_label"),
    ("environment (biome)", "environment_biome"),
    ("environment (feature)", "environment_feature"),
    ("environment (material)", "environment_material"),
    ("disease status", "disease"),
    ("geographic location (country and/or sea,region)", "country"),
    ("isolate", "isolate"),
    ("strain", "strain"),
];

/// The keys of version 2 that are attributes of samples in version 1.
pub(super) const ATTRIBUTES: [(&str, &str); 14] = [
    ("sample_title", "sample-name"),
    ("sample_alias", "sample-alias"),
    ("sample_description", "sample-desc"),
    ("lat", "latitude"),
    ("lon", "longitude"),
    ("country", "geo-loc-name"),
    ("collection_date", "collection-date"),
    ("environment_biome", "environment-biome"),
    ("environment_feature", "environment-feature"),
    ("environment_material", "environment-material"),
    ("host_tax_id", "host-tax-id"),
    ("host_scientific_name", "species"),
    ("sample_accession", "biosample"),
    ("secondary_sample_accession", "accession"),
];

/// Returns the entries of version 1 for metadata of version 2: those with a value that are no attributes. Texts that an attribute could not
/// take stay entries.
pub(super) fn entries(metadata: &Members, is_taken: impl Fn(&str) -> bool) -> Vec<Value> {
    let is_attribute = |key: &str| ATTRIBUTES.iter().any(|(known, _)| *known == key) && is_taken(key);
    let others = metadata.iter().filter(|(key, value)| !is_attribute(key) && !is_empty(value));
    others.map(|(key, value)| json!({"key": key, "value": text(value), "unit": null})).collect()
}

/// Returns the metadata of version 2 for entries of version 1: those whose keys it has. Of several with one key, the first counts.
pub(super) fn of_entries(entries: &[Value]) -> Members {
    let mut metadata = Members::new();
    for entry in entries {
        let part = |name: &str| entry.get(name).filter(|value| !is_empty(value));
        let key = part("key").and_then(Value::as_str);
        let known = KEYS.iter().find(|(known, _)| Some(*known) == key);
        let (Some((_, key)), Some(value)) = (known, part("value")) else { continue };
        let unit = part("unit").map(|unit| format!(" {}", text(unit))).unwrap_or_default();
        metadata.entry(*key).or_insert_with(|| format!("{}{unit}", text(value)).into());
    }
    metadata
}

/// Tells whether a value says nothing.
pub(super) fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// Returns a value as text: JSON, if it is none.
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
        assert_eq!(Value::from(of_entries(&entries)), json!({"depth": "5 m", "ph": "7.5"}));
    }

    #[test]
    fn metadata_that_are_no_attributes_become_entries() {
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
