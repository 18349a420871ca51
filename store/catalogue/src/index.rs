//! The index of a generation: from terms to sets of ordinals.

pub(super) mod columns;
pub(super) mod document;
pub(super) mod full_text;
pub(super) mod key;
pub(super) mod key_range;
pub(super) mod merge;
pub(crate) mod reader;
pub(super) mod schema;
pub(super) mod segment;
pub(super) mod writer;
