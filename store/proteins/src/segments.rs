//! Segments: the postings, columns and records of a range of proteins.

pub(super) mod biome_column;
pub(super) mod bucket;
pub(super) mod column;
pub(super) mod merge;
pub(super) mod new_postings;
pub(super) mod ordered_writer;
pub(super) mod packed_hit;
pub(super) mod schema;
pub(super) mod segment;
pub(super) mod segment_files;
pub(super) mod segment_series;
pub(super) mod segment_writer;
pub(super) mod stored;
pub(super) mod walk;
