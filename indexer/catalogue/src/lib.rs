#![doc = include_str!("../README.md")]

mod body;
mod changes;
mod check;
mod deduplication;
mod degrees;
mod document;
mod documents;
mod entry;
mod gather;
mod harvest;
mod orders;
mod output;
mod own_accession;
mod own_link;
mod partials;
mod pieces;
mod pipelines;
mod plan;
mod present;
mod read;
mod removal;
mod resource;
mod revise;
mod stored;
mod table;
mod write;

pub use plan::{CatalogueChange, CataloguePlan};
pub use removal::Removal;
pub use stored::StoredCatalogue;
pub use table::TableType;

/// A related collection in which a resource was found: type and id of the parent, and the name of the relation.
type Relation = (String, String, String);
