//! The catalogue service over the bundled real resources, by the real router.

mod clients;
mod model;
mod promises;
mod real;
mod replay;
