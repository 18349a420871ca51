//! The tree of a query, as it is written and as it is resolved.

use std::ops::Range;

use super::lexer::Bound;

/// Single conditions and their combinations.
#[derive(Clone, Debug)]
pub enum QueryTree<L> {
    /// A single condition.
    Leaf(L),
    /// Several conditions.
    Joined(Operator, Vec<Self>),
}

/// The ways to combine conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// All are satisfied. Everything satisfies an empty list.
    All,
    /// At least one is satisfied.
    Any,
    /// The only one is not satisfied.
    Not,
    /// The first of two is satisfied, and something near satisfies the second.
    Near(Nearness),
}

/// The meaning of `near` between two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearness {
    /// The most genes from one to the other.
    pub genes: u64,
    /// Set if both are on the same strand.
    pub same_strand: bool,
}

/// A part of a query as it is written.
pub(super) enum Part {
    /// The name of a field and its place, with its values. The values are only values and faults.
    Field(String, Range<usize>, Box<QueryTree<Self>>),
    Value(QueryValue, Range<usize>),
    /// A problem, and a description of the accepted input: `None` means the expected input at this
    /// place, a condition or a value of the field.
    Fault(String, Option<String>, Range<usize>),
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryValue {
    /// A text, without quotation marks and backslashes, and the unit after it.
    Text(String, Option<String>),
    /// A range with an optional lower and upper bound, and the unit after it.
    Range([Option<Bound>; 2], Option<String>),
    /// Conditions on other objects. They are at the place of the value.
    Embedded,
}

impl<L> QueryTree<L> {
    /// Returns the condition that everything satisfies.
    pub(super) const fn everything() -> Self {
        Self::Joined(Operator::All, Vec::new())
    }

    /// Converts each single condition, in the order in which they are written, and combines the
    /// results: two or more, negated ones, and none.
    ///
    /// # Errors
    ///
    /// * A condition cannot be converted.
    pub fn fold<M, E>(self, leaf: &mut impl FnMut(L) -> Result<M, E>, join: fn(Operator, Vec<M>) -> M) -> Result<M, E> {
        let (operator, parts) = match self {
            Self::Leaf(condition) => return leaf(condition),
            Self::Joined(operator, parts) => (operator, parts),
        };
        let mut parts: Vec<M> = parts.into_iter().map(|part| part.fold(leaf, join)).collect::<Result<_, E>>()?;
        let is_one = parts.len() == 1 && operator != Operator::Not;
        Ok(if is_one { parts.remove(0) } else { join(operator, parts) })
    }
}
