//! The third stage: a resource becomes its stored text, its index entry, and its keys in the orders
//! of its type.

mod body;
mod documents;
mod entry;
mod keys;
mod prepare;

pub(crate) use documents::document_of;
pub(crate) use entry::entry;
pub(crate) use keys::{FieldKey, default_key, field_keys, field_names};
pub(crate) use prepare::{Prepared, Sorted, prepare, prepared};
