//! The answers of the catalogue, one file for each.

pub(super) mod biome_counts;
pub(super) mod derived;
pub(super) mod facets;
pub(super) mod list;
pub(super) mod options;
pub(super) mod places;
pub(super) mod root;
pub(super) mod search;
pub(super) mod single;
pub(super) mod top_biomes;
