//! A resource as it is added to the store.

use super::{ResourceBody, units};

/// An entry of the metadata of a sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetadataEntry {
    /// The measured property, such as `temperature`.
    pub key: String,
    /// The value as text.
    pub value: Option<String>,
    /// The unit of the value, such as `°C`; empty without one.
    pub unit: String,
}

impl MetadataEntry {
    /// Reads an entry as people mean it: `5 m` without a unit is 5 metres, and a unit without a
    /// value that is not a unit of measurement, such as `male`, is the value. White space around
    /// texts does not count, and an empty text is not a value.
    pub fn new(key: &str, value: Option<&str>, unit: &str) -> Self {
        let value = value.map(str::trim).filter(|value| !value.is_empty());
        let unit = units::plain(unit);
        let (value, unit) = match (value, &*unit) {
            (Some(value), "") => match units::measured(value) {
                Some((number, unit)) => (Some(number.to_owned()), unit),
                None => (Some(value.to_owned()), unit),
            },
            (None, text) if !text.is_empty() && !units::is_known(text) => (Some(unit), String::new()),
            _ => (value.map(str::to_owned), unit),
        };
        Self { key: key.trim().to_owned(), value, unit }
    }
}

/// A resource with all values by which it is found.
#[derive(Clone, Debug, Default)]
pub struct CatalogueEntry {
    /// The type, such as `samples`.
    pub resource_type: String,
    /// The identifiers, the main one first. If several resources of a type have an identifier, it
    /// finds the first of them.
    pub identifiers: Vec<String>,
    /// The stored text.
    pub body: ResourceBody,
    /// The lineages of the biomes of the resource itself. A biome is in its own lineage.
    pub lineages: Vec<String>,
    /// Attributes that are compared as text: name with underscores, such as `centre_name`, and
    /// value. Nulls are omitted. Dates that are not in the form of
    /// [`Period::canonical`](super::Period::canonical) are added in that form, too, with
    /// [`CANONICAL_DATE`](super::model::CANONICAL_DATE) before the name.
    pub attributes: Vec<(String, String)>,
    /// The metadata entries.
    pub metadata: Vec<MetadataEntry>,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// The resources that its relationships name: type and id.
    pub named: Vec<(String, String)>,
    /// The related collections in which it was found: type and id of the parent, name of the
    /// relation.
    pub found_in: Vec<(String, String, String)>,
    /// All texts for full-text search, including the identifiers.
    pub text: Vec<String>,
}

impl CatalogueEntry {
    /// Creates a resource that is found only by its id.
    pub fn new(resource_type: impl Into<String>, id: impl Into<String>, body: ResourceBody) -> Self {
        Self { resource_type: resource_type.into(), identifiers: vec![id.into()], body, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_split_into_value_and_unit() {
        for ((value, unit), expected) in [
            ((Some("5"), "m"), (Some("5"), "m")),
            ((Some("5 m"), ""), (Some("5"), "m")),
            ((Some("12.4 &deg;C"), ""), (Some("12.4"), "°C")),
            ((Some("0-5 cm"), ""), (Some("0-5 cm"), "")),
            ((Some("mother\r"), ""), (Some("mother"), "")),
            ((Some(" "), "m"), (None, "m")),
            ((None, "male"), (Some("male"), "")),
            ((None, ""), (None, "")),
        ] {
            let entry = MetadataEntry::new(" key", value, unit);
            assert_eq!((entry.value.as_deref(), &*entry.unit), expected, "{value:?} {unit:?}");
            assert_eq!(entry.key, "key");
        }
    }
}
