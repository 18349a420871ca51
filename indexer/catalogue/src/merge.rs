//! The second stage: rows take in what partial resources and documents tell of them, and of several of a resource one is kept.

pub(crate) mod arrivals;
pub(crate) mod deduplication;
pub(crate) mod documents;
pub(crate) mod gather;
pub(crate) mod merged;
pub(crate) mod partials;
pub(crate) mod pipelines;
mod take_over;
