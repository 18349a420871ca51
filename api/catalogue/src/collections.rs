//! The collections, and what can be asked of each. A full type is a record here, and one in the model of the store.

mod analyses;
pub(super) mod collection;
mod common_filters;
pub(super) mod filter;
mod genomes;
pub mod lookup;
mod samples;

pub use collection::Collection;
