//! Writes answers: JSON, tables, streams.

pub(super) mod document;
pub(super) mod geo_json;
pub(super) mod headers;
pub(super) mod raw_object;
pub(super) mod resource;
pub(super) mod resources;
pub(super) mod stream;
pub(super) mod table;
pub(super) mod table_stream;
pub(super) mod wide;
