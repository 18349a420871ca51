//! A resource as it is given to the store.

use super::ResourceBody;

/// An entry of the metadata of a sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetadataEntry {
    /// What it tells, such as `temperature`.
    pub key: String,
    /// The value as text.
    pub value: Option<String>,
    /// The unit of the value, such as `°C`; empty without one.
    pub unit: String,
}

impl MetadataEntry {
    /// Returns a unit as people write it: the real service has `&deg;C` for `°C`.
    pub fn plain_unit(unit: &str) -> String {
        let characters = [("&deg;", "°"), ("&micro;", "µ"), ("&permil;", "‰"), ("&amp;", "&")];
        characters.iter().fold(unit.trim().to_owned(), |unit, (name, character)| unit.replace(name, character))
    }
}

/// A resource with everything by which it is found.
#[derive(Clone, Debug, Default)]
pub struct CatalogueEntry {
    /// The type, such as `samples`.
    pub resource_type: String,
    /// The identifiers, the main one first. If several resources of a type have an identifier, it finds the first of them.
    pub identifiers: Vec<String>,
    /// The stored text.
    pub body: ResourceBody,
    /// The lineages of the biomes of the resource itself. A biome is in its own lineage.
    pub lineages: Vec<String>,
    /// Attributes that are compared as text: name with underscores, such as `centre_name`, and value. Null is left out.
    pub attributes: Vec<(String, String)>,
    /// The metadata entries.
    pub metadata: Vec<MetadataEntry>,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// The resources that its relationships name: type and id.
    pub named: Vec<(String, String)>,
    /// The related collections in which it was found: type and id of the parent, name of the relation.
    pub found_in: Vec<(String, String, String)>,
    /// All text for full-text search, including the identifiers.
    pub text: Vec<String>,
}

impl CatalogueEntry {
    /// Creates a resource that is found by its id only.
    pub fn new(resource_type: impl Into<String>, id: impl Into<String>, body: ResourceBody) -> Self {
        Self { resource_type: resource_type.into(), identifiers: vec![id.into()], body, ..Self::default() }
    }
}
