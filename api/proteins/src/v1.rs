//! The first version of the interface: search by one biome or family.

pub(super) mod description;
pub(super) mod parameters;
