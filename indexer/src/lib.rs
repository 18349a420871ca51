#![doc = include_str!("../README.md")]

mod acceptance;
mod catalogue;
mod directory;
mod error;
mod input;
mod lines;
mod md5_sum;
mod notes;
mod ordered;
mod peak_memory;
mod pipeline;
mod portal;
mod portal_run;
mod preflight;
mod progress;
mod rejects;
mod release;
mod replaced;
mod report;
mod sort;
mod synth;
mod tables;
mod words;

pub use acceptance::Acceptance;
pub use catalogue::{CataloguePlan, CatalogueReport, PublishedCatalogue};
pub use directory::{DirectoryPlan, DirectoryReport, PublishedDirectory};
pub use error::{Error, Result};
pub use input::Input;
pub use notes::Notes;
pub use portal_run::{PortalPlan, Published};
pub use rejects::Reason;
pub use release::{ReleasePlan, Table};
pub use replaced::{ReplacedReport, Replacements};
pub use report::{FileReport, LineageCounts, PassedOver, ReleaseReport, Report, StageReport};
pub use synth::{Fault, FaultReason, SynthFile, SynthLayout, SynthPlan, SynthReport};
pub use words::counted;
