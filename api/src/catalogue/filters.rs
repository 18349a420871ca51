//! Filters: what parameters ask for.

mod asked;
mod combined;
mod text;

use std::collections::BTreeSet;

use store::{Condition, Coordinate};

use self::asked::Asked;
use self::combined::Combined;
use super::collection::Collection;
use super::problem::CatalogueProblem;
use super::query::Query;
use super::snapshot::Snapshot;

#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) name: &'static str,
    pub(super) kind: FilterKind,
    pub(super) description: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfWhat {
    Itself,
    Samples,
}

/// What a filter does with its value. Patterns are regular expressions, without regard to case, not anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterKind {
    /// A comma list of identifiers of any kind, repeatable; unknown ones match nothing.
    AnyIdentifier,
    /// A comma list of main identifiers, repeatable; an unknown one is refused.
    MainIdentifier,
    /// The lineage of a known biome, with all below it; an unknown one is refused.
    Lineage(OfWhat),
    LineagePattern,
    Pattern(&'static str, OfWhat),
    Attribute(&'static str),
    /// A comma list of values of an attribute of the sample's runs; an unknown one is refused.
    OfRuns(&'static str),
    OfRunsPattern(&'static str),
    CoordinateMin(Coordinate),
    CoordinateMax(Coordinate),
    /// A known key of the metadata; an unknown one is refused.
    MetadataKey(OfWhat),
    MetadataValue(OfWhat),
    MetadataMin(OfWhat),
    MetadataMax(OfWhat),
    /// An identifier of a resource of that type, which the resource and that one name each other by; an unknown one matches nothing.
    Linked(&'static str),
    Text,
}

impl Filter {
    pub(super) const fn new(name: &'static str, kind: FilterKind, description: &'static str) -> Self {
        Self { name, kind, description }
    }
}

/// Returns what the query asks of the resources of a collection. A filter with an empty value is none.
///
/// # Errors
///
/// * A value is refused.
/// * The engine failed.
pub(super) fn conditions(
    collection: &Collection,
    query: &Query,
    snapshot: &Snapshot,
) -> Result<Vec<Condition>, CatalogueProblem> {
    let mut conditions = Vec::new();
    let mut combined = Combined::default();
    for filter in collection.filters {
        let asked = Asked { collection, parameter: filter.name, snapshot };
        match filter.kind {
            FilterKind::AnyIdentifier | FilterKind::MainIdentifier => {
                let mut seen = BTreeSet::new();
                let items = query.all(filter.name).flat_map(text::items).filter(|item| seen.insert(*item));
                let identifiers: Vec<_> = items.map(str::to_owned).collect();
                if filter.kind == FilterKind::MainIdentifier {
                    asked.check_main_identifiers(&identifiers)?;
                }
                // No identifier at all is no filter.
                if !identifiers.is_empty() {
                    conditions.push(Condition::Identified(identifiers));
                }
            }
            kind => {
                let Some(value) = query.filled(filter.name) else { continue };
                if matches!(kind, FilterKind::MetadataKey(_)) {
                    asked.check_metadata_key(value)?;
                }
                combined.take(filter, value)?;
                conditions.extend(asked.condition(kind, value)?);
            }
        }
    }
    conditions.extend(combined.into_conditions());
    Ok(conditions)
}

#[cfg(test)]
mod tests;
