//! The last stage: a generation is built from all resources, or the present one is revised,
//! whichever is less work.

mod build;
mod changes;
mod output;
mod revise;

pub(crate) use changes::{Changes, num_changes_max};
pub(crate) use output::{Output, Written};
