//! The promises of indexing a whole release, checked against its files as read by other code.

mod answers;
mod checksums;
mod cited;
mod damage;
pub(crate) mod documented;
mod faults;
mod flat_files;
mod incomplete;
mod killed;
mod layouts;
mod members;
mod midway;
mod missing;
mod nothing;
mod parquet_files;
pub(crate) mod plan;
mod previous;
mod refused;
mod rejects;
mod reports;
pub(crate) mod rows;
mod sums;
mod survey;
pub(crate) mod synthetic;
pub(crate) mod tiny;
pub(crate) mod truth;
mod writer;
