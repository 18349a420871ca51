#![doc = include_str!("../README.md")]

mod budget;
mod context;
mod join;
mod merge;
mod plan;
mod portal;
mod read;
mod report;
mod resume;
mod run;
mod survey;
mod table;
mod tables;
mod threads;

pub use plan::ReleasePlan;
pub use portal::PortalPlan;
pub use table::Table;
