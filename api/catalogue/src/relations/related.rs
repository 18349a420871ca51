//! Related collections of a resource.

use axum::response::Response;
use store_catalogue::Condition;
use store_catalogue::model::{Members, Relation};

use super::{linked, members};
use crate::collections::collection::Collection;
use crate::collections::lookup;
use crate::pages::{derived, list};
use crate::problem::CatalogueProblem;
use crate::render::resource::Resource;
use crate::request::context::Context;

/// The relation for the files of a resource, which are also in the documents of version 2.
const DOWNLOADS: &str = "downloads";

pub(crate) fn answer(
    context: &Context,
    collection: &Collection,
    id: &str,
    relation: &str,
) -> Result<Response, CatalogueProblem> {
    let modelled = collection.relation(relation);
    if modelled.is_none() && lookup::is_modelled(collection) {
        return Err(CatalogueProblem::NotFound);
    }
    if let Some(Relation { members: Members::LinkedOrAll, member_types: [member_type, ..], order, .. }) = modelled
        && id == members::ALL
    {
        return list::answer_members(context, &lookup::of_type(member_type), None, *order);
    }
    let ordinal = context.find(collection, id)?;
    let parent = context.resource(ordinal)?;
    if collection.is_related_by_id_only && parent.id() != id {
        return Err(CatalogueProblem::NotFound);
    }
    if let Some(Relation { name: DOWNLOADS, member_types, .. }) = modelled
        && linked::loaded_type(&context.snapshot, member_types).is_none()
    {
        let body = context.snapshot.resource(ordinal)?;
        return derived::downloads(context, member_types[0], &parent, body.document());
    }
    if let Some(modelled) = modelled {
        return respond_modelled(context, modelled, &parent);
    }
    let types = member_types(context, &parent, relation)?;
    let types: Vec<_> = types.iter().map(String::as_str).collect();
    let (member_type, condition) = match linked::loaded_type(&context.snapshot, &types) {
        Some(member_type) => (member_type, linked::condition(&parent, member_type, relation)?),
        None => (types.first().copied().unwrap_or_default(), Condition::AnyOf(Vec::new())),
    };
    list::answer_members(context, &lookup::of_type(member_type), Some(condition), None)
}

fn respond_modelled(context: &Context, relation: &Relation, parent: &Resource) -> Result<Response, CatalogueProblem> {
    match (members::of(&context.snapshot, relation, parent)?, relation.members) {
        (Some((member_type, condition)), _) => {
            list::answer_members(context, &lookup::of_type(member_type), Some(condition), relation.order)
        }
        (None, Members::MetadataEntries) => derived::metadata_entries(context, parent),
        (None, _) => derived::places(context, parent),
    }
}

/// Returns the types that the members of a relationship may have: those of the named resources, and
/// the type whose collection has the same name.
fn member_types(context: &Context, parent: &Resource, relation: &str) -> Result<Vec<String>, CatalogueProblem> {
    let linkage = parent.linkage(relation)?.ok_or(CatalogueProblem::NotFound)?;
    let named = linkage.into_keys().into_iter().next().map(|(resource_type, _)| resource_type);
    let by_name = lookup::at_path(relation, context.snapshot.contents());
    Ok(named.into_iter().chain(by_name.map(|members| members.resource_type.to_string())).collect())
}
