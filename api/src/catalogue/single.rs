//! Single resources.

use axum::response::Response;
use serde_json::{Map, Value, json};
use store::model::STUDIES;
use store::{Condition, LinkStyle, Selection};

use super::collection::Collection;
use super::context::Context;
use super::document;
use super::include;
use super::linked::{self, LinkedResource};
use super::list;
use super::problem::CatalogueProblem;

/// Answers with a resource: a document of its own, or a stream of one.
///
/// # Errors
///
/// * There is no such resource.
/// * Something is to be included that cannot be, or the engine fails.
pub(super) async fn answer(context: &Context, collection: &Collection, id: &str) -> Result<Response, CatalogueProblem> {
    let ordinal = context.find(collection, id).await?;
    if context.format.is_stream() {
        let conditions = vec![Condition::Identified(vec![id.to_owned()])];
        let selection =
            Selection { resource_type: collection.resource_type.to_string(), conditions, orders: Vec::new() };
        return list::of_listing(context, collection, context.snapshot.select(selection).await?).await;
    }
    let include = include::requested(collection, false, &context.query)?;
    let mut rendered = context.rendered(ordinal).await?;
    if collection.resource_type == STUDIES {
        rendered = with_studies(context, &rendered).await?;
    }
    let (data, included) = context.complete(collection, &include, vec![rendered]).await?;
    Ok(document::response(context.format, document::single(&data, included.as_deref())))
}

/// Adds to a rendered study its relationship to the studies that its data were taken from or went into, which lists do not show.
async fn with_studies(context: &Context, rendered: &[u8]) -> Result<Vec<u8>, CatalogueProblem> {
    let study = LinkedResource::parse(rendered)?;
    let mut members = Vec::new();
    if let Some(selection) = linked::selection(context.snapshot.contents(), &study, STUDIES, &[STUDIES]) {
        let listing = context.snapshot.select(selection).await?;
        for body in context.snapshot.resources(listing.ordinals(0..listing.len())).await? {
            let id = LinkedResource::parse(&document::rendered(&body, LinkStyle::PLAIN))?.id;
            let link = context.links.link(&[STUDIES, &id]);
            members.push(json!({"type": STUDIES, "id": id, "links": {"self": link}}));
        }
    }
    let link = context.links.link(&[STUDIES, &study.id, STUDIES]);
    let mut resource: Map<String, Value> = serde_json::from_slice(rendered)?;
    let relationships = resource.entry("relationships").or_insert_with(|| Value::Object(Map::new()));
    if let Some(relationships) = relationships.as_object_mut() {
        relationships.insert(STUDIES.to_owned(), json!({"links": {"related": link}, "data": members}));
    }
    Ok(serde_json::to_vec(&resource)?)
}
