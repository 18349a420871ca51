//! The conditions of a list: those of its filters, and those of the parameter `where`, in the language of queries.

mod field;
mod grammar;
mod occurring;
mod tree;
mod value;

use store::{QUERY_BYTES_MAX, QueryFault, QueryPlace, parse_query};
use store_catalogue::Condition;

use super::filters;
use super::query::{Query, WHERE};
use crate::collections::Collection;
use crate::problem::CatalogueProblem;
use crate::snapshot::Snapshot;
use grammar::ConditionGrammar;
use occurring::Occurring;

/// Returns the conditions of a query on the resources of a collection.
pub(crate) fn of_query(
    collection: &Collection,
    query: &Query,
    snapshot: &Snapshot,
) -> Result<Vec<Condition>, CatalogueProblem> {
    let mut conditions = filters::conditions(collection, query, snapshot)?;
    let mut trees = Vec::new();
    let texts = query.filter(WHERE);
    let num_bytes: usize = texts.iter().map(|text| text.len()).sum();
    if texts.len() > 1 && num_bytes > QUERY_BYTES_MAX {
        let detail = format!("These conditions have {num_bytes} bytes; {QUERY_BYTES_MAX} are the most.");
        return Err(CatalogueProblem::Parameter { name: WHERE.into(), detail, code: "invalid" });
    }
    for text in texts.into_iter().filter(|text| !text.trim().is_empty()) {
        let grammar = ConditionGrammar::new(collection, snapshot);
        let parsed = parse_query(QueryPlace::whole(text), &grammar);
        grammar.check()?;
        trees.push(parsed.map_err(CatalogueProblem::Conditions)?);
    }
    // What asks for proteins is evaluated last, for those alone that satisfy all else.
    let (asking, others): (Vec<_>, Vec<_>) =
        trees.into_iter().flat_map(tree::ConditionTree::into_parts).partition(tree::ConditionTree::asks_for_proteins);
    conditions.extend(others.into_iter().map(tree::ConditionTree::plain));
    if !asking.is_empty() {
        let occurring = Occurring::new(snapshot, &collection.resource_type, &conditions)?;
        for tree in asking {
            conditions.push(tree.into_condition(&|asked| occurring.condition(asked))?);
        }
    }
    Ok(conditions)
}

/// Reads conditions on the resources of a collection that a query of something else has in it.
pub(crate) fn embedded(
    collection: &Collection,
    snapshot: &Snapshot,
    place: QueryPlace<'_>,
) -> Result<Result<Condition, Vec<QueryFault>>, CatalogueProblem> {
    let grammar = ConditionGrammar::embedded(collection, snapshot);
    let parsed = parse_query(place, &grammar);
    grammar.check()?;
    Ok(parsed.map(tree::ConditionTree::plain))
}
