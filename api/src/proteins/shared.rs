//! What both versions of the interface answer with.

pub(super) mod detail;
pub(crate) mod digests;
pub(super) mod results;
pub(super) mod wire;
