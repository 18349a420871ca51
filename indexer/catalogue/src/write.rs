//! The last stage: a generation is built of all resources, or the present one is revised, whichever is less work.

pub(crate) mod build;
pub(crate) mod changes;
pub(crate) mod output;
mod revise;
