//! The first two stages of a run: all is read and merged.

use indexer::Result;
use indexer::run::{Rows, StageReport};
use indexer::sort::SortSpace;
use store::InputEntry;

use super::StoredCatalogue;
use crate::merge::documents::{Documents, StoredDocuments, Unplaced};
use crate::merge::gather::{Collector, Gathered, Placed};
use crate::merge::merged::Merging;
use crate::merge::partials::Partials;
use crate::read::identity::Identifier;
use crate::read::pieces::Limits;
use crate::read::present::Present;
use crate::read::rows::{InputFiles, Row, read_rows};
use crate::shape::keys::default_key;
use crate::write::changes::Changes;

pub(super) struct AllGathered {
    pub(super) gathered: Gathered,
    /// The resources of the present generation that do not stay as they are, unless all are made anew.
    pub(super) changes: Option<Changes>,
    pub(super) entries: Vec<InputEntry>,
    pub(super) unplaced: Unplaced,
    /// Those of partial resources and documents, and of resources that did not come, and were made.
    pub(super) numbers: StoredCatalogue,
    pub(super) stage: StageReport,
}

/// Reads the resources of all inputs.
pub(super) fn gather(
    inputs: InputFiles<'_>,
    limits: Limits,
    space: SortSpace<'_>,
    identifier: Identifier,
    (partials, documents): (&Partials, &Documents),
    present: Option<&Present>,
    rows: &mut Rows,
) -> Result<AllGathered> {
    let merging = Merging { identifier: &identifier, partials, documents, key_of: default_key };
    let mut collector = Collector::new(space, present.map_or(0, Present::num_changes_max));
    let known = present.map(|present| StoredDocuments { stored: &present.stored, identifier: &identifier });
    let with_known = known.as_ref().map_or(merging, |known| Merging { documents: known, ..merging });
    let (entries, stage) =
        read_rows(inputs, limits, rows, |row| with_known.merge(row), |resource| collector.add(resource?))?;
    let Placed { num_derived, num_asides, unplaced } = collector.add_documents(merging, documents)?;
    let mut changes = None;
    if let Some(present) = present {
        changes = Changes::find(present, collector.take_arrivals(), partials, &identifier)?;
        collector.add_references(changes.as_ref().map_or(&[], |changes| &changes.references));
        let ordinals = changes.as_ref().map(|changes| &*changes.again);
        let none = Documents::default();
        let merge = |row: Row<'_>| Merging { documents: &none, ..merging }.merge(row);
        let collect = |ordinal, resource| collector.add_earlier(ordinal, resource?);
        present.for_each_kept(ordinals, &identifier, limits.num_threads, merge, collect)?;
    }
    let (num_partials_merged, num_partials_without_row) =
        partials.num_merged_and_others(|identity| collector.has(identity));
    let num_root = if changes.is_some() { 0 } else { collector.add_root(merging)? };
    let numbers = StoredCatalogue {
        num_derived: num_derived + num_root,
        num_partials_merged,
        num_partials_without_row,
        num_documents_merged: documents.num_merged(),
        num_documents_combined: documents.num_combined + num_asides,
        num_documents_without_row: unplaced.num_lines(),
        ..StoredCatalogue::default()
    };
    Ok(AllGathered { gathered: collector.finish(identifier)?, changes, entries, unplaced, numbers, stage })
}
