//! Lists of resources of one type.

use std::mem;
use std::sync::Arc;

use axum::response::Response;
use store_catalogue::model::{BIOMES, ROOT};
use store_catalogue::{Condition, Listing, Order};

use crate::collections::Collection;
use crate::problem::CatalogueProblem;
use crate::render::{document, resources};
use crate::request::context::Context;
use crate::request::list_request::ListRequest;
use crate::request::paging::PAGE_SIZE_DEFAULT;
use crate::request::query::AFTER;

pub(crate) fn answer(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    let mut request = ListRequest::parse(context, collection)?;
    request.conditions.extend(list_condition(collection));
    run(context, collection, request)
}

/// Returns the condition of the list of all resources of a collection, in addition to its filters:
/// the list of biomes excludes the root.
pub(crate) fn list_condition(collection: &Collection) -> Option<Condition> {
    let is_root = || Condition::Identified(vec![ROOT.to_owned()]);
    (collection.resource_type == BIOMES).then(|| Condition::Not(Box::new(is_root())))
}

/// Answers with the first resources of a collection in its default order, at most a page of default
/// size.
pub(crate) fn recent(context: &Context, collection: &Collection) -> Result<Response, CatalogueProblem> {
    let request = ListRequest::of_all(context, collection)?;
    let all = context.snapshot.select(&collection.resource_type, Vec::new(), Vec::new())?;
    respond(context, collection, request, Arc::new(all.first(PAGE_SIZE_DEFAULT)))
}

/// Answers with the resources of a collection that meet a condition and the filters of the request.
/// They are in the order of the request, otherwise in `order`, otherwise in the default order.
pub(crate) fn answer_members(
    context: &Context,
    collection: &Collection,
    condition: Option<Condition>,
    order: Option<&str>,
) -> Result<Response, CatalogueProblem> {
    let mut request = ListRequest::parse(context, collection)?;
    request.conditions.extend(condition);
    if let (true, Some(order)) = (request.orders.is_empty(), order) {
        request.orders.push(Order { field: order.to_owned(), is_descending: false });
    }
    run(context, collection, request)
}

pub(crate) fn answer_one(context: &Context, collection: &Collection, id: &str) -> Result<Response, CatalogueProblem> {
    let conditions = vec![Condition::Identified(vec![id.to_owned()])];
    run(context, collection, ListRequest { conditions, ..ListRequest::of_all(context, collection)? })
}

fn run(context: &Context, collection: &Collection, mut request: ListRequest) -> Result<Response, CatalogueProblem> {
    let (conditions, orders) = (mem::take(&mut request.conditions), mem::take(&mut request.orders));
    let listing = context.snapshot.select(&collection.resource_type, conditions, orders)?;
    respond(context, collection, request, listing)
}

/// Answers with the requested page of a listing, or with all of it as a stream.
fn respond(
    context: &Context,
    collection: &Collection,
    request: ListRequest,
    listing: Arc<Listing>,
) -> Result<Response, CatalogueProblem> {
    let Some((page, include)) = request.page else {
        let first = context.query.filled(AFTER).map_or(Ok(0), |id| {
            let position = context.snapshot.position_after(&[&*collection.resource_type], &listing, id)?;
            position.ok_or_else(|| CatalogueProblem::not_in_list(id))
        })?;
        return if request.is_wide {
            resources::stream_metadata(context, listing, first, collection)
        } else {
            resources::stream_resources(context, listing, first, collection)
        };
    };
    let page = page.of(listing.len())?;
    context.snapshot.take_memory(page.positions().len())?;
    let bodies = context.snapshot.resources(&listing.ordinals(page.positions()))?;
    let (data, included) = include.complete(collection, bodies, context)?;
    let json = document::list(&page, &context.page_links(), &data, included.as_deref(), &context.ignored)?;
    Ok(document::response(context.format, json))
}
