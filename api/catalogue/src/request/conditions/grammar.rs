//! Conditions as a grammar.

use std::borrow::Cow;
use std::cell::RefCell;

use store::{Grammar, QueryFault, QueryPlace, QueryValue, parse_query};
use store_catalogue::Condition;
use store_catalogue::model::SAMPLES;
use store_proteins::ProteinQuery;

use super::field::{self, Field};
use super::tree::ConditionTree;
use super::value::Values;
use crate::collections::{Collection, lookup};
use crate::problem::CatalogueProblem;
use crate::snapshot::Snapshot;

/// The most levels of conditions on linked resources.
const LEVELS_MAX: usize = 4;

pub(super) struct ConditionGrammar<'a> {
    collection: &'a Collection,
    snapshot: &'a Snapshot,
    /// The number of conditions on linked resources that this is within.
    level: usize,
    failure: RefCell<Option<CatalogueProblem>>,
}

/// The word before the colon in `has:(proteins: …)`.
const PROTEINS: &str = "proteins";

impl<'a> ConditionGrammar<'a> {
    pub(super) fn new(collection: &'a Collection, snapshot: &'a Snapshot) -> Self {
        Self { collection, snapshot, level: 0, failure: RefCell::default() }
    }

    /// Reads conditions within a query of something else.
    pub(super) fn embedded(collection: &'a Collection, snapshot: &'a Snapshot) -> Self {
        Self { level: 1, ..Self::new(collection, snapshot) }
    }

    /// Returns the failure to look something up, after which all that was read means nothing.
    pub(super) fn check(&self) -> Result<(), CatalogueProblem> {
        self.failure.take().map_or(Ok(()), Err)
    }

    fn unless_it_fails<T>(&self, read: Result<T, CatalogueProblem>, otherwise: T) -> T {
        read.unwrap_or_else(|problem| {
            *self.failure.borrow_mut() = Some(problem);
            otherwise
        })
    }

    /// Reads the conditions on resources of another type that a resource is linked with.
    fn linked(&self, resource_type: &'static str, place: QueryPlace<'_>) -> Result<ConditionTree, Vec<QueryFault>> {
        if self.level == LEVELS_MAX {
            let understood = format!("{LEVELS_MAX} levels");
            return Err(vec![place.fault("conditions on linked resources are nested too deeply", &understood)]);
        }
        let collection = lookup::of_type(resource_type);
        let inner = ConditionGrammar { level: self.level + 1, ..ConditionGrammar::new(&collection, self.snapshot) };
        let parsed = parse_query(place, &inner);
        self.unless_it_fails(inner.check(), ());
        let condition = Box::new(parsed?.plain());
        Ok(ConditionTree::Plain(Condition::LinkedWith(resource_type.to_owned(), condition)))
    }

    fn has(&self, value: &QueryValue, place: QueryPlace<'_>) -> Result<ConditionTree, Vec<QueryFault>> {
        let fault = |problem: &str| vec![place.fault(problem, Field::Has.understood())];
        if self.level > 0 {
            return Err(fault("proteins can be asked for in conditions on the resources themselves only"));
        }
        let Some(proteins) = &self.snapshot.proteins else { return Err(fault("no proteins are loaded")) };
        let query = match value {
            QueryValue::Text { text, unit: None } if text.eq_ignore_ascii_case(PROTEINS) => ProteinQuery::Everything,
            QueryValue::Embedded => {
                let blank = place.part().len() - place.part().trim_start().len();
                let rest = place.without_first(blank);
                let is_it = rest.part().get(..PROTEINS.len()).is_some_and(|name| name.eq_ignore_ascii_case(PROTEINS));
                if !is_it || !rest.part()[PROTEINS.len()..].starts_with(':') {
                    return Err(fault("this is nothing that a resource can have"));
                }
                ProteinQuery::parse_within(rest.without_first(PROTEINS.len() + 1), proteins.biomes())?
            }
            _ => return Err(fault("this is nothing that a resource can have")),
        };
        Ok(ConditionTree::HasProteins(query))
    }
}

impl Grammar for ConditionGrammar<'_> {
    type Query = ConditionTree;

    type Field = Field;

    const EXAMPLE: &'static str = "temperature:>30";

    const HAS_UNITS: bool = true;

    fn field(&self, name: &str) -> Option<Field> {
        let found = Field::named(name, self.collection, self.snapshot).map_err(CatalogueProblem::from);
        self.unless_it_fails(found, None)
    }

    fn unknown(&self, name: &str, place: QueryPlace<'_>) -> QueryFault {
        let names = field::names(self.collection, self.snapshot);
        let keys = self.collection.metadata_scope().map(|_| self.snapshot.metadata_keys(SAMPLES));
        let keys = self.unless_it_fails(keys.transpose().map_err(CatalogueProblem::from), None).unwrap_or_default();
        let understood = if keys.is_empty() { "" } else { ", and the keys of metadata" };
        let fault = place.fault("nothing here has this name", &format!("{}{understood}", names.join(", ")));
        fault.suggest(names.iter().chain(&keys).map(String::as_str), name)
    }

    fn understood(&self, field: &Field) -> Cow<'_, str> {
        field.understood().into()
    }

    fn embeds(&self, field: &Field) -> bool {
        matches!(field, Field::Has | Field::Linked(_))
    }

    fn condition(
        &self,
        field: &Field,
        value: QueryValue,
        place: QueryPlace<'_>,
    ) -> Result<ConditionTree, Vec<QueryFault>> {
        match (field, &value) {
            (Field::Has, value) => return self.has(value, place),
            (Field::Linked(resource_type), QueryValue::Embedded) => return self.linked(resource_type, place),
            _ => {}
        }
        let values = Values { collection: self.collection, snapshot: self.snapshot, field, place };
        match values.condition(value) {
            Ok(Ok(condition)) => Ok(ConditionTree::Plain(condition)),
            Ok(Err(fault)) => Err(vec![fault]),
            Err(problem) => {
                self.unless_it_fails(Err(problem), ());
                Ok(ConditionTree::everything())
            }
        }
    }

    fn everything(&self) -> ConditionTree {
        ConditionTree::everything()
    }

    fn all(&self, parts: Vec<ConditionTree>) -> ConditionTree {
        ConditionTree::All(parts)
    }

    fn any(&self, parts: Vec<ConditionTree>) -> ConditionTree {
        ConditionTree::Any(parts)
    }

    fn not(&self, part: ConditionTree) -> ConditionTree {
        ConditionTree::Not(Box::new(part))
    }

    fn num_terms(&self, query: &ConditionTree) -> usize {
        if let ConditionTree::HasProteins(query) = query { query.num_terms() } else { 1 }
    }
}
