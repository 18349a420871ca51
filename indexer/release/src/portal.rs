//! A run over rows of the protein portal's export:
//! `mgyp,sequence,full_length,cluster_size,metadata`.
//!
//! One row per line, CSV with doubled quotes, with or without a header. Newer rows have the keys
//! `s`, `b`, `p` and `m` in their JSON metadata, older ones `a`, `b` and a five-field `p`; every
//! key is optional, and so are the metadata as a whole.

mod columns;
mod gather;
mod index;
mod metadata;
mod plan;
mod row;

pub use plan::PortalPlan;
