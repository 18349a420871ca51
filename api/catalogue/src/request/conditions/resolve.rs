//! Reads the fields of conditions, and makes conditions of their values.

use store::{Operator, QueryFault, QueryFields, QueryPlace, QueryTree, QueryValue, Resolved, read_query};
use store_catalogue::Condition;
use store_catalogue::model::SAMPLES;
use store_proteins::{PAGE_BUDGET, ProteinQuery};

use super::field::{self, Field};
use super::value::Values;
use crate::collections::{Collection, lookup};
use crate::problem::CatalogueProblem;
use crate::snapshot::Snapshot;

/// The most levels of conditions on linked resources.
const LEVELS_MAX: usize = 4;

/// The word before the colon in `has:(proteins: …)`.
const PROTEINS: &str = "proteins";

/// A single condition, before queries on proteins are resolved.
#[derive(Clone, Debug)]
pub(super) enum Unresolved {
    Plain(Condition),
    /// Proteins that match the query occur in the resource.
    Proteins(ProteinQuery),
}

/// The fields of conditions on the resources of a collection.
pub(super) struct ConditionFields<'a> {
    pub(super) collection: &'a Collection,
    pub(super) snapshot: &'a Snapshot,
    /// The number of enclosing conditions on linked resources, or of enclosing queries on proteins.
    pub(super) level: usize,
}

impl ConditionFields<'_> {
    /// Reads conditions on linked resources of another type.
    fn linked(&self, resource_type: &'static str, place: QueryPlace<'_>) -> Result<Condition, CatalogueProblem> {
        if self.level == LEVELS_MAX {
            let problem = "conditions on linked resources are nested too deeply";
            return Err(CatalogueProblem::Conditions(vec![place.fault(problem, &format!("{LEVELS_MAX} levels"))]));
        }
        let read = read_within(self.level + 1, &lookup::of_type(resource_type), self.snapshot, place)?;
        let condition = Box::new(read.map_err(CatalogueProblem::Conditions)?);
        Ok(Condition::LinkedWith(resource_type.to_owned(), condition))
    }

    fn has(&self, value: &QueryValue, place: QueryPlace<'_>) -> Result<ProteinQuery, CatalogueProblem> {
        let fault = |problem: &str| CatalogueProblem::Conditions(vec![place.fault(problem, Field::Has.understood())]);
        if self.level > 0 {
            return Err(fault("conditions on proteins cannot be inside conditions on linked resources"));
        }
        let Some(proteins) = &self.snapshot.proteins else { return Err(fault("no proteins are loaded")) };
        match (value, place.part().split_once(':')) {
            (QueryValue::Text(text, None), _) if text.eq_ignore_ascii_case(PROTEINS) => Ok(ProteinQuery::Everything),
            (QueryValue::Embedded, Some((name, _))) if name.trim_start().eq_ignore_ascii_case(PROTEINS) => {
                let Ok(read) = ProteinQuery::read(place.without_first(name.len() + 1), proteins.biomes());
                let query = read.map_err(CatalogueProblem::Conditions)?;
                if let Some(option) = proteins.lacked_option(&query) {
                    return Err(fault(&format!("the index of proteins was made without `mgdex index {option}`")));
                }
                if !self.snapshot.is_wanted() {
                    return Err(self.snapshot.unfinished().into());
                }
                self.snapshot.effort.spend(if query.has_lookup() { PAGE_BUDGET } else { 0 });
                Ok(proteins.resolve_lookups(query)?)
            }
            _ => Err(fault("resources have no such property")),
        }
    }
}

impl QueryFields for ConditionFields<'_> {
    type Field = Field;

    type Condition = QueryTree<Unresolved>;

    type Failure = CatalogueProblem;

    const UNDERSTOOD: &'static str = "a condition such as temperature:>30, NOT, *, or a parenthesis";

    const HAS_UNITS: bool = true;

    fn embeds(name: &str) -> bool {
        matches!(Field::reserved(name), Some(Field::Has | Field::Linked(_)))
    }

    fn field(&self, name: &str, place: QueryPlace<'_>) -> Result<Result<Field, QueryFault>, CatalogueProblem> {
        if let Some(field) = Field::named(name, self.collection, self.snapshot)? {
            return Ok(Ok(field));
        }
        let names = field::names(self.collection, self.snapshot);
        let keys = self.collection.metadata_scope().map(|_| self.snapshot.metadata_keys(SAMPLES)).transpose()?;
        let keys = keys.unwrap_or_default();
        let understood = if keys.is_empty() { "" } else { ", and the keys of metadata" };
        let fault = place.fault("unknown name", &format!("{}{understood}", names.join(", ")));
        Ok(Err(fault.suggest(names.iter().chain(&keys).map(String::as_str), name)))
    }

    fn understood(field: &Field) -> &'static str {
        field.understood()
    }

    fn condition(
        &self,
        field: &Field,
        value: QueryValue,
        place: QueryPlace<'_>,
    ) -> Resolved<QueryTree<Unresolved>, CatalogueProblem> {
        let values = Values { collection: self.collection, snapshot: self.snapshot, field, place };
        let read = match (field, &value) {
            (Field::Has, value) => self.has(value, place).map(Unresolved::Proteins),
            (Field::Linked(kind), QueryValue::Embedded) => self.linked(kind, place).map(Unresolved::Plain),
            _ => values.condition(value).map(Unresolved::Plain),
        };
        match read {
            Err(CatalogueProblem::Conditions(faults)) => Ok(Err(faults)),
            read => Ok(Ok(QueryTree::Leaf(read?))),
        }
    }

    fn join(operator: Operator, parts: Vec<QueryTree<Unresolved>>) -> QueryTree<Unresolved> {
        QueryTree::Joined(operator, parts)
    }

    fn num_terms(condition: &QueryTree<Unresolved>) -> usize {
        if let QueryTree::Leaf(Unresolved::Proteins(query)) = condition { query.num_terms() } else { 1 }
    }
}

/// Makes one condition of several.
pub(super) fn joined(operator: Operator, mut parts: Vec<Condition>) -> Condition {
    match operator {
        // Conditions on resources have no `near`.
        Operator::All | Operator::Near(_) => Condition::AllOf(parts),
        Operator::Any => Condition::AnyOf(parts),
        Operator::Not => Condition::Not(Box::new(parts.remove(0))),
    }
}

/// Makes one condition of a tree, or returns `None` if it has a query on proteins.
pub(super) fn plain(tree: QueryTree<Unresolved>) -> Option<Condition> {
    let mut plain = |leaf| if let Unresolved::Plain(condition) = leaf { Ok(condition) } else { Err(()) };
    tree.fold(&mut plain, joined).ok()
}

/// Reads conditions within other conditions or within a query on proteins. They must not have
/// queries on proteins.
pub(crate) fn read_within(
    level: usize,
    collection: &Collection,
    snapshot: &Snapshot,
    place: QueryPlace<'_>,
) -> Resolved<Condition, CatalogueProblem> {
    let read = read_query(place, &ConditionFields { collection, snapshot, level })?;
    Ok(read.map(|tree| plain(tree).unwrap_or(Condition::AnyOf(Vec::new()))))
}
