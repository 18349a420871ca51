//! Facets, and the keys of metadata: additions of mgdex.

use axum::response::Response;
use serde::Serialize;
use serde_json::json;

use super::Context;
use super::kinds::Kind;
use super::list_request::List;
use super::lists::respond;
use super::refusal::Refusal;
use super::values::Reader;
use crate::facets::{self, LIMIT, PARAMETERS};
use crate::request::parameters::STRICT;

/// Answers with the items of a list, counted by their values. Parameters without effect are always
/// refused.
pub(super) fn answer(context: &Context, kind: &'static Kind) -> Result<Response, Refusal> {
    let list = List { kind, is_whole: false, is_selected: true };
    let conditions = list.read_for_counting(&context.query, &context.snapshot, &PARAMETERS)?;
    let found = facets::count(&list.collection(), conditions, &context.query, &context.snapshot)?;
    respond_with(&found)
}

/// Answers with the keys of the metadata of samples, in descending order of the number of samples.
pub(super) fn metadata_keys(context: &Context) -> Result<Response, Refusal> {
    let mut reader = Reader::new(&context.query);
    reader.refuse_others(|name| [LIMIT, STRICT].contains(&name), &[LIMIT, STRICT]);
    reader.finish()?;
    respond_with(&facets::keys(&context.query, &context.snapshot)?)
}

fn respond_with(items: &[impl Serialize]) -> Result<Response, Refusal> {
    Ok(respond(serde_json::to_vec(&json!({"count": items.len(), "items": items}))?))
}
