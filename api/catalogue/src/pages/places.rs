//! The places of samples, for a map.

use api_http::error::Problem;
use serde::Serialize;
use store_catalogue::Condition;
use store_catalogue::model::SAMPLES;

use crate::collections::lookup;
use crate::problem::CatalogueProblem;
use crate::request::conditions;
use crate::request::context::Context;

/// The places of samples.
#[derive(Debug, Serialize)]
pub struct Places<'a> {
    /// Longitudes, latitudes, numbers of samples, and the position in `biomes` of the biome that
    /// most of them have, or the number of biomes if they have none of these.
    pub places: Vec<(f64, f64, u64, usize)>,
    /// Names of biomes directly below the root.
    pub biomes: &'a [&'a str],
    /// The number of samples without coordinates.
    pub unplaced: u64,
}

/// Returns the places of the samples that meet the filters of the request, and their biomes.
/// `biomes` are names of biomes directly below the root.
pub(crate) fn of_samples<'a>(context: &Context, biomes: &'a [&'a str]) -> Result<Places<'a>, CatalogueProblem> {
    let collection = lookup::of_type(SAMPLES);
    let conditions = conditions::query_conditions(&collection, &context.query, &context.snapshot)?;
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
        // These are some of all places, in the same order.
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
    Ok(Places { places, biomes, unplaced: all.len() as u64 - num_placed })
}

/// Returns whether any sample that meets the filters of the request has coordinates.
pub(crate) fn any_exists(context: &Context) -> Result<bool, CatalogueProblem> {
    let conditions = conditions::query_conditions(&lookup::of_type(SAMPLES), &context.query, &context.snapshot)?;
    let listing = context.snapshot.select(SAMPLES, conditions, Vec::new())?;
    Ok(context.snapshot.has_places(&listing)?)
}

/// Returns whether there may be places, given the problem of looking for them.
///
/// # Errors
///
/// * The problem is one of the server, not of the request.
pub(crate) fn may_exist(problem: CatalogueProblem) -> Result<bool, Problem> {
    match problem {
        // A request for the places reports this problem.
        CatalogueProblem::Common(Problem::TooMuchWork) => Ok(true),
        CatalogueProblem::Common(problem) => Err(problem),
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_problems_of_requests_mean_no_places() {
        let lost = CatalogueProblem::from(Problem::fault(std::io::Error::other("a disk failed")));
        assert!(matches!(may_exist(lost), Err(Problem::Fault(_))));
        assert!(matches!(may_exist(Problem::Overloaded.into()), Err(Problem::Overloaded)));
        assert!(matches!(may_exist(Problem::TooMuchWork.into()), Ok(true)));
        assert!(matches!(may_exist(CatalogueProblem::Conditions(Vec::new())), Ok(false)));
    }
}
