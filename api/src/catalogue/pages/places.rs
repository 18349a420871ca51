//! The places of samples, for a map.

use std::collections::BTreeMap;

use axum::response::Response;
use serde::Serialize;
use store::model::SAMPLES;
use store::{Condition, Place};

use crate::catalogue::collections::lookup;
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::request::conditions;
use crate::catalogue::request::context::Context;
use crate::http::json::json_answer;

#[derive(Serialize)]
struct Answer<'a> {
    /// Longitudes, latitudes, numbers of samples, and which biome most of these have: its place among the biomes, or behind them.
    places: Vec<(f64, f64, u64, usize)>,
    biomes: &'a [&'a str],
    /// The samples without coordinates.
    unplaced: u64,
}

/// The number of samples at a place by biome.
type Numbers = BTreeMap<(u64, u64), BTreeMap<usize, u64>>;

/// Answers with the places of the samples that satisfy the filters of the request, told apart by biomes: the names of some right below the root.
pub(crate) fn answer(context: &Context, biomes: &[&str]) -> Result<Response, CatalogueProblem> {
    let collection = lookup::of_type(SAMPLES);
    let conditions = conditions::of_query(&collection, &context.query, &context.snapshot)?;
    let all = context.snapshot.select(SAMPLES, conditions.clone(), Vec::new())?;
    let mut numbers = Numbers::new();
    for (number, name) in biomes.iter().enumerate() {
        let lineage = Condition::Lineage(format!("root:{name}"));
        let within = conditions.iter().cloned().chain([lineage]).collect();
        let within = context.snapshot.select(SAMPLES, within, Vec::new())?;
        for place in context.snapshot.places(&within)? {
            numbers.entry(key(&place)).or_default().insert(number, place.num_resources);
        }
    }
    let places = context.snapshot.places(&all)?;
    let num_placed: u64 = places.iter().map(|place| place.num_resources).sum();
    let most = |place: &Place| {
        let known =
            numbers.get(&key(place)).into_iter().flatten().max_by_key(|&(number, count)| (count, usize::MAX - number));
        known.map_or(biomes.len(), |(number, _)| *number)
    };
    let places = places.iter().map(|place| (place.longitude, place.latitude, place.num_resources, most(place)));
    let answer = Answer { places: places.collect(), biomes, unplaced: all.len() as u64 - num_placed };
    Ok(json_answer(serde_json::to_vec(&answer)?))
}

/// Tells whether any of the samples that satisfy the filters of the request has coordinates.
pub(crate) fn are_any(context: &Context) -> Result<bool, CatalogueProblem> {
    let conditions = conditions::of_query(&lookup::of_type(SAMPLES), &context.query, &context.snapshot)?;
    let listing = context.snapshot.select(SAMPLES, conditions, Vec::new())?;
    Ok(!context.snapshot.places(&listing)?.is_empty())
}

fn key(place: &Place) -> (u64, u64) {
    (place.longitude.to_bits(), place.latitude.to_bits())
}
