//! A release of MGnify proteins: its files, and how they become an index. Four folders answer a question each:
//!
//! * [`read`]: how do files become rows? The layout of the folder says which files are which [`table`]; sources decode Parquet, TSV or
//!   FASTA into rows of one form: a key, an origin (file and row), and a payload.
//! * [`join`]: how do rows become records? Tables that are not in order are sorted. The proteins that are indexed are cut into key
//!   ranges, and each table into the slices of these ranges. A worker joins the slices of a range by accession. A row ends up in a
//!   record, among the rows of unindexed proteins, or in the rejects file, and is counted in either case.
//! * [`merge`]: how do records become an index? Each range becomes a segment, and neighbouring segments are merged.
//! * [`resume`]: what was done before? Finished ranges and sorted tables stand in the journal, so that a killed run can be continued.
//!
//! A [`plan`] says what to read; [`run`] takes it from the first row to the published generation and its [`report`](mod@report). All
//! parts of a run share a [`context`].

mod budget;
mod context;
mod join;
mod merge;
mod plan;
mod read;
mod report;
mod resume;
mod run;
mod survey;
mod table;
mod threads;

pub use plan::ReleasePlan;
pub use table::Table;
