//! The tree of a query: as it is written, and what becomes of it.

use std::ops::Range;

use super::lexer::Bound;

/// Single conditions, put together.
#[derive(Clone, Debug)]
pub enum QueryTree<L> {
    /// A single condition.
    Leaf(L),
    /// Several conditions.
    Joined(Operator, Vec<Self>),
}

/// Puts conditions together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// All are satisfied. Everything satisfies none.
    All,
    /// Any is satisfied.
    Any,
    /// The only one is not satisfied.
    Not,
}

/// A part of a query as it is written.
pub(super) enum Part {
    /// The name of a field and its place, with its values, which are values and faults alone.
    Field(String, Range<usize>, Box<QueryTree<Self>>),
    Value(QueryValue, Range<usize>),
    /// A problem, and what is understood: `None` stands for what is at this place, a condition or a value of the field.
    Fault(String, Option<String>, Range<usize>),
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryValue {
    /// A text, without quotation marks and backslashes, and the unit behind it.
    Text(String, Option<String>),
    /// All from a lower bound, if there is one, to an upper one, and the unit behind them.
    Range([Option<Bound>; 2], Option<String>),
    /// Conditions on something else. They are at the place of the value.
    Embedded,
}

impl<L> QueryTree<L> {
    /// Returns the condition that everything satisfies.
    pub(super) const fn everything() -> Self {
        Self::Joined(Operator::All, Vec::new())
    }

    /// Makes something else of each single condition, in the order in which they are written, and joins two or more, those that are not
    /// satisfied, and none.
    ///
    /// # Errors
    ///
    /// * Nothing can be made of a condition.
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
