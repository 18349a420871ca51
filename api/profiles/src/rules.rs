//! Checks of requests before the store is asked.

pub(super) mod attribute_rules;
pub(super) mod body;
pub(super) mod precondition;
