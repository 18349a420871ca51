//! Lists, paged or streamed.

use std::sync::Arc;

use api_http::SourceError;
use api_http::error::shown;
use api_http::json::json_answer;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use store_catalogue::model::{BIOME_REPEATS, BIOMES};
use store_catalogue::{Condition, Listing, Ordinal};

use super::kinds::PAGE_SIZE;
use super::list_request::{List, ListRequest, Start};
use super::refusal::{Refusal, invalid};
use super::values::Reader;
use super::{Context, documents, export};
use crate::render::raw_object::RawObject;
use crate::request::negotiation::Format;

/// The media type of answers, in the spelling of the real service.
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

/// Answers with the items of a list that also meet `condition`.
pub(super) fn answer(context: &Context, list: List, condition: Option<Condition>) -> Result<Response, Refusal> {
    let snapshot = &context.snapshot;
    let mut request = list.read(&context.query, context.is_strict, snapshot)?;
    request.conditions.extend(condition);
    let ListRequest { conditions, orders, start, size, fields, format, is_wide } = request;
    let of_repeats = (list.kind.resource_type == BIOMES).then(|| conditions.clone());
    let mut listing = snapshot.select(list.kind.resource_type, conditions, orders)?;
    if let Some(conditions) = of_repeats {
        listing = with_repeats(context, listing, conditions)?;
    }
    let first = match &start {
        Start::Page(_) if format != Format::Json => 0,
        Start::Page(number) => (number - 1).saturating_mul(size),
        Start::After(id) => position_after(context, list, &listing, id)?,
    };
    if format != Format::Json {
        return export::respond(context, list, listing, first, fields, format, is_wide);
    }
    let ordinals = listing.ordinals(first..first.saturating_add(size));
    snapshot.take_memory(ordinals.len())?;
    let mut json = head(listing.len());
    documents::write_items(snapshot, list, &fields, &ordinals, &mut json)?;
    json.push(b']');
    if let Start::After(_) = start {
        json.extend_from_slice(b",\"next\":");
        let next = ordinals.last().filter(|_| first + ordinals.len() < listing.len());
        let next = next.map(|&ordinal| snapshot.resource(ordinal)).transpose()?;
        serde_json::to_writer(&mut json, &next.and_then(|body| body.key()).map(|(_, id)| id))?;
    }
    json.push(b'}');
    Ok(respond(json))
}

/// Answers with a page of items that are not resources. Each item is JSON.
pub(super) fn answer_parts(context: &Context, parts: &[impl AsRef<str>]) -> Result<Response, Refusal> {
    let mut reader = Reader::new(&context.query);
    let (number, size) = reader.page(PAGE_SIZE);
    reader.finish()?;
    let page = parts.iter().skip((number.unwrap_or(1) - 1).saturating_mul(size)).take(size);
    let items: Vec<&str> = page.map(AsRef::as_ref).collect();
    let mut json = head(parts.len());
    json.extend_from_slice(items.join(",").as_bytes());
    json.extend_from_slice(b"]}");
    Ok(respond(json))
}

fn head(count: usize) -> Vec<u8> {
    format!("{{\"count\":{count},\"items\":[").into_bytes()
}

pub(super) fn respond(json: Vec<u8>) -> Response {
    let mut response = json_answer(json);
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

/// Returns the position after an item.
fn position_after(context: &Context, list: List, listing: &Listing, id: &str) -> Result<usize, Refusal> {
    if id.is_empty() {
        return Ok(0);
    }
    let types = [list.kind.resource_type, BIOME_REPEATS];
    let types = if list.kind.resource_type == BIOMES { &types } else { &types[..1] };
    let unknown =
        || Refusal::Invalid(vec![invalid("query", "after", &format!("{:?} is not in this list.", shown(id)))]);
    context.snapshot.position_after(types, listing, id)?.ok_or_else(unknown)
}

/// Adds the biomes that a harvest repeats under the lineage of another biome, at their positions.
fn with_repeats(
    context: &Context,
    biomes: Arc<Listing>,
    conditions: Vec<Condition>,
) -> Result<Arc<Listing>, SourceError> {
    let snapshot = &context.snapshot;
    if !snapshot.contents().types.contains_key(BIOME_REPEATS) {
        return Ok(biomes);
    }
    let repeats = snapshot.select(BIOME_REPEATS, conditions, Vec::new())?;
    let ordinals: Vec<Ordinal> =
        [&biomes, &repeats].into_iter().flat_map(|listing| listing.ordinals(0..listing.len())).collect();
    let mut placed = Vec::with_capacity(ordinals.len());
    for (body, ordinal) in snapshot.resources(&ordinals)?.iter().zip(ordinals) {
        placed.push((rank(documents::document(body)?.json())?, ordinal));
    }
    // Biomes of rows of version 1 have no position in the list of a harvest. They stay after the
    // others.
    placed.sort_by_key(|(rank, _)| *rank);
    Ok(Arc::new(Listing::in_this_order(placed.into_iter().map(|(_, ordinal)| ordinal).collect())))
}

/// Returns the position of a biome in the list of its harvest.
fn rank(document: &[u8]) -> Result<u64, SourceError> {
    let document = RawObject::parse(document).map_err(Box::from)?;
    let rank = document.get("@rank").and_then(|rank| rank.get().parse().ok());
    Ok(rank.unwrap_or(u64::MAX))
}
