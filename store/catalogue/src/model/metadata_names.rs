//! The names of the metadata of samples in both versions of the interface.

use std::sync::LazyLock;

/// Keys of the metadata of version 1, and their names in version 2.
pub static METADATA_KEYS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| include_str!("metadata_keys.tsv").lines().filter_map(|row| row.split_once('\t')).collect());

/// The keys of version 2 that are attributes of samples in version 1.
pub const METADATA_ATTRIBUTES: [(&str, &str); 14] = [
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

/// Returns a key, and all others with the same meaning: the names of both versions.
pub fn same_keys(key: &str) -> Vec<&str> {
    let name = METADATA_KEYS.iter().find(|(known, name)| *known == key || *name == key).map(|(_, name)| *name);
    let of_version_1 = METADATA_KEYS.iter().filter(|(_, of)| Some(*of) == name).map(|(known, _)| *known);
    let mut keys = vec![key];
    for other in name.into_iter().chain(of_version_1) {
        if !keys.contains(&other) {
            keys.push(other);
        }
    }
    keys
}

/// Returns the attribute of version 1 for a key of metadata, given by its name in either version:
/// `collection-date` of `collection date`.
pub fn attribute_of_key(key: &str) -> Option<&'static str> {
    let name = METADATA_KEYS.iter().find(|(known, _)| *known == key).map_or(key, |(_, name)| name);
    METADATA_ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, attribute)| *attribute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_both_versions_are_equivalent() {
        assert_eq!(same_keys("pH"), ["pH", "ph"]);
        assert_eq!(same_keys("ph"), ["ph", "pH"]);
        assert_eq!(same_keys("depth"), ["depth", "geographic location (depth)"]);
        assert_eq!(same_keys("body site"), ["body site", "host_body_site", "host body site"]);
        assert_eq!(same_keys("soil type"), ["soil type"]);
        assert_eq!(
            ["collection date", "country", "soil type"].map(attribute_of_key),
            [Some("collection-date"), Some("geo-loc-name"), None]
        );
    }
}
