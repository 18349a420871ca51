//! The collections and their filters, orders and includes. A type of version 1 needs a record here
//! and one in the model of the store.

mod analyses;
pub(super) mod collection;
mod common_filters;
pub(super) mod filter;
mod genomes;
pub mod lookup;
mod samples;

pub use collection::Collection;
