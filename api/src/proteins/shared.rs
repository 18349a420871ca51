//! Answers that both versions of the interface have in common.

pub(super) mod detail;
pub(super) mod lookup;
pub(super) mod results;
pub(super) mod wire;
