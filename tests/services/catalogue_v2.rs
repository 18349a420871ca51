//! Version 2 of MGnify's API over the bundled harvest, by the real router.

mod additions;
pub(crate) mod asking;
mod exceptions;
mod model;
mod odd;
mod replay;
