//! Single resources.

use axum::response::Response;
use serde_json::json;
use store::Condition;
use store::model::STUDIES;

use super::collection::Collection;
use super::context::Context;
use super::document;
use super::include;
use super::linked;
use super::list;
use super::problem::CatalogueProblem;
use super::resource::Resource;

/// Answers with a resource: a document of its own, or a stream of one.
pub(super) fn answer(context: &Context, collection: &Collection, id: &str) -> Result<Response, CatalogueProblem> {
    let ordinal = context.find(collection, id)?;
    if context.format.is_stream() {
        let conditions = vec![Condition::Identified(vec![id.to_owned()])];
        let listing = context.snapshot.select(&collection.resource_type, conditions, Vec::new())?;
        return list::of_listing(context, collection, listing);
    }
    let include = include::requested(collection, false, &context.query)?;
    let mut resource = context.resource(ordinal)?;
    if collection.resource_type == STUDIES {
        relate_studies(context, &mut resource)?;
    }
    let (data, included) = include::complete(&include, collection, vec![resource], context)?;
    Ok(document::response(context.format, document::single(&data, included.as_deref())))
}

/// Adds to a study its relationship to the studies that its data were taken from or went into, which lists do not show.
fn relate_studies(context: &Context, study: &mut Resource) -> Result<(), CatalogueProblem> {
    let related = context.snapshot.select(STUDIES, vec![linked::condition(study, STUDIES, STUDIES)?], Vec::new())?;
    let identifiers = context.all_resources(&related)?.into_iter().map(|study| {
        let link = context.links.link(&[STUDIES, study.id()]);
        json!({"type": STUDIES, "id": study.id(), "links": {"self": link}})
    });
    let (link, data) = (context.links.link(&[STUDIES, study.id(), STUDIES]), identifiers.collect::<Vec<_>>());
    study.set_relationship(STUDIES, &json!({"links": {"related": link}, "data": data}))?;
    Ok(())
}
