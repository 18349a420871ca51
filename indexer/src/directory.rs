//! A load of a directory of users and domains: JSON lines become facts, which are sorted and stored.

mod gather;
mod key;
mod line;
mod plan;
mod write;

pub use plan::{DirectoryPlan, StoredDirectory};

#[cfg(test)]
mod tests;
