//! Facets, and the keys of metadata, in the style of JSON:API.

use axum::response::Response;
use serde::Serialize;
use serde_json::json;

use super::list;
use crate::collections::Collection;
use crate::facets::answer::{FacetAnswer, KeyAnswer};
use crate::facets::{self, FACETS, METADATA_KEYS};
use crate::problem::CatalogueProblem;
use crate::render::document;
use crate::request::conditions;
use crate::request::context::Context;

pub(crate) fn answer(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    context.only_json()?;
    let mut wanted = conditions::query_conditions(collection, &context.query, &context.snapshot)?;
    wanted.extend(list::list_condition(collection));
    let found = facets::count(collection, wanted, &context.query, &context.snapshot)?;
    respond(context, FACETS, &found, |FacetAnswer { by, .. }| by)
}

/// Answers with the keys of the metadata of samples, in descending order of the number of samples.
pub(crate) fn metadata_keys(context: &Context) -> Result<Response, CatalogueProblem> {
    context.only_json()?;
    let keys = facets::keys(&context.query, &context.snapshot)?;
    respond(context, METADATA_KEYS, &keys, |KeyAnswer { key, .. }| key)
}

fn respond<T: Serialize>(
    context: &Context,
    resource_type: &str,
    found: &[T],
    id: impl Fn(&T) -> &str,
) -> Result<Response, CatalogueProblem> {
    let resource = |found: &T| json!({"type": resource_type, "id": id(found), "attributes": found});
    let data: Vec<_> = found.iter().map(resource).collect();
    Ok(document::response(context.format, serde_json::to_vec(&json!({"data": data}))?))
}
