#![doc = include_str!("../README.md")]

mod body;
mod builder;
mod contents;
mod document;
mod entry;
mod facets;
mod generation;
mod index;
mod missing;
pub mod model;
mod origin;
mod period;
mod resources;
mod revision;
mod selection;
mod shape;
mod stored;
mod units;
mod verify;

pub use body::{DOCUMENT_MEMBER, LinkStyle, ORIGIN_MEMBER, ResourceBody, ResourceBodyWriter};
pub use builder::CatalogueBuilder;
pub use contents::{CatalogueContents, Harvest, TypeContents};
pub use document::Document;
pub use entry::{CatalogueEntry, MetadataEntry};
pub use facets::{
    AttributeForm, FacetCounts, FacetField, FacetScope, FacetValues, Faceted, MetadataKey, MetadataUnit, NumberCounts,
    RangeCount,
};
pub use generation::{CatalogueGeneration, CatalogueVerification, CheckedDatabases, Place};
pub use index::key::{ascending_bits, parse_number};
pub use origin::ResourceOrigin;
pub use period::Period;
pub use revision::CatalogueRevision;
pub use selection::area::Area;
pub use selection::condition::{Bounds, Condition, Coordinate, Known, Order, RELEVANCE, ResourceSet, Selection};
pub use selection::effort::Effort;
pub use selection::listing::Listing;
pub use selection::pattern::{Pattern, PatternError};
pub use selection::search_text::num_searched_words;
pub use shape::Shape;
pub use stored::StoredResources;
pub use units::measured;

/// The row of a resource in its generation, 0-based.
pub type Ordinal = u32;

#[cfg(test)]
mod tests;
