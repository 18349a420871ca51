//! Turns rows into records. [`ordered`] opens each table in the order of its keys, and sorts it if
//! necessary. [`planner`] cuts the indexed proteins into key ranges, a [`reader`] for each table
//! cuts its rows into the slices of the ranges, and a [`joiner`] merges the slices of a range into
//! records. [`account`] counts the outcome of every row, and lists the bad ones.

pub(super) mod account;
mod clusters;
mod contig_names;
pub(super) mod cursor;
pub(super) mod joiner;
pub(super) mod ordered;
pub(super) mod planner;
pub(super) mod range;
pub(super) mod reader;
mod record;
pub(super) mod rejects;
pub(super) mod sort;
pub(super) mod tally;
