//! Facets, in both versions: the resources of a list, counted by their values.

pub(super) mod answer;
mod fields;

use api_http::SourceError;
use api_http::limits::Permit;
use store_catalogue::Condition;
use store_catalogue::model::SAMPLES;

use self::answer::{FacetAnswer, KeyAnswer};
use super::collections::Collection;
use super::problem::CatalogueProblem;
use super::request::query::Query;
use super::snapshot::Snapshot;

/// The last segment of the paths of facets.
pub(super) const FACETS: &str = "facets";

/// The last segment of the path of the metadata keys of samples.
pub(super) const METADATA_KEYS: &str = "metadata-keys";

/// The parameters in addition to those that select resources.
pub(super) const PARAMETERS: [&str; 3] = ["by", LIMIT, "ranges"];

pub(super) const LIMIT: &str = "limit";

/// The most facets of a request.
pub(super) const BY_MAX: usize = 8;

/// The most values of a facet, and their default number.
pub(super) const LIMIT_MAX: usize = 1_000;
pub(super) const LIMIT_DEFAULT: usize = 25;

/// The most ranges of numbers of one unit, and their default number.
pub(super) const RANGES_MAX: usize = 100;
pub(super) const RANGES_DEFAULT: usize = 10;

/// The most keys of metadata in an answer, and their default number.
pub(super) const KEYS_MAX: usize = 10_000;
pub(super) const KEYS_DEFAULT: usize = 1_000;

/// The memory for counting by values.
const COUNT_BYTES: usize = 8 << 20;

/// The memory for reading values that are not kept: the most for different values, the memory of
/// different values per resource, and that of all values per resource.
const VALUES_BYTES: usize = 64 << 20;
const VALUES_BYTES_OF_RESOURCE: usize = 256;
const RESOURCE_BYTES: usize = 16;

/// Counts the resources of a collection that meet the conditions.
pub(super) fn count(
    collection: &Collection,
    conditions: Vec<Condition>,
    query: &Query,
    snapshot: &Snapshot,
) -> Result<Vec<FacetAnswer>, CatalogueProblem> {
    let limit = number(query, LIMIT, LIMIT_DEFAULT, LIMIT_MAX)?;
    let num_ranges = number(query, "ranges", RANGES_DEFAULT, RANGES_MAX)?;
    let fields = fields::read(collection, query, snapshot)?;
    let num_resources =
        snapshot.contents().types.get(&*collection.resource_type).map_or(0, |contents| contents.num_resources);
    let num_resources = num_resources as usize;
    let are_kept = fields.iter().all(|(_, field)| snapshot.has_facet_values(&collection.resource_type, field));
    let values_bytes = VALUES_BYTES.min(VALUES_BYTES_OF_RESOURCE * num_resources) + RESOURCE_BYTES * num_resources;
    if !Permit::take_memory(COUNT_BYTES + if are_kept { 0 } else { values_bytes }) {
        return Err(SourceError::Overloaded.into());
    }
    let listing = snapshot.select(&collection.resource_type, conditions, Vec::new())?;
    let mut answers = Vec::with_capacity(fields.len());
    for (by, field) in fields {
        let Some(counts) = snapshot.facet(&collection.resource_type, &listing, &field, limit, num_ranges)? else {
            let detail = format!("{by} has too many different values to count by.");
            return Err(CatalogueProblem::refused("by", detail));
        };
        answers.push(FacetAnswer::new(by, counts));
    }
    Ok(answers)
}

/// Returns the keys of the metadata of samples, in descending order of the number of samples.
pub(super) fn keys(query: &Query, snapshot: &Snapshot) -> Result<Vec<KeyAnswer>, CatalogueProblem> {
    let limit = number(query, LIMIT, KEYS_DEFAULT, KEYS_MAX)?;
    let keys = snapshot.summarize_metadata(SAMPLES, &snapshot.effort)?;
    Ok(keys.into_iter().take(limit).map(KeyAnswer::from).collect())
}

/// Reads a number of at least 1.
fn number(query: &Query, name: &'static str, default: usize, max: usize) -> Result<usize, CatalogueProblem> {
    let Some(text) = query.filled(name) else { return Ok(default) };
    let number = text.trim().parse().ok().filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| CatalogueProblem::refused(name, format!("Enter a number from 1 to {max}.")))
}
