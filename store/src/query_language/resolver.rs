//! From the tree of a query to the meaning of its names. All faults are found at once: those of the
//! text, and those of names and values.

use super::fault::QueryFault;
use super::parser::{FAULTS_MAX, Grammar, parse};
use super::place::QueryPlace;
use super::tree::{Operator, Part, QueryValue};

/// The most terms of a query. A range counts once for each power of two that it overlaps.
pub const QUERY_TERMS_MAX: usize = 1024;

/// The meaning of a text, or its faults, up to a hundred in the order of their places. The outer
/// error is returned if a name cannot be looked up.
pub type Resolved<T, E> = Result<Result<T, Vec<QueryFault>>, E>;

/// The fields of queries, with the means to look their values up.
pub trait QueryFields {
    /// A field, by its name before a colon.
    type Field;

    /// The condition that a field has a value, or several such conditions.
    type Condition;

    /// The reason why a name or value cannot be looked up.
    type Failure;

    /// The text for people if a condition is missing, with an example.
    const UNDERSTOOD: &'static str;

    /// If true, units in brackets can follow values.
    const HAS_UNITS: bool;

    /// The most genes between two conditions of `near`, or `None` without `near`.
    const NEAR_GENES_MAX: Option<u64> = None;

    /// Returns whether conditions in parentheses after a field are conditions on other objects,
    /// which are passed on unparsed.
    fn embeds(name: &str) -> bool;

    /// Returns the field with a name, or a fault if no field has it.
    ///
    /// # Errors
    ///
    /// * A name cannot be looked up.
    fn field(&self, name: &str, place: QueryPlace<'_>) -> Result<Result<Self::Field, QueryFault>, Self::Failure>;

    /// Returns a description of the values that a field accepts.
    fn understood(field: &Self::Field) -> &'static str;

    /// Returns the condition that a field has a value, or the faults of the value.
    ///
    /// # Errors
    ///
    /// * A value cannot be looked up.
    fn condition(
        &self,
        field: &Self::Field,
        value: QueryValue,
        place: QueryPlace<'_>,
    ) -> Resolved<Self::Condition, Self::Failure>;

    /// Combines conditions.
    fn join(operator: Operator, parts: Vec<Self::Condition>) -> Self::Condition;

    /// Returns the most terms that a condition looks up.
    fn num_terms(condition: &Self::Condition) -> usize;
}

struct Resolver<'a, F> {
    fields: &'a F,
    text: QueryPlace<'a>,
    num_terms: usize,
    faults: Vec<QueryFault>,
    /// Set by a fault after which nothing is looked up.
    has_stopped: bool,
}

/// Reads a query, or a query inside a longer text.
///
/// # Errors
///
/// * A name or value cannot be looked up.
pub fn read<F: QueryFields>(text: QueryPlace<'_>, fields: &F) -> Resolved<F::Condition, F::Failure> {
    let mut resolver = Resolver { fields, text, num_terms: 0, faults: Vec::new(), has_stopped: false };
    let grammar = Grammar { has_units: F::HAS_UNITS, near_genes_max: F::NEAR_GENES_MAX, embeds: F::embeds };
    let query = parse(text, grammar).fold(&mut |part| resolver.condition(part), F::join)?;
    Ok(if resolver.faults.is_empty() { Ok(query) } else { Err(resolver.faults) })
}

impl<F: QueryFields> Resolver<'_, F> {
    fn condition(&mut self, part: Part) -> Result<F::Condition, F::Failure> {
        match part {
            Part::Field(name, place, values) if !self.has_stopped => {
                let field = self.fields.field(&name, self.text.at(&place))?;
                let field = field.map_err(|fault| self.add(vec![fault])).ok();
                let understood = field.as_ref().map_or("a value", F::understood);
                values.fold(&mut |value| self.value(value, field.as_ref(), understood), F::join)
            }
            part => self.value(part, None, F::UNDERSTOOD),
        }
    }

    /// Values of a field that does not exist are ignored. The result for a query with faults is not
    /// used: the faulty parts match everything.
    fn value(
        &mut self,
        part: Part,
        field: Option<&F::Field>,
        understood_here: &str,
    ) -> Result<F::Condition, F::Failure> {
        match (part, field) {
            _ if self.has_stopped => {}
            (Part::Fault(problem, understood, place), _) => {
                self.add(vec![self.text.at(&place).fault(problem, understood.as_deref().unwrap_or(understood_here))]);
            }
            (Part::Value(value, place), Some(field)) => {
                let place = self.text.at(&place);
                match self.fields.condition(field, value, place)? {
                    Ok(condition) => {
                        self.num_terms += F::num_terms(&condition);
                        if self.num_terms <= QUERY_TERMS_MAX {
                            return Ok(condition);
                        }
                        let understood = format!(
                            "{QUERY_TERMS_MAX} terms; a range counts one for each power of two that it touches"
                        );
                        self.add(vec![place.fault("the query has too many terms", &understood)]);
                        self.has_stopped = true;
                    }
                    Err(faults) => self.add(faults),
                }
            }
            _ => {}
        }
        Ok(F::join(Operator::All, Vec::new()))
    }

    fn add(&mut self, faults: Vec<QueryFault>) {
        self.faults.extend(faults);
        self.faults.truncate(FAULTS_MAX);
        self.has_stopped = self.faults.len() == FAULTS_MAX;
    }
}
