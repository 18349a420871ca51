//! Makes conditions of filters.

mod areas;
pub(super) mod dates;
mod filter_request;
pub(crate) mod text;

use std::collections::BTreeMap;

use store_catalogue::{Bounds, Condition, Coordinate, measured};

use super::query::Query;
use crate::collections::Collection;
use crate::collections::filter::{Filter, FilterScope};
use crate::problem::CatalogueProblem;
use crate::snapshot::Snapshot;
use dates::DateBounds;
use filter_request::FilterRequest;

/// Returns the conditions of a query for the resources of a collection. Filters with an empty value
/// are ignored.
pub(crate) fn conditions(
    collection: &Collection,
    query: &Query,
    snapshot: &Snapshot,
) -> Result<Vec<Condition>, CatalogueProblem> {
    let (mut conditions, mut combined) = (Vec::new(), Combined::default());
    for filter in collection.filters() {
        let request = FilterRequest { collection, parameter: filter.name, snapshot };
        conditions.extend(request.condition(filter.kind, &query.filter(filter.name), &mut combined)?);
    }
    conditions.extend(combined.into_conditions());
    Ok(conditions)
}

/// Returns the conditions of a filter with a value.
pub(super) fn value_conditions(
    collection: &Collection,
    filter: &Filter,
    value: &str,
    snapshot: &Snapshot,
) -> Result<Vec<Condition>, CatalogueProblem> {
    let (request, mut combined) = (FilterRequest { collection, parameter: filter.name, snapshot }, Combined::default());
    let condition = request.condition(filter.kind, &[value], &mut combined)?;
    Ok(condition.into_iter().chain(combined.into_conditions()).collect())
}

/// Returns the condition for the resources of a collection that are linked with another resource,
/// even if that was not loaded.
pub(super) fn linked(
    collection: &Collection,
    resource_type: &str,
    identifier: &str,
    snapshot: &Snapshot,
) -> Result<Condition, CatalogueProblem> {
    FilterRequest { collection, parameter: "", snapshot }.linked(resource_type, identifier)
}

#[derive(Debug, Default)]
struct Combined {
    /// Degrees north.
    latitude: Bounds,
    /// Degrees east.
    longitude: Bounds,
    /// By attribute.
    dates: BTreeMap<&'static str, DateBounds>,
    /// The key itself if samples have it, otherwise all keys with the same meaning in either
    /// version.
    metadata_keys: Vec<String>,
    metadata_value: Option<String>,
    metadata_bounds: Bounds,
    /// Set by any condition on metadata. All filters of a collection use the same scope.
    metadata_scope: Option<FilterScope>,
}

impl Combined {
    fn date(&mut self, attribute: &'static str) -> &mut DateBounds {
        self.dates.entry(attribute).or_default()
    }

    fn coordinate(&mut self, coordinate: Coordinate) -> &mut Bounds {
        match coordinate {
            Coordinate::Latitude => &mut self.latitude,
            Coordinate::Longitude => &mut self.longitude,
        }
    }

    fn metadata(&mut self, scope: FilterScope) -> &mut Self {
        self.metadata_scope = Some(scope);
        self
    }

    fn bounds(&mut self, scope: FilterScope) -> &mut Bounds {
        &mut self.metadata(scope).metadata_bounds
    }

    fn into_conditions(self) -> Vec<Condition> {
        let coordinates = [(Coordinate::Latitude, self.latitude), (Coordinate::Longitude, self.longitude)];
        let bounded = coordinates.into_iter().filter(|(_, bounds)| *bounds != Bounds::default());
        let mut conditions: Vec<_> =
            bounded.map(|(coordinate, bounds)| Condition::Coordinate(coordinate, bounds)).collect();
        conditions.extend(self.dates.into_iter().map(|(attribute, bounds)| {
            let (from, to) = bounds.text_bounds();
            Condition::AttributeDated(attribute.to_owned(), from, to)
        }));
        let Self { metadata_keys: keys, metadata_value: value, metadata_bounds: bounds, .. } = self;
        // The index stores a number and its unit separately, even if they were one text.
        let (value, unit) = match value.as_deref().and_then(measured) {
            Some((number, unit)) => (Some(number.to_owned()), Some(unit)),
            None => (value, None),
        };
        let metadata = |scope: FilterScope| scope.apply(Condition::Metadata { keys, value, bounds, unit });
        conditions.extend(self.metadata_scope.map(metadata));
        conditions
    }
}

#[cfg(test)]
mod tests;
