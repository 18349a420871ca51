//! Synthetic releases, runs over them, and what these publish.

pub mod contents;
pub mod expected;
pub mod runs;
pub mod tables;
