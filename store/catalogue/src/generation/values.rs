//! Values of all resources of a generation: keys, units, values and places.

use std::collections::BTreeSet;

use store::Result;

use super::CatalogueGeneration;
use crate::facets::build::FacetBuilder;
use crate::facets::count::count;
use crate::index::key::Key;
use crate::index::key_range::KeyRange;
use crate::index::schema::KeyField;
use crate::model::same_keys;
use crate::{Effort, FacetCounts, FacetField, Faceted, Known, Listing, MetadataKey, MetadataUnit, Ordinal};

/// A point on earth at which samples were taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Degrees east.
    pub longitude: f64,
    /// Degrees north.
    pub latitude: f64,
    /// The number of resources there.
    pub num_resources: u64,
}

/// The number of resources of a listing that are read together.
const PART: usize = 1024;

impl CatalogueGeneration {
    /// Returns whether the data have the values that a filter requests.
    pub fn knows(&self, what: &Known) -> Result<bool> {
        self.read(|| match what {
            Known::Lineage(resource_type, lineage) => {
                self.index.has(&Key::term(KeyField::Lineage, &[resource_type], lineage))
            }
            Known::MetadataKey(key) => {
                let mut terms = self.contents().types.keys().map(|name| Key::term(KeyField::MetadataKey, &[name], key));
                terms.try_fold(false, |is_known, term| Ok(is_known || self.index.has(&term)?))
            }
            Known::Attribute(resource_type, name) => {
                self.index.has_any(&KeyRange::prefixed(&Key::prefix(KeyField::Attribute, &[resource_type, name])))
            }
            Known::AttributeValue(resource_type, name, value) => {
                self.index.has(&Key::term(KeyField::Attribute, &[resource_type, name], value.trim()))
            }
        })
    }

    /// Returns the used keys that have the same meaning as a key of either version: that key first,
    /// if it is used.
    pub fn known_keys(&self, key: &str) -> Result<Vec<String>> {
        let mut known = Vec::new();
        for key in same_keys(key).into_iter().map(str::to_owned) {
            if self.knows(&Known::MetadataKey(key.clone()))? {
                known.push(key);
            }
        }
        Ok(known)
    }

    /// Returns the lineages of the biomes of resources of a type and of all biomes above them, in
    /// order.
    pub fn lineages(&self, resource_type: &str) -> Result<Vec<String>> {
        self.read(|| self.index.last_texts(KeyField::Lineage, &[resource_type]))
    }

    /// Returns the keys of the metadata of resources of a type, in order.
    pub fn metadata_keys(&self, resource_type: &str) -> Result<Vec<String>> {
        self.read(|| self.index.last_texts(KeyField::MetadataKey, &[resource_type]))
    }

    /// Returns the units of the numbers that resources of a type have for a key of their metadata,
    /// in order. The empty unit means numbers without one.
    pub fn units(&self, resource_type: &str, key: &str) -> Result<Vec<String>> {
        self.read(|| {
            let mut with_numbers = BTreeSet::new();
            for key in same_keys(key) {
                for unit in self.index.last_texts(KeyField::MetadataUnit, &[resource_type, key])? {
                    let numbers = Key::prefix(KeyField::MetadataNumber, &[resource_type, key, &unit]);
                    if self.index.has_any(&KeyRange::prefixed(&numbers))? {
                        with_numbers.insert(unit);
                    }
                }
            }
            Ok(with_numbers.into_iter().collect())
        })
    }

    /// Counts the resources of a listing of one type by their values: the `num_texts` most frequent
    /// texts, and numbers in at most `num_ranges` ranges for each unit. The values of a field are
    /// read when they are first needed, and cached.
    pub fn facet(
        &self,
        resource_type: &str,
        listing: &Listing,
        field: &FacetField,
        num_texts: usize,
        num_ranges: usize,
        effort: &Effort,
    ) -> Result<Faceted> {
        let Some(of_type) = self.contents().types.get(resource_type) else {
            return Ok(Faceted::Counted(FacetCounts::default()));
        };
        let Self { index, columns, facet_columns: kept, .. } = self;
        let builder = FacetBuilder { contents: self.contents(), index, columns, kept, effort };
        let Some(column) = self.read(|| builder.column(resource_type, field))? else { return Ok(Faceted::TooMany) };
        let counts = count(&column, listing, of_type.first, num_texts, num_ranges, effort);
        Ok(counts.map_or(Faceted::Cancelled, Faceted::Counted))
    }

    /// Returns whether the values of a field are in memory, so that counting by it is cheap.
    pub fn has_facet_values(&self, resource_type: &str, field: &FacetField) -> bool {
        self.facet_columns.get(resource_type, field).is_some()
    }

    /// Returns the names of the attributes that resources of a type have, in order.
    pub fn attribute_names(&self, resource_type: &str) -> Result<BTreeSet<String>> {
        self.read(|| self.index.next_texts(&Key::prefix(KeyField::Attribute, &[resource_type])))
    }

    /// Returns the keys of metadata that resources of a type have, those of the most resources
    /// first. Stops when the effort ends.
    pub fn summarize_metadata(&self, resource_type: &str, effort: &Effort) -> Result<Vec<MetadataKey>> {
        self.read(|| {
            let mut keys = Vec::new();
            for key in self.index.last_texts(KeyField::MetadataKey, &[resource_type])? {
                if !effort.may_continue() {
                    break;
                }
                let num_resources = self.index.num_docs(&Key::term(KeyField::MetadataKey, &[resource_type], &key))?;
                let mut units = Vec::new();
                for unit in self.index.last_texts(KeyField::MetadataUnit, &[resource_type, &key])? {
                    let term = Key::term(KeyField::MetadataUnit, &[resource_type, &key], &unit);
                    let numbers = Key::prefix(KeyField::MetadataNumber, &[resource_type, &key, &unit]);
                    let bounds = self.index.number_bounds(&numbers)?;
                    units.push(MetadataUnit { num_resources: self.index.num_docs(&term)?, bounds, unit });
                }
                keys.push(MetadataKey { key, num_resources, units });
            }
            keys.sort_by(|left, right| (right.num_resources, &left.key).cmp(&(left.num_resources, &right.key)));
            Ok(keys)
        })
    }

    /// Returns the places of all resources of a listing with both coordinates, ascending by
    /// longitude, then latitude.
    pub fn places(&self, listing: &Listing) -> Result<Vec<Place>> {
        self.read(|| Ok(self.columns.coordinates(&self.index)?.places(listing)))
    }

    /// Returns whether any resource of a listing has both coordinates.
    pub fn has_places(&self, listing: &Listing) -> Result<bool> {
        self.read(|| {
            let coordinates = self.columns.coordinates(&self.index)?;
            let mut parts = (0..listing.len()).step_by(PART).map(|start| listing.ordinals(start..start + PART));
            Ok(parts.any(|part| part.into_iter().any(|ordinal| coordinates.of(ordinal).is_some())))
        })
    }

    /// Returns the degrees east and north of a resource, or `None` if it lacks one of them.
    pub fn coordinates(&self, ordinal: Ordinal) -> Result<Option<(f64, f64)>> {
        self.read(|| Ok(self.columns.coordinates(&self.index)?.of(ordinal)))
    }
}
