//! Answers that both versions of the interface have in common.

pub(super) mod detail;
pub(crate) mod digests;
pub(super) mod result_stream;
pub(super) mod results;
pub(super) mod wire;
