//! The operations on profiles, one file for each.

pub(super) mod change;
pub(super) mod creation;
pub(super) mod erasure;
pub(super) mod export;
pub(super) mod reading;
pub(super) mod search;
