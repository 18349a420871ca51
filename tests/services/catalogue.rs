//! The catalogue service over the bundled real resources, by the real router.

mod asking;
mod careful;
mod clients;
mod counting;
mod further;
mod harvested;
mod model;
mod promises;
mod questions;
pub(crate) mod real;
mod replay;
mod streams;
mod wide;
