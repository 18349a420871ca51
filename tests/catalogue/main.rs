//! The catalogue service over the bundled real resources, by the real router.

mod clients;
#[path = "../common/mod.rs"]
mod common;
mod model;
mod promises;
mod real;
mod replay;
