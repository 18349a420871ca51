//! Catalogue generations: JSON:API resources in the order of their pages, and the index that finds them.
//!
//! Every resource has an *ordinal*, its row in the generation. Resources of one type are together, in the default order of their
//! collection: a page of the default order is a range of ordinals, a filter is a set of them, and any other order is a permutation.

mod body;
mod builder;
mod columns;
mod condition;
mod contents;
mod document;
mod entry;
mod evaluation;
mod full_text;
mod generation;
mod index;
mod index_writer;
mod kept;
mod key;
mod listing;
mod missing;
pub mod model;
mod ordinal_set;
mod pattern;
mod permutation;
mod permutations;
mod ranked_bits;
mod resources;
mod schema;
mod search_text;
mod shape;
mod verify;

pub use body::{LinkStyle, ResourceBody, ResourceBodyWriter};
pub use builder::CatalogueBuilder;
pub use condition::{Bounds, Condition, Coordinate, Known, Order, RELEVANCE, ResourceSet, Selection};
pub use contents::{CatalogueContents, TypeContents};
pub use entry::CatalogueEntry;
pub use generation::{CatalogueGeneration, CatalogueVerification, CheckedDatabases, Place};
pub use listing::Listing;
pub use pattern::{Pattern, PatternError};
pub use search_text::num_searched_words;
pub use shape::Shape;

/// The row of a resource in its generation, 0-based.
pub type Ordinal = u32;

#[cfg(test)]
mod tests;
