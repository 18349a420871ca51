//! Queries of proteins as a grammar.

use std::borrow::Cow;

use store::{Grammar, QueryFault, QueryPlace, QueryValue};

use super::ProteinQuery;
use super::field::QueryField;
use super::names::QueryNames;
use super::value::leaf;

pub(super) struct ProteinGrammar<'a> {
    pub(super) names: &'a dyn QueryNames,
}

impl Grammar for ProteinGrammar<'_> {
    type Query = ProteinQuery;

    type Field = QueryField;

    const EXAMPLE: &'static str = "pfam:PF00005";

    const HAS_UNITS: bool = false;

    fn field(&self, name: &str) -> Option<QueryField> {
        QueryField::named(name)
    }

    fn unknown(&self, name: &str, place: QueryPlace<'_>) -> QueryFault {
        let names = QueryField::ALL.map(QueryField::name);
        place.fault("no field has this name", &names.join(", ")).suggest(names.into_iter(), name)
    }

    fn understood(&self, field: &QueryField) -> Cow<'_, str> {
        field.understood().into()
    }

    fn embeds(&self, field: &QueryField) -> bool {
        matches!(field, QueryField::Sample | QueryField::Study)
    }

    fn condition(
        &self,
        field: &QueryField,
        value: QueryValue,
        place: QueryPlace<'_>,
    ) -> Result<ProteinQuery, Vec<QueryFault>> {
        match value {
            QueryValue::Embedded => self.names.selected(*field, place).map(|selected| field.with_any(selected)),
            value => leaf(*field, value, place, self.names).map_err(|fault| vec![fault]),
        }
    }

    fn everything(&self) -> ProteinQuery {
        ProteinQuery::Everything
    }

    fn all(&self, parts: Vec<ProteinQuery>) -> ProteinQuery {
        ProteinQuery::And(parts)
    }

    fn any(&self, parts: Vec<ProteinQuery>) -> ProteinQuery {
        ProteinQuery::Or(parts)
    }

    fn not(&self, part: ProteinQuery) -> ProteinQuery {
        ProteinQuery::Not(Box::new(part))
    }

    fn num_terms(&self, query: &ProteinQuery) -> usize {
        query.num_terms()
    }
}
