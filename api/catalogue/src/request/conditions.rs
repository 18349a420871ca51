//! The conditions of a list, from its filters and from the parameter `where` in the query language.

mod field;
mod protein_search;
mod resolve;
mod value;

use store::{Operator, QUERY_BYTES_MAX, QueryPlace, QueryTree, read_query};
use store_catalogue::Condition;

use super::filters;
use super::query::{Query, WHERE};
use crate::collections::Collection;
use crate::problem::CatalogueProblem;
use crate::snapshot::Snapshot;
use protein_search::ProteinSearch;
pub(crate) use resolve::read_within;
use resolve::{ConditionFields, Unresolved, joined, plain};

/// Returns the conditions of a query for the resources of a collection.
pub(crate) fn query_conditions(
    collection: &Collection,
    query: &Query,
    snapshot: &Snapshot,
) -> Result<Vec<Condition>, CatalogueProblem> {
    let mut conditions = filters::conditions(collection, query, snapshot)?;
    let mut on_proteins = Vec::new();
    let texts = query.filter(WHERE);
    let num_bytes: usize = texts.iter().map(|text| text.len()).sum();
    if texts.len() > 1 && num_bytes > QUERY_BYTES_MAX {
        let detail = format!("These conditions have {num_bytes} bytes; at most {QUERY_BYTES_MAX} are allowed.");
        return Err(CatalogueProblem::refused(WHERE, detail));
    }
    for text in texts.into_iter().filter(|text| !text.trim().is_empty()) {
        let read = read_query(QueryPlace::whole(text), &ConditionFields { collection, snapshot, level: 0 })?;
        sort(read.map_err(CatalogueProblem::Conditions)?, &mut conditions, &mut on_proteins);
    }
    if !on_proteins.is_empty() {
        let protein_search = ProteinSearch::new(snapshot, &collection.resource_type, &conditions)?;
        for tree in on_proteins {
            conditions.push(tree.fold(&mut |condition| protein_search.resolve(condition), joined)?);
        }
    }
    Ok(conditions)
}

/// Adds conditions that must all be met. Conditions on proteins are evaluated last, only for
/// resources that meet all others.
fn sort(tree: QueryTree<Unresolved>, conditions: &mut Vec<Condition>, on_proteins: &mut Vec<QueryTree<Unresolved>>) {
    if let QueryTree::Joined(Operator::All, parts) = tree {
        for part in parts {
            sort(part, conditions, on_proteins);
        }
    } else if let Some(condition) = plain(tree.clone()) {
        conditions.push(condition);
    } else {
        on_proteins.push(tree);
    }
}
