//! Filters: what parameters ask for.

mod asked;
mod combined;
mod text;

use std::collections::BTreeSet;

use store::Condition;

use self::asked::Asked;
use self::combined::Combined;
use super::query::Query;
use crate::catalogue::collections::collection::Collection;
use crate::catalogue::collections::filter::FilterKind;
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::snapshot::Snapshot;

/// Returns what the query asks of the resources of a collection. A filter with an empty value is none.
pub(crate) fn conditions(
    collection: &Collection,
    query: &Query,
    snapshot: &Snapshot,
) -> Result<Vec<Condition>, CatalogueProblem> {
    let mut conditions = Vec::new();
    let mut combined = Combined::default();
    for filter in collection.filters() {
        let asked = Asked { collection, parameter: filter.name, snapshot };
        match filter.kind {
            FilterKind::AnyIdentifier | FilterKind::MainIdentifier => {
                let mut seen = BTreeSet::new();
                let values = query.filter(filter.name).into_iter();
                let items = values.flat_map(text::items).filter(|item| seen.insert(*item));
                let identifiers: Vec<_> = items.map(str::to_owned).collect();
                if filter.kind == FilterKind::MainIdentifier {
                    asked.check_main_identifiers(&identifiers)?;
                }
                // No identifier at all is no filter.
                if !identifiers.is_empty() {
                    conditions.push(Condition::Identified(identifiers));
                }
            }
            FilterKind::Choice(choice) => {
                let given = query.filter(filter.name);
                let values: Vec<_> = if choice.is_comma_list {
                    given.last().into_iter().flat_map(|list| text::items(list)).collect()
                } else {
                    given.into_iter().filter(|value| !value.is_empty()).collect()
                };
                if !values.is_empty() {
                    conditions.push(asked.choice(&choice, &values)?);
                }
            }
            kind => {
                let Some(&value) = query.filter(filter.name).last().filter(|value| !value.is_empty()) else { continue };
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
