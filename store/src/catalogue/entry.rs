//! What the store is given of a resource.

use super::ResourceBody;

/// A resource, with all by which it is found.
#[derive(Clone, Debug)]
pub struct CatalogueEntry {
    /// The type, such as `samples`.
    pub resource_type: String,
    /// The identifiers that lead to the resource, the main one first. Of two resources of a type with the same identifier, the first
    /// in order has it.
    pub identifiers: Vec<String>,
    /// The stored text.
    pub body: ResourceBody,
    /// The lineages of the biomes that the resource is in itself; a biome is in its own lineage.
    pub lineages: Vec<String>,
    /// Attributes that are compared as text: name with underscores, such as `centre_name`, and value. Null values are left out.
    pub attributes: Vec<(String, String)>,
    /// The metadata: key and value.
    pub metadata: Vec<(String, Option<String>)>,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// The resources that its relationships name: type and id.
    pub named: Vec<(String, String)>,
    /// The related collections in which it was found: type and id of the parent, and the name of the relation.
    pub found_in: Vec<(String, String, String)>,
    /// All text that a full-text search looks at, the identifiers among it.
    pub text: Vec<String>,
}

impl CatalogueEntry {
    /// Makes a resource that is found by its identifier alone.
    pub fn new(resource_type: impl Into<String>, id: impl Into<String>, body: ResourceBody) -> Self {
        Self {
            resource_type: resource_type.into(),
            identifiers: vec![id.into()],
            body,
            lineages: Vec::new(),
            attributes: Vec::new(),
            metadata: Vec::new(),
            latitude: None,
            longitude: None,
            named: Vec::new(),
            found_in: Vec::new(),
            text: Vec::new(),
        }
    }
}
