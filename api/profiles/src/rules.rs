//! Checks of requests before they reach the store.

pub(super) mod attribute_rules;
pub(super) mod body;
pub(super) mod precondition;
