//! Committing writes together, and making them durable.

pub(super) mod batch;
pub(super) mod commit_mark;
pub(super) mod committer;
pub(super) mod durability;
pub(super) mod gathering;
pub(super) mod room;
pub(super) mod shared;
