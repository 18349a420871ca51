//! The promises of indexing a whole release, checked against what its files say when they are read by other code.

mod answers;
mod contents;
mod damage;
mod documented;
mod drafts;
mod faults;
mod flat_files;
mod incomplete;
mod killed;
mod layouts;
mod midway;
mod missing;
mod nothing;
mod parquet_files;
mod plan;
mod previous;
mod rejects;
mod reports;
mod rows;
mod runs;
mod sums;
mod synthetic;
mod tiny;
mod truth;
mod writer;
