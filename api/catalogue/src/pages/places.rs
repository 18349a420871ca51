//! The places of samples, for a map.

use api_http::error::Problem;
use api_http::json::json_answer;
use axum::response::Response;
use serde::Serialize;
use store_catalogue::Condition;
use store_catalogue::model::SAMPLES;

use crate::collections::lookup;
use crate::problem::CatalogueProblem;
use crate::request::conditions;
use crate::request::context::Context;

#[derive(Serialize)]
struct Answer<'a> {
    /// Longitudes, latitudes, numbers of samples, and which biome most of these have: its place among the biomes, or behind them.
    places: Vec<(f64, f64, u64, usize)>,
    biomes: &'a [&'a str],
    /// The samples without coordinates.
    unplaced: u64,
}

/// Answers with the places of the samples that satisfy the filters of the request, told apart by biomes: the names of some right below the root.
pub(crate) fn answer(context: &Context, biomes: &[&str]) -> Result<Response, CatalogueProblem> {
    let collection = lookup::of_type(SAMPLES);
    let conditions = conditions::of_query(&collection, &context.query, &context.snapshot)?;
    let all = context.snapshot.select(SAMPLES, conditions.clone(), Vec::new())?;
    let of_all = context.snapshot.places(&all)?;
    let num_placed: u64 = of_all.iter().map(|place| place.num_resources).sum();
    let mut places: Vec<_> =
        of_all.iter().map(|place| (place.longitude, place.latitude, place.num_resources, biomes.len())).collect();
    let mut most = vec![0; places.len()];
    for (biome, name) in biomes.iter().enumerate() {
        let lineage = Condition::Lineage(format!("root:{name}"));
        let within = conditions.iter().cloned().chain([lineage]).collect();
        let within = context.snapshot.select(SAMPLES, within, Vec::new())?;
        // They are some of all places, in the same order.
        let mut rows = places.iter_mut().zip(&mut most);
        for found in context.snapshot.places(&within)? {
            let is_it = |row: &(&mut (f64, f64, u64, usize), &mut u64)| {
                (row.0.0.to_bits(), row.0.1.to_bits()) == (found.longitude.to_bits(), found.latitude.to_bits())
            };
            if let Some((place, most)) = rows.find(is_it)
                && found.num_resources > *most
            {
                (place.3, *most) = (biome, found.num_resources);
            }
        }
    }
    let answer = Answer { places, biomes, unplaced: all.len() as u64 - num_placed };
    Ok(json_answer(serde_json::to_vec(&answer)?))
}

/// Tells whether any of the samples that satisfy the filters of the request has coordinates.
pub(crate) fn are_any(context: &Context) -> Result<bool, CatalogueProblem> {
    let conditions = conditions::of_query(&lookup::of_type(SAMPLES), &context.query, &context.snapshot)?;
    let listing = context.snapshot.select(SAMPLES, conditions, Vec::new())?;
    Ok(context.snapshot.has_places(&listing)?)
}

/// Tells whether there may be places, given why they were not found.
///
/// # Errors
///
/// * The server, not the request, is why.
pub(crate) fn may_be_any(problem: CatalogueProblem) -> Result<bool, Problem> {
    match problem {
        // Whoever asks for them is told to ask for less.
        CatalogueProblem::Common(Problem::TooMuchWork) => Ok(true),
        CatalogueProblem::Common(problem) => Err(problem),
        CatalogueProblem::Parameter { .. }
        | CatalogueProblem::Conditions(_)
        | CatalogueProblem::Request { .. }
        | CatalogueProblem::Body { .. }
        | CatalogueProblem::NotFound
        | CatalogueProblem::InvalidPage
        | CatalogueProblem::NotAcceptable => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_not_nowhere() {
        let lost = CatalogueProblem::from(Problem::fault(std::io::Error::other("a disk failed")));
        assert!(matches!(may_be_any(lost), Err(Problem::Fault(_))));
        assert!(matches!(may_be_any(Problem::Overloaded.into()), Err(Problem::Overloaded)));
        assert!(matches!(may_be_any(Problem::TooMuchWork.into()), Ok(true)));
        assert!(matches!(may_be_any(CatalogueProblem::Conditions(Vec::new())), Ok(false)));
    }
}
