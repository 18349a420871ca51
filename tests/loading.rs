//! Inputs and their generations: those that runs publish, those that they refuse, and those that
//! remain after an interrupted run.

mod catalogue;
mod directory;
mod documents;
mod load;
mod own;
pub(crate) mod release;
mod rows;
