#![doc = include_str!("../README.md")]

mod gather;
mod key;
mod line;
mod plan;
mod write;

pub use plan::{DirectoryPlan, StoredDirectory};

#[cfg(test)]
mod tests;
