//! The promises of indexing a whole release, checked against what its files say when they are read by other code.

mod answers;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common_generation/mod.rs"]
mod common_generation;
mod contents;
mod damage;
mod documented;
mod drafts;
mod faults;
mod flat_files;
mod layouts;
mod midway;
mod missing;
mod parquet_files;
mod previous;
mod rejects;
mod release;
mod reports;
mod rows;
mod synthetic;
mod tiny;
mod truth;
mod writer;
