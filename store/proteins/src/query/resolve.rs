//! The fields of a query of proteins, and the combination of their conditions.

use store::{Bound, Nearness, Operator, QueryFault, QueryFields, QueryPlace, QueryValue, Resolved};

use super::field::QueryField;
use super::names::QueryNames;
use super::value::{range_condition, text_condition};
use super::{NEAR_GENES_MAX, ProteinQuery};
use crate::segments::schema::folded;

pub(super) struct ProteinFields<'a, N> {
    pub(super) names: &'a N,
}

impl<N: QueryNames> QueryFields for ProteinFields<'_, N> {
    type Field = QueryField;

    type Condition = ProteinQuery;

    type Failure = N::Failure;

    const UNDERSTOOD: &'static str = "a condition such as pfam:PF00005, NOT, *, or a parenthesis";

    const HAS_UNITS: bool = false;

    const NEAR_GENES_MAX: Option<u64> = Some(NEAR_GENES_MAX);

    fn embeds(name: &str) -> bool {
        matches!(QueryField::named(name), Some(QueryField::Sample | QueryField::Study))
    }

    fn field(&self, name: &str, place: QueryPlace<'_>) -> Result<Result<QueryField, QueryFault>, N::Failure> {
        let unknown = || {
            let names: Vec<&str> = QueryField::ALL.iter().map(|field| field.name()).collect();
            place.fault("no field has this name", &names.join(", ")).suggest(names.into_iter(), name)
        };
        Ok(QueryField::named(name).ok_or_else(unknown))
    }

    fn understood(field: &QueryField) -> &'static str {
        field.understood()
    }

    fn condition(
        &self,
        field: &QueryField,
        value: QueryValue,
        place: QueryPlace<'_>,
    ) -> Resolved<ProteinQuery, N::Failure> {
        let fault = |problem: &str| place.fault(problem, field.understood());
        let read = match value {
            QueryValue::Embedded => {
                return Ok(self.names.selected(*field, place)?.map(|selected| field.with_any(selected)));
            }
            QueryValue::Text(text, _) if field.has_ranges() => {
                let bound = Bound { text, place: place.range(), is_included: true };
                let bound = Some(bound).filter(|bound| bound.text != "*");
                range_condition(*field, &[bound.clone(), bound], place)
            }
            QueryValue::Text(text, _) => {
                let mut read = if matches!(field, QueryField::Study | QueryField::Assembly | QueryField::Sample) {
                    let found = self.names.accessions(*field, &folded(&text))?;
                    found.map(|found| field.with_any(found)).map_err(|problem| fault(&problem))
                } else {
                    text_condition(*field, &text, place, self.names)
                };
                if let Err(fault) = &mut read
                    && fault.suggestions.is_empty()
                {
                    fault.suggestions = self.names.near(*field, &text)?;
                }
                read
            }
            QueryValue::Range(bounds, _) if field.has_ranges() => range_condition(*field, &bounds, place),
            QueryValue::Range(..) => Err(fault("this field does not accept ranges")),
        };
        Ok(read.map_err(|fault| vec![fault]))
    }

    fn join(operator: Operator, mut parts: Vec<ProteinQuery>) -> ProteinQuery {
        match operator {
            Operator::All if parts.is_empty() => ProteinQuery::Everything,
            Operator::All => ProteinQuery::And(parts),
            Operator::Any => ProteinQuery::Or(parts),
            Operator::Not => ProteinQuery::Not(Box::new(parts.remove(0))),
            Operator::Near(Nearness { genes, same_strand }) => {
                let of = Box::new(parts.remove(0));
                ProteinQuery::Near { of, beside: Box::new(parts.remove(0)), genes, same_strand }
            }
        }
    }

    fn num_terms(condition: &ProteinQuery) -> usize {
        condition.num_terms()
    }
}
