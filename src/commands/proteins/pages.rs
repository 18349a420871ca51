//! The pages of a search, and the same search in the service.

use std::sync::Arc;

use store_proteins::{ProteinChoice, ProteinGeneration, ProteinPages, ProteinQuery};

use super::SearchArguments;
use crate::failure::Failure;

/// Returns the parameters for the same search in the service.
pub(super) fn parameters(arguments: &SearchArguments, query: &str) -> String {
    let SearchArguments { after, order, random, seed, limit, .. } = arguments;
    let mut text = form_urlencoded::Serializer::new(String::new());
    text.append_pair("q", query);
    text.extend_pairs(after.map(|after| ("after", after.to_string())));
    text.extend_pairs(order.map(|order| ("order", order.to_string())));
    match random {
        Some(random) => drop(text.append_pair("random", &random.to_string()).append_pair("seed", &seed.to_string())),
        None if *limit < u64::MAX => drop(text.append_pair("limit", &limit.to_string())),
        None => {}
    }
    text.finish()
}

/// Returns the pages of the wanted matches. The time for a random sample is not limited.
pub(super) fn pages(
    arguments: &SearchArguments,
    query: ProteinQuery,
    proteins: Arc<ProteinGeneration>,
) -> Result<ProteinPages, Failure> {
    let SearchArguments { random, seed, order, limit, after, .. } = arguments;
    let (choice, num_wanted) = match (random, order) {
        (Some(num_wanted), _) => {
            (ProteinChoice::Random { num_wanted: saturated(*num_wanted), seed: *seed }, usize::MAX)
        }
        (None, Some(order)) => (ProteinChoice::First(*order), saturated(*limit)),
        (None, None) => return Ok(ProteinPages::new(proteins, query, *after, Some(*limit))),
    };
    let mut hits = proteins.choose(&query, choice, u64::MAX)?.unwrap_or_default();
    hits.truncate(num_wanted);
    Ok(ProteinPages::of_hits(proteins, hits))
}

pub(super) fn saturated(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
