#![doc = include_str!("../README.md")]

mod catalogue;
mod directory;
mod error;
mod input;
mod lines;
mod ordered;
mod portal;
mod release;
mod run;
mod sort;
mod synth;
mod tables;
mod values;
mod words;

pub use catalogue::{CataloguePlan, StoredCatalogue};
pub use directory::{DirectoryPlan, StoredDirectory};
pub use error::{Error, Result};
pub use input::Input;
pub use portal::PortalPlan;
pub use release::{ReleasePlan, Table};
pub use run::{
    Acceptance, Check, FileReport, LineageCounts, LoadReport, Notes, PassedOver, Published, Reason, ReleaseReport,
    ReplacedReport, Replacements, Report, StageReport, Survey,
};
pub use synth::{Fault, FaultReason, SynthFile, SynthLayout, SynthPlan, SynthReport};
pub use words::counted;
