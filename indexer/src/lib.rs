#![doc = include_str!("../README.md")]

mod catalogue;
mod directory;
mod error;
mod fasta;
pub mod harvest;
mod input;
mod lines;
mod ordered;
mod own;
mod portal;
mod release;
mod run;
mod sort;
mod tables;
mod values;
mod words;

pub use catalogue::{CatalogueChange, CataloguePlan, Removal, StoredCatalogue, TableType};
pub use directory::{DirectoryPlan, StoredDirectory};
pub use error::{Error, Result};
pub use input::Input;
pub use own::{OwnAddPlan, OwnRemovePlan};
pub use portal::PortalPlan;
pub use release::{ReleasePlan, Table};
pub use run::{
    Acceptance, Change, Changes, Check, FileReport, LineageCounts, LoadReport, Noted, NotedRows, Notes, PassedOver,
    Progress, Published, Reason, ReleaseReport, ReplacedReport, Replacements, Report, StageReport, Survey, Unit,
    index_checksums,
};
pub use sort::{SortKey, SortedEntries, Sorter};
pub use words::{counted, counted_type, grouped};
