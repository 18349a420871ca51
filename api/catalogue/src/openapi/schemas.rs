//! The schemas in the description. Documents are written as bytes, so that these stand for their form alone.
#![expect(dead_code, reason = "they are descriptions and never values")]

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::ToSchema;

use super::super::facets::answer::{FacetAnswer, KeyAnswer};
use super::super::render::document::{PageLinks, Pagination};

/// A page of a list.
#[derive(ToSchema)]
pub(super) struct List {
    /// The addresses of pages.
    links: PageLinks,
    /// The resources of the page.
    data: Vec<Resource>,
    /// What `include` asks for.
    included: Option<Vec<Resource>>,
    /// Where the page stands.
    meta: Meta,
}

/// A single resource.
#[derive(ToSchema)]
pub(super) struct Single {
    /// The resource.
    data: Resource,
    /// What `include` asks for.
    included: Option<Vec<Resource>>,
}

/// Resources without pages.
#[derive(ToSchema)]
pub(super) struct Choice {
    /// The resources.
    data: Vec<Resource>,
}

/// The list of collections.
#[derive(ToSchema)]
pub(super) struct Root {
    /// The addresses of the collections, by name.
    data: BTreeMap<String, String>,
}

/// A list counted by what it was asked to be counted by.
#[derive(ToSchema)]
pub(super) struct Facets {
    /// One for each of these.
    data: Vec<FacetResource>,
}

/// A facet.
#[derive(ToSchema)]
struct FacetResource {
    /// `facets`.
    #[schema(rename = "type")]
    kind: String,
    /// What it is counted by.
    id: String,
    /// The counts.
    attributes: FacetAnswer,
}

/// The keys of metadata.
#[derive(ToSchema)]
pub(super) struct MetadataKeys {
    /// The keys, those of most samples first.
    data: Vec<MetadataKeyResource>,
}

/// A key of metadata.
#[derive(ToSchema)]
struct MetadataKeyResource {
    /// `metadata-keys`.
    #[schema(rename = "type")]
    kind: String,
    /// The key.
    id: String,
    /// What samples have of it.
    attributes: KeyAnswer,
}

/// What is said of a list.
#[derive(ToSchema)]
struct Meta {
    /// Where the page stands.
    pagination: Pagination,
}

/// A resource object.
#[derive(ToSchema)]
struct Resource {
    /// The type, such as `samples`.
    #[schema(rename = "type")]
    kind: String,
    /// The id; that of a pipeline tool is its name, which its versions share.
    id: String,
    /// The attributes, with dashes in their names.
    #[schema(value_type = Object)]
    attributes: BTreeMap<String, Value>,
    /// What the resource is related to, by name.
    relationships: Option<BTreeMap<String, Relationship>>,
    /// The address of the resource itself.
    links: Option<SelfLink>,
}

/// A relationship.
#[derive(ToSchema)]
struct Relationship {
    /// The members: a list, one, or null.
    data: Option<Value>,
    /// The address of the related collection.
    links: Option<RelatedLink>,
}

/// The address of a resource.
#[derive(ToSchema)]
struct SelfLink {
    /// The address.
    #[schema(rename = "self")]
    this: String,
}

/// The address of a related collection.
#[derive(ToSchema)]
struct RelatedLink {
    /// The address.
    related: String,
}
