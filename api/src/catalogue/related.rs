//! Related collections of a resource.

use axum::response::Response;
use store::Condition;
use store::model::{Members, Relation, SAMPLES};

use super::collection::Collection;
use super::context::Context;
use super::derived;
use super::linked;
use super::problem::CatalogueProblem;
use super::resource::Resource;
use super::{list, lookup};

pub(super) fn answer(
    context: &Context,
    collection: &Collection,
    id: &str,
    relation: &str,
) -> Result<Response, CatalogueProblem> {
    let modelled = collection.relations.iter().find(|known| known.name == relation);
    if modelled.is_none() && lookup::is_modelled(collection) {
        return Err(CatalogueProblem::NotFound);
    }
    let parent = context.resource(context.find(collection, id)?)?;
    // Related collections of samples are reached by the sample's own accession only.
    if parent.resource_type() == SAMPLES && parent.id() != id {
        return Err(CatalogueProblem::NotFound);
    }
    if let Some(modelled) = modelled {
        return of_model(context, modelled, &parent);
    }
    let types = member_types(context, &parent, relation)?;
    linked_members(context, &parent, relation, &types.iter().map(String::as_str).collect::<Vec<_>>())
}

fn of_model(context: &Context, relation: &Relation, parent: &Resource) -> Result<Response, CatalogueProblem> {
    match relation.members {
        Members::Linked => linked_members(context, parent, relation.name, relation.member_types),
        Members::InLineage | Members::Descendants => {
            let member_type = relation.member_types.first().copied().unwrap_or_default();
            let in_lineage = vec![Condition::Lineage(parent.id().to_owned())];
            list::of_members(context, &lookup::of_type(member_type), in_lineage)
        }
        Members::Places => derived::places(context, parent),
        Members::MetadataEntries => derived::metadata_entries(context, parent),
    }
}

/// Answers with the resources that a resource is linked with under the name of a relation.
fn linked_members(
    context: &Context,
    parent: &Resource,
    relation: &str,
    member_types: &[&str],
) -> Result<Response, CatalogueProblem> {
    let (member_type, condition) = match linked::loaded_type(&context.snapshot, member_types) {
        Some(member_type) => (member_type, linked::condition(parent, member_type, relation)?),
        None => (member_types.first().copied().unwrap_or_default(), Condition::AnyOf(Vec::new())),
    };
    list::of_members(context, &lookup::of_type(member_type), vec![condition])
}

/// Returns the types that the members of a relationship may have: that of those it names, and the one whose collection has its name.
fn member_types(context: &Context, parent: &Resource, relation: &str) -> Result<Vec<String>, CatalogueProblem> {
    let linkage = parent.linkage(relation)?.ok_or(CatalogueProblem::NotFound)?;
    let named = linkage.into_keys().into_iter().next().map(|(resource_type, _)| resource_type);
    let by_name = lookup::at_path(relation, context.snapshot.contents());
    Ok(named.into_iter().chain(by_name.map(|members| members.resource_type.to_string())).collect())
}
