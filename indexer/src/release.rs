//! A release of MGnify proteins: its files, and how they become records.

mod assemble;
mod block;
mod budget;
mod clusters;
mod collect;
mod cursor;
mod fingerprint;
mod index;
mod join;
mod journal;
mod layout;
mod leader;
mod lineage_counts;
mod lineages;
mod naming;
mod outcome;
mod plan;
mod provision;
mod range;
mod reader;
mod reject_log;
mod rows;
mod runs;
mod seen;
mod slices;
mod sorting;
mod source;
mod strangers;
mod superseded;
mod table;
mod tally;
mod unfinished;
mod worker;

pub(crate) use layout::Layout;
pub use plan::ReleasePlan;
pub use table::Table;
