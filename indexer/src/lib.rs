#![doc = include_str!("../README.md")]

pub mod ahead;
mod error;
pub mod fasta;
pub mod input;
pub mod lines;
pub mod ordered;
pub mod run;
pub mod sort;
pub mod values;
mod words;

pub use error::{Error, Result};
pub use input::Input;
pub use run::{
    Acceptance, Change, Changes, Check, FileReport, LoadReport, Noted, NotedRows, Notes, PassedOver, Progress,
    Published, Reason, ReleaseReport, ReplacedReport, Replacements, Report, StageReport, Survey, Unit, index_checksums,
};
pub use sort::{SortKey, SortedEntries, Sorter};
pub use words::{counted, counted_type};
