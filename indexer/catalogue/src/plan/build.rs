//! The five stages of a run, one after another.

use std::path::Path;

use indexer::run::{Built, LoadReport, Rows, StageReport, Workspace};
use indexer::sort::SortSpace;
use indexer::{Error, Result};
use store::{GenerationKind, durable};
use store_catalogue::CatalogueContents;

use super::{CatalogueChange, CataloguePlan, StoredCatalogue};
use crate::merge::{Collector, Counts, Gathered, Known, Merging, Source, StoredDocuments};
use crate::read::{Identifier, Present, Reader, Removed, RunFiles, TableRules};
use crate::shape::default_key;
use crate::write::{Changes, Output, num_changes_max};

/// The share of the memory (one in N) for sorting, and for the search index while sorted entries
/// are read back.
const SORTING_SHARE: usize = 4;
const INDEX_SHARE: usize = 4;
/// The share for each order; a type has five at most.
const ORDER_SHARE: usize = 64;
/// The share for partial resources.
const PARTIALS_SHARE: usize = 4;

type Report = LoadReport<StoredCatalogue>;

impl CataloguePlan {
    /// Builds a generation in a folder of generations, and compares it with the current one.
    pub(super) fn build(&self, folder: &Path) -> Result<Built<StoredCatalogue, CatalogueContents>> {
        let mut files = RunFiles::list(&self.inputs, &self.tables, &self.links, self.harvest.as_deref())?;
        let Workspace { draft, spill, rows } = self.begin(folder, &files)?;
        let space = |share| SortSpace { folder: &spill, memory_bytes: self.memory_bytes / share };
        let (identifier, limits) = (Identifier::default(), self.limits());
        let stored = self.stored(&spill)?;
        let base = stored.as_ref().map(|stored| stored.contents().clone());
        let (harvested, unknown_harvest) = self.harvested(base.as_ref());
        let lineages = self.lineages(stored.as_ref())?;
        let tables = TableRules { table_type: self.table_type, present: stored.as_ref(), lineages: &lineages };
        let mut reader = Reader::new(rows, limits, tables);
        let removed = match &self.change {
            CatalogueChange::Replace | CatalogueChange::Add => Removed::default(),
            CatalogueChange::Remove(removal) => {
                Removed::find(removal, stored.as_ref(), &files.rows.take_names(), &identifier, &mut reader)?
            }
        };
        let unknown = removed.unknown();
        let present = stored.as_ref().map(|stored| Present { stored, removed });
        let known = Known::read(&files, &identifier, present.as_ref(), space(PARTIALS_SHARE), &mut reader)?;
        let (sorting, num_threads) = (space(SORTING_SHARE), limits.num_threads);
        let (merged, changes, numbers) =
            merge(&files, &identifier, &known, present.as_ref(), &mut reader, sorting, num_threads)?;
        self.finish_rows(&mut reader.rows, &files)?;
        let (rows, mut stages, inputs) = reader.finish();
        let warnings = unknown.into_iter().chain(unknown_harvest).chain(files.unread);
        let warnings: Vec<String> = warnings.chain(merged.counts.unplaced.sentences()).collect();
        let Known { partials, documents } = known;
        drop(documents);
        let (index_bytes, order) = (self.memory_bytes / INDEX_SHARE, space(ORDER_SHARE));
        let output = Output { draft: draft.path(), index_bytes, order, num_threads };
        let written = output.write(merged, partials, changes.zip(stored).zip(base.as_ref()))?;
        if self.keep_sealed {
            draft.keep_sealed(&GenerationKind::of::<CatalogueContents>())?;
        }
        durable::remove_folder(&spill)?;
        let finishing = StageReport::new("finishing", written.finishing_started.elapsed());
        stages.extend([written.stored.stage.clone(), finishing]);
        let contents = CatalogueContents { harvest: harvested, ..written.contents.clone() };
        let mut report = self.report(rows, numbers.with(written), stages)?;
        report.warnings.extend(warnings);
        Ok(Built { draft, report, contents, inputs })
    }

    fn report(&self, rows: Rows, numbers: StoredCatalogue, stages: Vec<StageReport>) -> Result<Report> {
        if numbers.num_stored == 0 {
            return Err(Error::Refused { problem: "it would leave nothing in the catalogue".to_owned() });
        }
        // The rows of a removal are accepted, but not stored.
        let num_named = match self.change {
            CatalogueChange::Remove(_) => rows.files.iter().map(|file| file.num_accepted).sum(),
            CatalogueChange::Replace | CatalogueChange::Add => 0,
        };
        let num_kept = numbers.num_present.unwrap_or(0) - numbers.num_removed.unwrap_or(0);
        let (num_others, num_accounted) = (numbers.num_derived + num_kept, numbers.num_accounted() + num_named);
        let changes = self.changes(&numbers.stored);
        LoadReport::new(rows.files, numbers, num_others, num_accounted, stages, changes, self.acceptance)
    }
}

/// Reads the resources of all inputs, and those of the present generation that the last stage
/// needs. Returns all of them, the changes of the present generation unless all resources are
/// written again, and the numbers.
fn merge(
    files: &RunFiles,
    identifier: &Identifier,
    known: &Known,
    present: Option<&Present<'_>>,
    reader: &mut Reader<'_>,
    space: SortSpace<'_>,
    num_threads: usize,
) -> Result<(Gathered, Option<Changes>, StoredCatalogue)> {
    let merging = Merging { identifier, known, documents: None, key_of: default_key };
    let mut collector = Collector::new(merging, space, present.map_or(0, |present| num_changes_max(present.stored)));
    let earlier = present.map(|present| StoredDocuments { stored: present.stored, identifier });
    let documents = earlier.as_ref().map_or(&known.documents as &dyn Source, |earlier| earlier);
    let with_documents = Merging { documents: Some(documents), ..merging };
    reader.read(&files.rows, |row| with_documents.merge(row), |resource| collector.add(resource?))?;
    collector.add_documents()?;
    let mut changes = None;
    if let Some(present) = present {
        changes = Changes::find(present, collector.take_arrivals(), known, identifier)?;
        collector.add_references(changes.as_ref().map_or(&[], |changes| &changes.references));
        let ordinals = changes.as_ref().map(|changes| &*changes.again);
        let collect = |ordinal, resource: Result<_>| collector.add_earlier(ordinal, resource?);
        present.for_each_kept(ordinals, num_threads, |row| merging.merge(row), collect)?;
    }
    let gathered = collector.finish(changes.is_none())?;
    let num_removed = present.map(|present| present.removed.identities.len() as u64);
    let all = present.filter(|_| changes.is_some()).map(|present| present.stored.contents().num_resources.into());
    let Counts { num_earlier, num_derived, num_extra_lines, unplaced, .. } = &gathered.counts;
    let (num_partials_merged, num_partials_without_row) = gathered.counts.num_partials;
    let numbers = StoredCatalogue {
        num_present: num_removed.map(|num_removed| all.unwrap_or(num_earlier + num_removed)),
        num_removed: num_removed.filter(|number| *number > 0),
        num_derived: *num_derived,
        num_partials_merged,
        num_partials_without_row,
        num_documents_merged: known.documents.num_merged(),
        num_documents_combined: known.documents.num_combined + num_extra_lines,
        num_documents_without_row: unplaced.num_lines(),
        ..StoredCatalogue::default()
    };
    Ok((gathered, changes, numbers))
}
