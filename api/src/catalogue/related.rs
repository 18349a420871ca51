//! Collections that hang on a resource.

use std::collections::BTreeMap;

use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use store::Condition;
use store::model::{Members, Relation, SAMPLES};

use super::collection::Collection;
use super::context::Context;
use super::derived;
use super::linked::{self, LinkedResource};
use super::problem::CatalogueProblem;
use super::{list, lookup};

/// The relationships of a resource.
#[derive(Deserialize)]
struct Relationships {
    /// What it is related to, by name.
    #[serde(default)]
    relationships: BTreeMap<String, Value>,
}

/// Answers with a collection that hangs on a resource.
///
/// # Errors
///
/// * There is no such resource or no such related collection.
/// * A parameter is refused, there is no such page, or the engine fails.
pub(super) async fn answer(
    context: &Context,
    collection: &Collection,
    id: &str,
    relation: &str,
) -> Result<Response, CatalogueProblem> {
    let tabled = collection.relations.iter().find(|tabled| tabled.name == relation);
    if tabled.is_none() && lookup::is_tabled(collection) {
        return Err(CatalogueProblem::NotFound);
    }
    let rendered = context.rendered(context.find(collection, id).await?).await?;
    let parent = LinkedResource::parse(&rendered)?;
    // They alone are reached by their own accession only.
    if parent.resource_type == SAMPLES && parent.id != id {
        return Err(CatalogueProblem::NotFound);
    }
    if let Some(tabled) = tabled {
        return of_table(context, tabled, &parent, &rendered).await;
    }
    let types = member_types(context, &rendered, relation)?;
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    linked_members(context, &parent, relation, &types).await
}

/// Answers with a related collection of the table.
async fn of_table(
    context: &Context,
    relation: &Relation,
    parent: &LinkedResource<'_>,
    rendered: &[u8],
) -> Result<Response, CatalogueProblem> {
    let in_lineage = vec![Condition::Lineage(parent.id.clone())];
    match relation.members {
        Members::Linked => linked_members(context, parent, relation.name, relation.member_types).await,
        Members::InLineage | Members::Descendants => {
            let member_type = relation.member_types.first().copied().unwrap_or_default();
            list::of_members(context, &lookup::of_type(member_type), in_lineage).await
        }
        Members::Places => derived::places(context, parent).await,
        Members::MetadataEntries => derived::metadata_entries(context, &parent.id, rendered),
    }
}

/// Answers with the members of a related collection that name the resource, that it names, or that were found in that collection.
async fn linked_members(
    context: &Context,
    parent: &LinkedResource<'_>,
    relation: &str,
    member_types: &[&str],
) -> Result<Response, CatalogueProblem> {
    let selection = linked::selection(context.snapshot.contents(), parent, relation, member_types);
    let (member_type, conditions) = match &selection {
        Some(selection) => (selection.resource_type.as_str(), selection.conditions.clone()),
        // Nothing of these types was ever given.
        None => (member_types.first().copied().unwrap_or_default(), vec![Condition::AnyOf(Vec::new())]),
    };
    list::of_members(context, &lookup::of_type(member_type), conditions).await
}

/// Returns the types that the members of a relationship may have: those that it names, and the one whose collection has its name.
///
/// # Errors
///
/// * The resource has no such relationship.
fn member_types(context: &Context, rendered: &[u8], relation: &str) -> Result<Vec<String>, CatalogueProblem> {
    let resource: Relationships = serde_json::from_slice(rendered)?;
    let relationship = resource.relationships.get(relation).ok_or(CatalogueProblem::NotFound)?;
    let named = match &relationship["data"] {
        Value::Array(members) => members.first(),
        member => Some(member),
    };
    let named = named.and_then(|member| member["type"].as_str()).map(str::to_owned);
    let by_name = lookup::at_path(relation, context.snapshot.contents());
    Ok(named.into_iter().chain(by_name.map(|members| members.resource_type.to_string())).collect())
}
