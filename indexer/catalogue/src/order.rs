//! The fourth stage: what is kept is prepared in the default order, and sorted by the other orders of its type.

pub(crate) mod fields;
pub(crate) mod kept;
