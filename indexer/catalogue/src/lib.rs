#![doc = include_str!("../README.md")]

mod merge;
mod order;
mod plan;
mod read;
mod shape;
mod write;

pub use plan::{CatalogueChange, CataloguePlan, StoredCatalogue};
pub use read::{Removal, TableType};
