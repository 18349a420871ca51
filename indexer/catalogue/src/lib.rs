#![doc = include_str!("../README.md")]

mod merge;
mod order;
mod plan;
mod read;
mod shape;
mod write;

pub use plan::{CatalogueChange, CataloguePlan, Removal, StoredCatalogue};
pub use read::table::TableType;
