//! Conditions before proteins were asked for.

use std::convert::Infallible;

use store_catalogue::Condition;
use store_proteins::ProteinQuery;

/// What must be satisfied.
#[derive(Debug)]
pub(super) enum ConditionTree {
    Plain(Condition),
    /// Proteins that match occur in it.
    HasProteins(ProteinQuery),
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
}

impl ConditionTree {
    /// Returns the condition that everything satisfies.
    pub(super) const fn everything() -> Self {
        Self::All(Vec::new())
    }

    pub(super) fn asks_for_proteins(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::HasProteins(_) => true,
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::asks_for_proteins),
            Self::Not(part) => part.asks_for_proteins(),
        }
    }

    /// Returns conditions that all must be satisfied.
    pub(super) fn into_parts(self) -> Vec<Self> {
        match self {
            Self::All(parts) => parts.into_iter().flat_map(Self::into_parts).collect(),
            part => vec![part],
        }
    }

    /// Makes one condition of it. Nothing satisfies a part that asks for proteins.
    pub(super) fn plain(self) -> Condition {
        let nothing = |_: &ProteinQuery| Ok::<_, Infallible>(Condition::AnyOf(Vec::new()));
        self.into_condition(&nothing).unwrap_or_else(|never| match never {})
    }

    /// Makes one condition of it, with those that tell where proteins occur.
    pub(super) fn into_condition<E>(
        self,
        occurring: &impl Fn(&ProteinQuery) -> Result<Condition, E>,
    ) -> Result<Condition, E> {
        let each = |parts: Vec<Self>| {
            parts.into_iter().map(|part| part.into_condition(occurring)).collect::<Result<Vec<_>, E>>()
        };
        Ok(match self {
            Self::Plain(condition) => condition,
            Self::HasProteins(query) => occurring(&query)?,
            Self::All(parts) => Condition::AllOf(each(parts)?),
            Self::Any(parts) => Condition::AnyOf(each(parts)?),
            Self::Not(part) => Condition::Not(Box::new(part.into_condition(occurring)?)),
        })
    }
}
