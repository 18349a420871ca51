//! The second stage: partial resources and documents are merged into rows, and one row of each
//! resource is kept.

mod deduplication;
mod documents;
mod gather;
mod known;
mod merged;
mod partials;
mod pipelines;
mod take_over;

pub(crate) use deduplication::{Deduplication, FoundBy, Superseded};
pub(crate) use documents::{Source, StoredDocuments, derived};
pub(crate) use gather::{Collector, Counts, Entry, Gathered, ROOT_BIOME};
pub(crate) use known::Known;
pub(crate) use merged::{Arrival, Merging};
pub(crate) use partials::Partials;
pub(crate) use pipelines::{NamedVersions, Versions};
