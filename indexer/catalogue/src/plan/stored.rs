//! The numbers of resources that a load of a catalogue has stored.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::write::Written;

/// The numbers of resources that a load of a catalogue has stored. Accepted rows and derived
/// resources add up to those stored, replaced, passed over in `included`, and private, and to
/// partial resources and documents with and without a row.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StoredCatalogue {
    /// Resources of the previous generation, if they were kept; derived ones are made again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_present: Option<u64>,
    /// Resources of the previous generation that were removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_removed: Option<u64>,
    /// Resources in the generation.
    pub num_stored: u64,
    /// The same by type.
    pub stored: BTreeMap<String, u64>,
    /// Rows that a later row of the same type and id (and version, for tools) replaced.
    pub num_replaced: u64,
    /// Rows in `included` that another row of the same resource replaced.
    pub num_included_passed_over: u64,
    /// Private resources, which are neither stored nor named.
    pub num_private: u64,
    /// Resources that are in no input: the root of the biomes, pipelines and experiment types that
    /// others name, and objects that are only embedded in documents of version 2.
    pub num_derived: u64,
    /// Partial resources that were merged into rows.
    pub num_partials_merged: u64,
    /// Partial resources that had no effect, since no row has their type and id.
    pub num_partials_without_row: u64,
    /// Lines of documents of version 2 that were merged into rows.
    pub num_documents_merged: u64,
    /// Lines of documents of version 2 about a resource that other lines describe too.
    pub num_documents_combined: u64,
    /// Lines of documents of version 2 that had no effect, since their resource is not in the
    /// input.
    pub num_documents_without_row: u64,
    /// Resources that others name, but that do not exist, by type.
    pub missing: BTreeMap<String, u64>,
}

impl StoredCatalogue {
    /// Adds the numbers of resources that were written, and of those that were not.
    pub(crate) fn with(self, Written { contents, stored, num_private, superseded, .. }: Written) -> Self {
        Self {
            num_stored: stored.by_type.values().sum(),
            stored: stored.by_type,
            num_replaced: superseded.num_replaced,
            num_included_passed_over: superseded.num_included,
            num_private,
            num_derived: self.num_derived + stored.num_derived,
            missing: contents.missing,
            ..self
        }
    }

    /// Returns the number of rows and derived resources that these numbers account for.
    pub(super) fn num_accounted(&self) -> u64 {
        let superseded = self.num_replaced + self.num_included_passed_over;
        let partials = self.num_partials_merged + self.num_partials_without_row;
        let documents = self.num_documents_merged + self.num_documents_combined + self.num_documents_without_row;
        self.num_stored + superseded + self.num_private + partials + documents
    }
}
