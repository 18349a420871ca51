//! The places of samples, for a map.

use axum::response::Response;
use store::model::SAMPLES;

use crate::catalogue::collections::lookup;
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::request::conditions;
use crate::catalogue::request::context::Context;
use crate::http::json::json_answer;

/// Answers with the places of the samples that satisfy the filters of the request: a list of longitudes, latitudes and numbers of samples, ascending
/// by longitude, then latitude.
pub(crate) fn answer(context: &Context) -> Result<Response, CatalogueProblem> {
    let collection = lookup::of_type(SAMPLES);
    let conditions = conditions::of_query(&collection, &context.query, &context.snapshot)?;
    let listing = context.snapshot.select(SAMPLES, conditions, Vec::new())?;
    let places = context.snapshot.places(&listing)?;
    let places: Vec<_> = places.iter().map(|place| (place.longitude, place.latitude, place.num_resources)).collect();
    Ok(json_answer(serde_json::to_vec(&places)?))
}
