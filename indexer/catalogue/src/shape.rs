//! The third stage: a resource becomes what is stored of it, what it is found by, and its keys in the orders of its type.

mod body;
pub(crate) mod documents;
pub(crate) mod entry;
pub(crate) mod keys;
pub(crate) mod prepare;
