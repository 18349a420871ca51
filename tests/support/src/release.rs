//! Synthetic releases, runs over them, and their publications.

pub mod contents;
pub mod expected;
pub mod runs;
pub mod tables;
