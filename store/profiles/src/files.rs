//! The files of a store.

pub(super) mod creation;
pub(super) mod folder;
pub(super) mod opening;
pub(super) mod verify;
