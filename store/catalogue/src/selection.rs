//! Selections: conditions, the sets that satisfy them, and the resulting listings.

pub(super) mod area;
pub(super) mod condition;
pub(super) mod effort;
pub(super) mod evaluation;
mod links;
pub(super) mod listing;
pub(super) mod of_type;
pub(super) mod ordinal_set;
pub(super) mod pattern;
pub(super) mod permutation;
pub(super) mod permutations;
pub(super) mod ranked_bits;
pub(super) mod relevance;
pub(super) mod search_text;
