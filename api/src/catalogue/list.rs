//! Lists of resources of one type.

use std::sync::Arc;

use axum::response::Response;
use store::model::BIOMES;
use store::{Condition, Listing, Selection};

use super::collection::Collection;
use super::context::Context;
use super::document;
use super::fields::SparseFields;
use super::filters;
use super::include;
use super::negotiation::Format;
use super::ordering;
use super::paging::{PAGE_SIZE_DEFAULT, Page};
use super::problem::CatalogueProblem;
use super::source;
use super::stream;
use crate::blocking::blocking;

/// The identifier of the root of all biomes.
const ROOT_BIOME: &str = "root";

/// The parameters that the biomes take, filters and sparse fields of a type apart.
const BIOMES_TAKE: [&str; 9] =
    ["page", "page_size", "format", "ordering", "search", "include", "sort", "fields", "safe"];

/// Answers with a collection.
///
/// # Errors
///
/// * A parameter is refused, there is no such page, or the engine fails.
pub(super) async fn answer(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    // They alone refuse parameters that they do not know, and leave their root out.
    if collection.resource_type != BIOMES {
        return of_members(context, collection, Vec::new()).await;
    }
    let is_taken = |name: &str| {
        let is_filter = collection.filters.iter().any(|filter| filter.name == name);
        BIOMES_TAKE.contains(&name) || name.starts_with("fields[") || is_filter
    };
    if let Some((unknown, _)) = context.query.pairs().find(|(name, _)| !is_taken(name)) {
        let detail = format!("invalid query parameter: {unknown}");
        return Err(CatalogueProblem::Request { detail, code: "invalid" });
    }
    let is_root = Condition::Identified(vec![ROOT_BIOME.to_owned()]);
    of_members(context, collection, vec![Condition::Not(Box::new(is_root))]).await
}

/// Answers with the first resources of a collection in its default order, as many as a page has by default.
///
/// # Errors
///
/// * There is no such page, or the engine fails.
pub(super) async fn recent(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    let resource_type = collection.resource_type.to_string();
    let all = Selection { resource_type, conditions: Vec::new(), orders: Vec::new() };
    let first = context.snapshot.select(all).await?.first(PAGE_SIZE_DEFAULT);
    of_listing(context, collection, Arc::new(first)).await
}

/// Answers with the resources of a collection that satisfy some conditions and what the request asks for besides.
///
/// # Errors
///
/// * A parameter is refused, there is no such page, or the engine fails.
pub(super) async fn of_members(
    context: &Context,
    collection: &Collection,
    mut conditions: Vec<Condition>,
) -> Result<Response, CatalogueProblem> {
    conditions.extend(filters::conditions(collection, &context.query, context.snapshot.as_ref()).await?);
    let orders = ordering::orders(collection, &context.query);
    let selection = Selection { resource_type: collection.resource_type.to_string(), conditions, orders };
    of_listing(context, collection, context.snapshot.select(selection).await?).await
}

/// Answers with the page of a listing that is asked for, or with all of it as a stream.
///
/// # Errors
///
/// * There is no such page, something is to be included that cannot be, or the engine fails.
pub(super) async fn of_listing(
    context: &Context,
    collection: &Collection,
    listing: Arc<Listing>,
) -> Result<Response, CatalogueProblem> {
    let fields = context.fields();
    let kind = match context.format {
        Format::Csv => stream::Kind::Csv(context.formulas()),
        Format::Ndjson => stream::Kind::Ndjson,
        Format::Json | Format::JsonApi => return page_of(context, collection, &listing, &fields).await,
    };
    let snapshot = Arc::clone(&context.snapshot);
    stream::respond(snapshot, listing, collection, kind, context.links.clone(), fields)
}

/// Answers with a page of a listing.
async fn page_of(
    context: &Context,
    collection: &Collection,
    listing: &Listing,
    fields: &SparseFields,
) -> Result<Response, CatalogueProblem> {
    let include = include::requested(collection, true, &context.query)?;
    let page = Page::of(&context.query, listing.len())?;
    source::take_memory(context.snapshot.as_ref(), page.positions().len())?;
    let bodies = context.snapshot.resources(listing.ordinals(page.positions())).await?;
    let (data, included) = if include.is_empty() && fields.is_all() {
        let mut data = Vec::new();
        for (index, body) in bodies.iter().enumerate() {
            if index > 0 {
                data.push(b',');
            }
            body.render(context.links.style(), &mut data);
        }
        (data, None)
    } else {
        let links = context.links.clone();
        let render = move || bodies.iter().map(|body| document::rendered(body, links.style())).collect();
        context.complete(collection, &include, blocking(render).await).await?
    };
    let json = document::list(&page, &context.page_links(), &data, included.as_deref())?;
    Ok(document::response(context.format, json))
}
