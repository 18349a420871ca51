//! The fields by which resources can be counted.

use std::collections::BTreeSet;

use api_http::error::shown;
use store_catalogue::model::{RUNS, SortKey, name_of_version_1};
use store_catalogue::{AttributeForm, Coordinate, FacetField, FacetScope, FacetValues, Known};

use super::BY_MAX;
use crate::collections::Collection;
use crate::collections::filter::{FilterKind, FilterScope};
use crate::problem::CatalogueProblem;
use crate::request::query::Query;
use crate::request::similar_names::advice;
use crate::snapshot::Snapshot;

const BIOME: &str = "biome";
const COUNTRY: &str = "country";
const YEAR: &str = "year";
const METADATA: &str = "metadata";

/// The attributes with countries and years.
const PLACE: &str = "geo_loc_name";
const COLLECTED: &str = "collection_date";

/// The most levels of a lineage that a request may count by.
const LEVELS_MAX: usize = 100;

/// Reads the fields that a request counts by, each with its name.
pub(super) fn read(
    collection: &Collection,
    query: &Query,
    snapshot: &Snapshot,
) -> Result<Vec<(String, FacetField)>, CatalogueProblem> {
    let names: Vec<&str> = query.pairs().filter(|(name, _)| *name == "by").map(|(_, value)| value.trim()).collect();
    let mut seen = BTreeSet::new();
    let names: Vec<&str> = names.into_iter().filter(|name| seen.insert(*name)).collect();
    let reader = FieldReader { collection, snapshot };
    if names.is_empty() {
        let detail = format!("Enter a field to count by{}", advice("", &reader.possible_fields()?));
        return Err(CatalogueProblem::refused("by", detail));
    }
    if names.len() > BY_MAX {
        return Err(CatalogueProblem::refused("by", format!("A request can count by at most {BY_MAX} fields.")));
    }
    names.into_iter().map(|name| Ok((name.to_owned(), reader.field(name)?))).collect()
}

struct FieldReader<'a> {
    collection: &'a Collection,
    snapshot: &'a Snapshot,
}

impl FieldReader<'_> {
    fn field(&self, name: &str) -> Result<FacetField, CatalogueProblem> {
        let (kind, argument) = name.split_once(':').map_or((name, None), |(kind, argument)| (kind, Some(argument)));
        let form = |attribute: &str, form| FacetValues::Attribute(attribute.to_owned(), form);
        let found = match (kind, argument) {
            (BIOME, levels) => match (self.collection.biome_scope(), levels.map(str::parse).transpose()) {
                (None, _) => None,
                (Some(scope), Ok(levels)) if levels.is_none_or(|levels| (1..=LEVELS_MAX).contains(&levels)) => {
                    Some((scope, FacetValues::Lineage(levels)))
                }
                (Some(_), _) => {
                    let detail = format!("The number of levels must be from 1 to {LEVELS_MAX}, as in biome:2.");
                    return Err(CatalogueProblem::refused("by", detail));
                }
            },
            (METADATA, Some(key)) => match self.collection.metadata_scope() {
                Some(scope) => {
                    self.check_key(key)?;
                    Some((scope, FacetValues::Metadata(key.to_owned())))
                }
                None => None,
            },
            (COUNTRY, None) => {
                self.collection.metadata_scope().map(|scope| (scope, form(PLACE, AttributeForm::Country)))
            }
            (YEAR, None) => self.collection.metadata_scope().map(|scope| (scope, form(COLLECTED, AttributeForm::Year))),
            (YEAR, Some(attribute)) => {
                let attribute = attribute.replace('-', "_");
                self.scope_of(&attribute)?.map(|scope| (scope, form(&attribute, AttributeForm::Year)))
            }
            ("latitude", None) if self.has_coordinates() => {
                Some((FilterScope::Own, FacetValues::Coordinate(Coordinate::Latitude)))
            }
            ("longitude", None) if self.has_coordinates() => {
                Some((FilterScope::Own, FacetValues::Coordinate(Coordinate::Longitude)))
            }
            (_, None) => {
                let attribute = name.replace('-', "_");
                let of_version_1 = name_of_version_1(&self.collection.resource_type, &attribute);
                match (self.attribute(&attribute)?, of_version_1) {
                    (None, Some(attribute)) => self.attribute(&attribute)?,
                    (found, _) => found,
                }
            }
            (_, Some(_)) => None,
        };
        let Some((scope, values)) = found else {
            let detail = format!("Cannot count by {:?}{}", shown(name), advice(name, &self.possible_fields()?));
            return Err(CatalogueProblem::refused("by", detail));
        };
        let scope = match scope {
            FilterScope::Own => FacetScope::Own,
            FilterScope::Samples => FacetScope::OfSamples,
            FilterScope::Runs => FacetScope::SampleOf(RUNS.to_owned()),
        };
        Ok(FacetField { scope, values })
    }

    /// Returns the values of an attribute and the resources that have it, if there are any.
    fn attribute(&self, name: &str) -> Result<Option<(FilterScope, FacetValues)>, CatalogueProblem> {
        let form = if self.is_number(name) { AttributeForm::Number } else { AttributeForm::Text };
        Ok(self.scope_of(name)?.map(|scope| (scope, FacetValues::Attribute(name.to_owned(), form))))
    }

    fn has_coordinates(&self) -> bool {
        self.collection.filters().any(|filter| matches!(filter.kind, FilterKind::CoordinateMin(_)))
    }

    /// Returns the resources that have an attribute: those that a filter by it checks, otherwise
    /// the resource itself if any has it.
    fn scope_of(&self, attribute: &str) -> Result<Option<FilterScope>, CatalogueProblem> {
        let of_filter = filtered(self.collection).find(|(name, _)| *name == attribute);
        if let Some((_, scope)) = of_filter {
            return Ok(Some(scope));
        }
        let of_type = Known::Attribute(self.collection.resource_type.to_string(), attribute.to_owned());
        let is_there = is_shown(attribute) && self.snapshot.knows(&of_type)?;
        Ok(is_there.then_some(FilterScope::Own))
    }

    fn is_number(&self, attribute: &str) -> bool {
        let mut orders = self.collection.orders.iter();
        orders.any(|(_, key)| matches!(key, SortKey::Number(name) if name.replace('-', "_") == attribute))
            || self.collection.filters().any(|filter| match filter.kind {
                FilterKind::Number(name) | FilterKind::NumberMin(name) | FilterKind::NumberMax(name) => {
                    name == attribute
                }
                _ => false,
            })
    }

    fn check_key(&self, key: &str) -> Result<(), CatalogueProblem> {
        if !self.snapshot.known_keys(key)?.is_empty() {
            return Ok(());
        }
        let detail = format!(
            "No sample has metadata with the key {:?}. /samples/{} lists the keys.",
            shown(key),
            super::METADATA_KEYS
        );
        Err(CatalogueProblem::refused("by", detail))
    }

    fn possible_fields(&self) -> Result<Vec<String>, CatalogueProblem> {
        let mut possible: Vec<String> = Vec::new();
        if self.collection.biome_scope().is_some() {
            possible.extend([BIOME, "biome:LEVELS"].map(str::to_owned));
        }
        if self.collection.metadata_scope().is_some() {
            possible.extend([COUNTRY, YEAR, "year:ATTRIBUTE", "metadata:KEY"].map(str::to_owned));
        }
        if self.has_coordinates() {
            possible.extend(["latitude", "longitude"].map(str::to_owned));
        }
        let mut attributes = self.snapshot.attribute_names(&self.collection.resource_type)?;
        attributes.retain(|attribute| is_shown(attribute));
        attributes.extend(filtered(self.collection).map(|(attribute, _)| attribute.to_owned()));
        let known: BTreeSet<String> = possible.iter().cloned().collect();
        possible.extend(attributes.into_iter().filter(|attribute| !known.contains(attribute)));
        Ok(possible)
    }
}

/// Attributes that are only for searches of version 2 are not shown.
fn is_shown(attribute: &str) -> bool {
    !attribute.starts_with('@')
}

/// Returns the attributes that the filters of a collection check, and in which resources.
fn filtered(collection: &Collection) -> impl Iterator<Item = (&'static str, FilterScope)> {
    collection.filters().filter_map(|filter| filter.kind.attribute())
}
