//! Directories of users and domains: JSON lines become facts, which are sorted and stored.

mod gather;
mod key;
mod line;
mod plan;
mod report;
mod write;

pub use plan::{DirectoryPlan, PublishedDirectory};
pub use report::DirectoryReport;

#[cfg(test)]
mod tests;
