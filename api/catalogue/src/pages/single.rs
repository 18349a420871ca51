//! Single resources.

use axum::response::Response;
use serde_json::json;
use store_catalogue::model::STUDIES;
use store_catalogue::{LinkStyle, ResourceBody, ResourceBodyWriter};

use super::list;
use crate::collections::collection::Collection;
use crate::problem::CatalogueProblem;
use crate::relations::include::Include;
use crate::relations::linked;
use crate::relations::links::path;
use crate::render::document;
use crate::render::resource::{Resource, Splice};
use crate::request::context::Context;
use crate::snapshot::{Form, Snapshot};

pub(crate) fn answer(context: &Context, collection: &Collection, id: &str) -> Result<Response, CatalogueProblem> {
    let ordinal = context.find(collection, id)?;
    if context.format.is_stream() {
        return list::answer_one(context, collection, id);
    }
    let include = Include::parse(collection, false, &context.query)?;
    let resource = if collection.resource_type == STUDIES {
        context
            .snapshot
            .completed(ordinal, Form::WithStudies as u8, |study| add_related_studies(&context.snapshot, study))?
    } else {
        context.snapshot.resource(ordinal)?
    };
    let (data, included) = include.complete(collection, vec![resource], context)?;
    Ok(document::response(context.format, document::single(&data, included.as_deref(), &context.ignored)?))
}

/// Adds to a study its relationship to the studies from which its data were taken or that use its
/// data. Lists do not show it.
fn add_related_studies(snapshot: &Snapshot, study: &ResourceBody) -> Result<ResourceBody, CatalogueProblem> {
    let resource = Resource::render(study, &LinkStyle::default())?;
    let related = snapshot.select(STUDIES, vec![linked::condition(&resource, STUDIES, STUDIES)?], Vec::new())?;
    let Splice { range, prefix, suffix } = Splice::of_relationship(study.json(), STUDIES)?;
    let mut relationship = ResourceBodyWriter::default();
    relationship
        .json(prefix.as_bytes())
        .json(br#"{"links":{"related":"#)
        .link(&path(&[STUDIES, resource.id(), STUDIES]))
        .json(br#"},"data":["#);
    for (position, other) in snapshot.resources(&related.ordinals(0..related.len()))?.iter().enumerate() {
        let other = Resource::render(other, &LinkStyle::default())?;
        let identifier = serde_json::to_string(&json!({"type": STUDIES, "id": other.id()}))?;
        relationship.json(if position > 0 { b"," } else { b"" });
        relationship.json(identifier.trim_end_matches('}').as_bytes()).json(br#","links":{"self":"#);
        relationship.link(&path(&[STUDIES, other.id()])).json(b"}}");
    }
    relationship.json(b"]}").json(suffix.as_bytes());
    Ok(study.replaced(range, &relationship.finish()))
}
