//! Lists of resources of one type.

use std::sync::Arc;

use axum::response::Response;
use store::model::{BIOMES, ROOT};
use store::{Condition, Listing, Order};

use crate::catalogue::collections::collection::Collection;
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::relations::include;
use crate::catalogue::render::document;
use crate::catalogue::render::stream;
use crate::catalogue::request::context::Context;
use crate::catalogue::request::filters;
use crate::catalogue::request::ordering;
use crate::catalogue::request::paging::{PAGE_SIZE_DEFAULT, Page};

pub(crate) fn answer(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    let mut conditions = Vec::new();
    // Biomes leave their root out.
    if collection.resource_type == BIOMES {
        conditions.push(Condition::Not(Box::new(Condition::Identified(vec![ROOT.to_owned()]))));
    }
    of_members(context, collection, conditions, None)
}

/// Answers with the first resources of a collection in its default order, as many as a page has by default.
pub(crate) fn recent(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    let all = context.snapshot.select(&collection.resource_type, Vec::new(), Vec::new())?;
    of_listing(context, collection, Arc::new(all.first(PAGE_SIZE_DEFAULT)))
}

/// Answers with the resources of a collection that satisfy conditions and the filters of the request, in the order of the request, else in
/// an order of the list, else in the default order.
pub(crate) fn of_members(
    context: &Context,
    collection: &Collection,
    mut conditions: Vec<Condition>,
    order: Option<&str>,
) -> Result<Response, CatalogueProblem> {
    conditions.extend(filters::conditions(collection, &context.query, &context.snapshot)?);
    let mut orders = ordering::orders(collection, &context.query);
    if let (true, Some(order)) = (orders.is_empty(), order) {
        orders.push(Order { field: order.to_owned(), is_descending: false });
    }
    of_listing(context, collection, context.snapshot.select(&collection.resource_type, conditions, orders)?)
}

/// Answers with the page of a listing that is asked for, or with all of it as a stream.
pub(crate) fn of_listing(
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
    let json = document::list(&page, &context.page_links(), &data, included.as_deref(), &context.ignored)?;
    Ok(document::response(context.format, json))
}
