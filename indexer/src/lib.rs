#![doc = include_str!("../README.md")]

mod error;
mod input;
mod lines;
mod pipeline;
mod portal;
mod portal_run;
mod preflight;
mod progress;
mod rejects;
mod report;
mod sort;
mod tables;

pub use error::{Error, Result};
pub use input::Input;
pub use portal::Notes;
pub use portal_run::{PortalPlan, Published};
pub use rejects::Reason;
pub use report::{FileReport, Report, StageReport};
