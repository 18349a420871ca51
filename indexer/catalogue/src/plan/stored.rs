//! The numbers of what a load of a catalogue has stored.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::write::Written;

/// The numbers of what a load of a catalogue has stored. Rows accepted and resources derived are those stored, replaced, passed over in `included`, and
/// private, and partial resources and documents with and without a row.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StoredCatalogue {
    /// Resources of the generation before, if they were kept: those derived are made anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_present: Option<u64>,
    /// Resources of the generation before that were removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_removed: Option<u64>,
    /// Resources in the generation.
    pub num_stored: u64,
    /// The same by type.
    pub stored: BTreeMap<String, u64>,
    /// Rows that a later one of the same type and id (and version, for tools) replaced.
    pub num_replaced: u64,
    /// Rows in `included`, of resources that came otherwise too or in `included` again.
    pub num_included_passed_over: u64,
    /// Resources that are private in the end, and so neither stored nor named.
    pub num_private: u64,
    /// Resources that no input had: the root of the biomes, pipelines and experiment types that others name, and what is only embedded in
    /// documents of version 2.
    pub num_derived: u64,
    /// Partial resources that were merged into rows.
    pub num_partials_merged: u64,
    /// Partial resources that had no effect, since no row has their type and id.
    pub num_partials_without_row: u64,
    /// Lines of documents of version 2 that were merged into rows.
    pub num_documents_merged: u64,
    /// Lines of documents of version 2 that tell of a resource which other lines tell of, too.
    pub num_documents_combined: u64,
    /// Lines of documents of version 2 that had no effect, since what they belong to did not come.
    pub num_documents_without_row: u64,
    /// Resources that others name, but that are not there, by type.
    pub missing: BTreeMap<String, u64>,
}

impl StoredCatalogue {
    /// Adds the numbers of what was written, and of what was not.
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

    /// Returns how many rows and derived resources these numbers account for.
    pub(super) fn num_accounted(&self) -> u64 {
        let superseded = self.num_replaced + self.num_included_passed_over;
        let partials = self.num_partials_merged + self.num_partials_without_row;
        let documents = self.num_documents_merged + self.num_documents_combined + self.num_documents_without_row;
        self.num_stored + superseded + self.num_private + partials + documents
    }
}
