//! Resources that name each other: links, related collections, included resources.

pub(super) mod include;
pub(super) mod linked;
pub(super) mod links;
pub(super) mod members;
pub(super) mod related;
