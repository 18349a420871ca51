//! Lists of resources of one type.

use std::sync::Arc;

use axum::response::Response;
use store::model::BIOMES;
use store::{Condition, Listing};

use super::collection::Collection;
use super::context::Context;
use super::document;
use super::filters;
use super::include;
use super::ordering;
use super::paging::{PAGE_SIZE_DEFAULT, Page};
use super::problem::CatalogueProblem;
use super::stream;

const ROOT_BIOME: &str = "root";

/// The parameters of biomes, besides filters and sparse fields of a type.
const BIOME_PARAMETERS: [&str; 9] =
    ["page", "page_size", "format", "ordering", "search", "include", "sort", "fields", "safe"];

pub(super) fn answer(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    // Biomes alone refuse unknown parameters, and leave their root out.
    if collection.resource_type != BIOMES {
        return of_members(context, collection, Vec::new());
    }
    let is_known = |name: &str| {
        let is_filter = collection.filters.iter().any(|filter| filter.name == name);
        BIOME_PARAMETERS.contains(&name) || name.starts_with("fields[") || is_filter
    };
    if let Some((unknown, _)) = context.query.pairs().find(|(name, _)| !is_known(name)) {
        let detail = format!("invalid query parameter: {unknown}");
        return Err(CatalogueProblem::Request { detail, code: "invalid" });
    }
    let is_root = Condition::Identified(vec![ROOT_BIOME.to_owned()]);
    of_members(context, collection, vec![Condition::Not(Box::new(is_root))])
}

/// Answers with the first resources of a collection in its default order, as many as a page has by default.
pub(super) fn recent(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    let all = context.snapshot.select(&collection.resource_type, Vec::new(), Vec::new())?;
    of_listing(context, collection, Arc::new(all.first(PAGE_SIZE_DEFAULT)))
}

pub(super) fn of_members(
    context: &Context,
    collection: &Collection,
    mut conditions: Vec<Condition>,
) -> Result<Response, CatalogueProblem> {
    conditions.extend(filters::conditions(collection, &context.query, &context.snapshot)?);
    let orders = ordering::orders(collection, &context.query);
    of_listing(context, collection, context.snapshot.select(&collection.resource_type, conditions, orders)?)
}

/// Answers with the page of a listing that is asked for, or with all of it as a stream.
pub(super) fn of_listing(
    context: &Context,
    collection: &Collection,
    listing: Arc<Listing>,
) -> Result<Response, CatalogueProblem> {
    if context.format.is_stream() {
        return stream::respond(context, listing, collection);
    }
    let include = include::requested(collection, true, &context.query)?;
    let page = Page::of(&context.query, listing.len())?;
    context.snapshot.take_memory(page.positions().len())?;
    let ordinals = listing.ordinals(page.positions());
    let (data, included) = include::complete(&include, collection, context.snapshot.resources(&ordinals)?, context)?;
    let json = document::list(&page, &context.page_links(), &data, included.as_deref())?;
    Ok(document::response(context.format, json))
}
