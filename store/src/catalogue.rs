//! Catalogue generations: JSON:API resources in the order of their pages, and what finds them.
//!
//! Every resource has an *ordinal*, its position in the generation: resources of one type stand together, in the default order of
//! their collection. A page of the default order is a range of ordinals; a filter is a set of them; any other order is a permutation.

mod answers;
mod body;
mod builder;
mod columns;
mod condition;
mod contents;
mod document;
mod entry;
mod evaluation;
mod generation;
mod index;
mod index_writer;
mod key;
mod listing;
pub mod model;
mod ordinal_set;
mod pattern;
mod permutation;
mod permutations;
mod places;
mod ranked_bits;
mod resources;
mod schema;
mod shape;
mod verify;

#[cfg(test)]
mod tests;

pub use body::{LinkStyle, ResourceBody, ResourceBodyWriter};
pub use builder::CatalogueBuilder;
pub use condition::{Bounds, Condition, Coordinate, Known, Order, Selection};
pub use contents::{CatalogueContents, TypeContents};
pub use entry::CatalogueEntry;
pub use generation::{CatalogueGeneration, CatalogueVerification, Place};
pub use listing::Listing;
pub use pattern::{Pattern, PatternError};
pub use shape::Shape;

/// The position of a resource in its generation, 0-based.
pub type Ordinal = u32;
