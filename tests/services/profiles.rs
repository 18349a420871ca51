//! The promises of the service of profiles, over the real router, a real store, a real directory
//! and real tokens.

mod answer;
mod attacks;
mod audit;
mod concurrency;
mod conversations;
mod erasure;
pub(crate) mod harness;
mod live_directory;
mod matrix;
mod model;
mod read_only;
mod rotation;
mod rows;
mod signing;
mod trap;
mod url_schemas;
mod validation;
