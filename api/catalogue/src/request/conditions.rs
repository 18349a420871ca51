//! The conditions of a list: those of its filters, and those of the parameter `where`, in the language of queries.

mod field;
mod occurring;
mod resolve;
mod value;

use store::{Operator, QUERY_BYTES_MAX, QueryPlace, QueryTree, read_query};
use store_catalogue::Condition;

use super::filters;
use super::query::{Query, WHERE};
use crate::collections::Collection;
use crate::problem::CatalogueProblem;
use crate::snapshot::Snapshot;
use occurring::Occurring;
pub(crate) use resolve::within;
use resolve::{Asked, ConditionFields, joined, plain};

/// Returns the conditions of a query on the resources of a collection.
pub(crate) fn of_query(
    collection: &Collection,
    query: &Query,
    snapshot: &Snapshot,
) -> Result<Vec<Condition>, CatalogueProblem> {
    let mut conditions = filters::conditions(collection, query, snapshot)?;
    let mut asking = Vec::new();
    let texts = query.filter(WHERE);
    let num_bytes: usize = texts.iter().map(|text| text.len()).sum();
    if texts.len() > 1 && num_bytes > QUERY_BYTES_MAX {
        let detail = format!("These conditions have {num_bytes} bytes; {QUERY_BYTES_MAX} are the most.");
        return Err(CatalogueProblem::refused(WHERE, detail));
    }
    for text in texts.into_iter().filter(|text| !text.trim().is_empty()) {
        let read = read_query(QueryPlace::whole(text), &ConditionFields { collection, snapshot, level: 0 })?;
        sort(read.map_err(CatalogueProblem::Conditions)?, &mut conditions, &mut asking);
    }
    if !asking.is_empty() {
        let occurring = Occurring::new(snapshot, &collection.resource_type, &conditions)?;
        for tree in asking {
            conditions.push(tree.fold(&mut |asked| occurring.condition(asked), joined)?);
        }
    }
    Ok(conditions)
}

/// Adds conditions that all must be satisfied. Those that ask for proteins are evaluated last, for what satisfies all else.
fn sort(tree: QueryTree<Asked>, conditions: &mut Vec<Condition>, asking: &mut Vec<QueryTree<Asked>>) {
    if let QueryTree::Joined(Operator::All, parts) = tree {
        for part in parts {
            sort(part, conditions, asking);
        }
    } else if let Some(condition) = plain(tree.clone()) {
        conditions.push(condition);
    } else {
        asking.push(tree);
    }
}
