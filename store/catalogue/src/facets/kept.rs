//! The columns of a generation that were used last.

use std::sync::Arc;

use store::WeightedCache;

use super::FacetField;
use super::column::FacetColumn;

/// The number of columns of all resources with one value each that fit.
const KEPT_MAX: usize = 4;

/// Space for different values.
const VALUES_BYTES: usize = 48 << 20;

/// By type and field.
pub(crate) struct FacetColumns(WeightedCache<(String, FacetField), Arc<FacetColumn>>);

impl FacetColumns {
    pub(crate) fn new(num_resources: u32) -> Self {
        Self(WeightedCache::new(VALUES_BYTES + KEPT_MAX * 2 * size_of::<u32>() * num_resources as usize))
    }

    pub(crate) fn get(&self, resource_type: &str, field: &FacetField) -> Option<Arc<FacetColumn>> {
        self.0.get(&(resource_type.to_owned(), field.clone()))
    }

    pub(super) fn put(&self, resource_type: &str, field: &FacetField, column: &Arc<FacetColumn>) {
        self.0.put((resource_type.to_owned(), field.clone()), Arc::clone(column), column.size_bytes());
    }
}
