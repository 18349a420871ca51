//! Answers of both versions of the interface.

mod accessions;
pub(super) mod citation;
pub(super) mod detail;
pub(super) mod family_counts;
pub(super) mod lookup;
pub(super) mod named;
pub(super) mod names;
pub(super) mod release;
pub(super) mod result_field;
pub(super) mod result_format;
pub(super) mod result_stream;
pub(super) mod results;
pub mod suggestions;
pub(super) mod values;
pub(super) mod wire;
pub(super) mod words;
