//! A load, from inputs to a published generation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use indexer::input::{Input, InputSize, expand};
use indexer::run::{
    Acceptance, Built, Change, Changes, LoadReport, Published, Rows, StageReport, Survey, Workspace, preflight,
    read_present,
};
use indexer::sort::SortSpace;
use indexer::{Error, Result};
use store::{GenerationKind, Generations};
use store_catalogue::{CatalogueContents, Harvest, StoredResources};

mod gather;
mod removal;
mod stored;

use crate::merge::documents::Documents;
use crate::merge::gather::Gathered;
use crate::merge::partials::Partials;
use crate::read::harvest::harvest_of;
use crate::read::identity::Identifier;
use crate::read::objects::Files;
use crate::read::pieces::Limits;
use crate::read::present::Present;
use crate::read::rows::InputFiles;
use crate::read::table::{TableRules, TableType};
use crate::write::build::Written;
use crate::write::output::Output;
use gather::{AllGathered, gather};
pub use removal::Removal;
use removal::Removed;
pub use stored::StoredCatalogue;

/// The name of these generations in messages.
const NOUN: &str = "catalogue";

/// The approximate number of bytes of a catalogue in a compressed byte. Names of members and links are most of it.
const PLAIN_BYTES_PER_COMPRESSED_BYTE: u64 = 10;

/// The most bytes of disk for a plain byte: the stored resources and the index, and spilled runs.
const ROOM_PER_PLAIN_BYTE: u64 = 2;

/// The memory is divided by these: for sorting, and for the index of the search while what was sorted is read back.
const SORTING_SHARE: usize = 4;
const INDEX_SHARE: usize = 4;
/// For each order, of which a type has five at most.
const ORDER_SHARE: usize = 64;
/// For a file that is one document over many lines.
const DOCUMENT_SHARE: usize = 4;
/// For partial resources.
const PARTIALS_SHARE: usize = 4;
/// For a line. Each thread has some in work, and what they become is several times as large.
const LINE_SHARE: usize = 256;

/// The bytes that a line may take whatever the memory.
const LINE_BYTES_MIN: usize = 1 << 20;

/// A load of a catalogue: what it reads, and what it may take.
#[derive(Clone, Debug)]
pub struct CataloguePlan {
    /// The folder of the catalogue generations.
    pub generations: PathBuf,
    /// Files of resources or documents, and folders of such files.
    pub inputs: Vec<Input>,
    /// Tables of one's own resources, read after the other inputs.
    pub tables: Vec<Input>,
    /// The type of the resources of the tables.
    pub table_type: TableType,
    /// Such files and folders of partial resources: their attributes and relationships are merged into the rows of the other inputs.
    pub links: Vec<Input>,
    /// A folder of documents of version 2, as a harvest has them: they are merged into the rows of the other inputs.
    pub harvest: Option<PathBuf>,
    /// The memory for reading, sorting and indexing, whatever the size of the input. What is known of each resource, and the tables of
    /// the database, come on top: some 700 bytes for each resource, and more where documents tell of it.
    pub memory_bytes: usize,
    /// The number of threads that read resources.
    pub num_threads: usize,
    /// The most bad rows that are skipped; `None` is any number, and 0 for a strict load.
    pub max_rejects: Option<u64>,
    /// Keep a sealed copy of the database, so that the generation can be published to other machines.
    pub keep_sealed: bool,
    /// The suspicious generations that are published all the same.
    pub acceptance: Acceptance,
    /// What becomes of the resources of the present generation.
    pub change: CatalogueChange,
}

/// What a run makes of the present generation.
#[derive(Clone, Debug, Default)]
pub enum CatalogueChange {
    /// The inputs replace it.
    #[default]
    Replace,
    /// The inputs are read as if they had come after its own.
    Add,
    /// The resources of the inputs, and those with these accessions, leave it.
    Remove(Removal),
}

impl CataloguePlan {
    /// Loads the resources and makes them the current generation.
    ///
    /// # Errors
    ///
    /// * See [`Error`]. Nothing is published then, and the current generation is as it was.
    pub fn run(&self) -> Result<Published<LoadReport<StoredCatalogue>>> {
        self.build(&self.generations)?.publish(self.acceptance)
    }

    /// Finds out what [`CataloguePlan::run`] would do, by doing it in a folder for temporary files. Nothing is published.
    pub fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        let harvest = self.harvest.as_deref().and_then(|folder| Files::list(folder).ok()).unwrap_or_default();
        match expand(&[&self.inputs[..], &self.tables, &self.links, &harvest.inputs].concat()) {
            Ok(inputs) => {
                let sizes = survey.add_inputs("resources", &inputs).unwrap_or_default();
                survey.add_room(&self.generations, self.needed_bytes(&sizes));
            }
            Err(error) => _ = survey.add::<()>("resources", Err(error), |()| String::new()),
        }
        survey.add_load(self.acceptance, |folder| self.build(folder));
        survey
    }

    /// Returns the room that inputs need on the disk.
    fn needed_bytes(&self, sizes: &[InputSize]) -> u64 {
        let plain_bytes = preflight::plain_bytes(sizes, PLAIN_BYTES_PER_COMPRESSED_BYTE);
        plain_bytes * (ROOM_PER_PLAIN_BYTE + u64::from(self.keep_sealed))
    }

    /// Returns the harvest that the present generation is of, or else the folder of documents, or the only folder of resources; or a sentence
    /// that says why it is not known.
    fn harvested(&self, present: Option<&CatalogueContents>) -> (Option<Harvest>, Option<String>) {
        if let Some(present) = present {
            return (present.harvest.clone(), None);
        }
        let mut folders = self.inputs.iter().filter_map(|input| match input {
            Input::Path(path) if path.is_dir() => Some(path.as_path()),
            _ => None,
        });
        let folder = self.harvest.as_deref().or_else(|| folders.next().filter(|_| folders.next().is_none()));
        folder.map_or((None, None), harvest_of)
    }

    fn limits(&self) -> Limits {
        Limits {
            line_bytes: (self.memory_bytes / LINE_SHARE).max(LINE_BYTES_MIN),
            document_bytes: self.memory_bytes / DOCUMENT_SHARE,
            num_threads: self.num_threads.max(1),
        }
    }

    /// Flushes the rejects file, and checks that there was anything to load.
    fn finish_rows(&self, rows: &mut Rows, num_inputs: usize, num_links: usize) -> Result<()> {
        match self.change {
            CatalogueChange::Replace if self.harvest.is_none() => rows.finish(num_inputs),
            CatalogueChange::Replace => rows.finish(rows.files.len()),
            CatalogueChange::Add => rows.finish(num_inputs + num_links),
            CatalogueChange::Remove(_) => rows.flush(),
        }
    }

    /// Returns the lineages of the present biomes, if tables may name them.
    fn lineages(&self, stored: Option<&StoredResources>) -> Result<Vec<String>> {
        let lineages = stored.filter(|_| !self.tables.is_empty()).map(StoredResources::lineages);
        Ok(lineages.transpose()?.unwrap_or_default())
    }

    /// Builds a generation in a folder of generations, and compares it with the current one.
    fn build(&self, folder: &Path) -> Result<Built<StoredCatalogue, CatalogueContents>> {
        let (mut inputs, links) = (expand(&self.inputs)?, expand(&self.links)?);
        inputs.extend(self.tables.iter().cloned());
        let harvest = self.harvest.as_deref().map(Files::list).transpose()?.unwrap_or_default();
        let mut sizes = preflight::input_sizes(inputs.iter().chain(&links).chain(&harvest.inputs))?;
        let mut link_sizes = sizes.split_off(inputs.len());
        let harvest_sizes = link_sizes.split_off(links.len());
        let needed_bytes = [&sizes, &link_sizes, &harvest_sizes].map(|sizes| self.needed_bytes(sizes)).iter().sum();
        let Workspace { draft, spill, mut rows } =
            self.begin(folder, [&inputs, &links, &harvest.inputs], needed_bytes)?;
        let (limits, identifier) = (self.limits(), Identifier::default());
        let removal = matches!(self.change, CatalogueChange::Remove(_));
        let mut present = match self.change {
            CatalogueChange::Replace => None,
            CatalogueChange::Add | CatalogueChange::Remove(_) => Present::copy(&self.generations, &spill)?,
        };
        let base = present.as_ref().map(|present| present.stored.contents().clone());
        let (harvested, unknown_harvest) = self.harvested(base.as_ref());
        let stored_by_all = present.as_ref().map(|present| Arc::clone(&present.stored));
        let stored = stored_by_all.as_deref();
        let rules = TableRules { table_type: self.table_type, present: stored, lineages: &self.lineages(stored)? };
        let tables = Some((inputs.len() - self.tables.len(), rules));
        let total_bytes = preflight::total_bytes(&sizes);
        let files = InputFiles { inputs: &inputs, first_file: 0, total_bytes, tables, are_plain: false };
        let removed = match &self.change {
            CatalogueChange::Remove(removal) => {
                Removed::find(removal, stored, (files, limits), &identifier, &mut rows)?
            }
            CatalogueChange::Replace | CatalogueChange::Add => Removed::default(),
        };
        let unknown = removed.unknown();
        if let Some(present) = &mut present {
            present.removed = removed.identities;
            present.removed_ordinals = removed.ordinals;
        }
        let total_bytes = preflight::total_bytes(&link_sizes);
        let link_files =
            InputFiles { inputs: &links, first_file: inputs.len(), total_bytes, tables: None, are_plain: false };
        let earlier = present.iter().flat_map(|present| present.partials(&identifier));
        let memory_bytes = self.memory_bytes / PARTIALS_SHARE;
        let (partials, link_entries, reading_links) =
            Partials::read(link_files, limits, &identifier, memory_bytes, earlier, &mut rows)?;
        let first_document = inputs.len() + links.len();
        let (documents, document_entries, reading_documents) =
            Documents::read(&harvest, first_document, limits, &identifier, &spill, &mut rows)?;
        let space = |share| SortSpace { folder: &spill, memory_bytes: self.memory_bytes / share };
        let files = if removal { InputFiles { inputs: &[], ..files } } else { files };
        let sorting = space(SORTING_SHARE);
        let gathered =
            gather(files, limits, sorting, identifier, (&partials, &documents), present.as_ref(), &mut rows)?;
        let AllGathered { mut gathered, changes, mut entries, unplaced, numbers, stage: reading } = gathered;
        drop(documents);
        self.finish_rows(&mut rows, inputs.len(), links.len())?;
        drop(stored_by_all);
        let memory_bytes = self.memory_bytes / INDEX_SHARE;
        let (num_kept, num_removed) = present.as_ref().map_or((0, 0), Present::num_kept_and_removed);
        let has_present = present.is_some();
        let folders = (draft.path(), &*spill);
        let mut output = Output::begin(changes, present, base.as_ref(), folders, memory_bytes)?;
        partials.texts().try_for_each(|text| output.add_partial(text))?;
        drop(partials);
        let written = output.write(&mut gathered, space(ORDER_SHARE), limits.num_threads)?;
        let Written { stored, num_derived, stage } = written;
        let mut stages: Vec<StageReport> =
            reading_links.into_iter().chain(reading_documents).chain([reading, stage]).collect();
        let Gathered { resources, deduplication, .. } = gathered;
        entries.extend(link_entries.into_iter().chain(document_entries));
        let num_derived = num_derived + numbers.num_derived;
        let ((num_private, _), superseded) = (deduplication.num_private_and_public(), deduplication.superseded());
        // The next steps need the memory.
        drop((resources, deduplication));
        let finishing_started = Instant::now();
        let contents = CatalogueContents { harvest: harvested, ..output.finish()? };
        if self.keep_sealed {
            draft.keep_sealed(&GenerationKind::of::<CatalogueContents>())?;
        }
        fs::remove_dir_all(&spill).map_err(Error::io("cannot remove", &spill))?;
        stages.push(StageReport::new("finishing", finishing_started.elapsed()));
        let num_stored = stored.values().sum();
        if num_stored == 0 {
            return Err(Error::Refused { problem: "it would leave nothing in the catalogue".to_owned() });
        }
        // The rows of a removal are accepted, and stored nowhere.
        let num_named = if removal { rows.files.iter().map(|file| file.num_accepted).sum() } else { 0 };
        let stored = StoredCatalogue {
            num_present: has_present.then_some(num_kept + num_removed),
            num_removed: removal.then_some(num_removed),
            num_stored,
            stored,
            num_replaced: superseded.num_replaced,
            num_included_passed_over: superseded.num_included,
            num_private,
            num_derived,
            missing: contents.missing.clone(),
            ..numbers
        };
        let num_accounted = stored.num_accounted() + num_named;
        let (changes, num_others) = (self.changes(&stored.stored), num_derived + num_kept);
        let mut report =
            LoadReport::new(rows.files, stored, num_others, num_accounted, stages, changes, self.acceptance)?;
        report.warnings.extend(unknown.into_iter().chain(unknown_harvest));
        report.warnings.extend(harvest.unread().into_iter().chain(unplaced.sentences()));
        Ok(Built { draft, report, contents, inputs: entries })
    }

    /// Begins a generation, for which the present one, if it is read, is copied and written again.
    fn begin(&self, folder: &Path, [inputs, links, documents]: [&[Input]; 3], needed_bytes: u64) -> Result<Workspace> {
        let present = match self.change {
            CatalogueChange::Replace => None,
            CatalogueChange::Add | CatalogueChange::Remove(_) => {
                read_present::<CatalogueContents>(&Generations::new(&self.generations), NOUN)
            }
        };
        let present_bytes = present.map_or(0, |(_, contents)| contents.resources_file_bytes * ROOM_PER_PLAIN_BYTE);
        let names = inputs.iter().chain(links).chain(documents).map(Input::name).collect();
        let max_rejects = self.max_rejects.unwrap_or(if self.acceptance.strict { 0 } else { u64::MAX });
        let needed_bytes = needed_bytes + present_bytes;
        let mut workspace = Workspace::begin(&Generations::new(folder), names, max_rejects, needed_bytes)?;
        workspace.rows = workspace.rows.counting_all(!self.tables.is_empty());
        if !links.is_empty() || !documents.is_empty() || !self.tables.is_empty() {
            let tables = iter::repeat_n("table", self.tables.len());
            let resources = iter::repeat_n("resources", inputs.len() - self.tables.len());
            let kinds = resources.chain(tables).chain(iter::repeat_n("links", links.len()));
            let kinds = kinds.chain(iter::repeat("documents"));
            workspace.rows.files.iter_mut().zip(kinds).for_each(|(file, kind)| file.kind = Some(kind));
        }
        Ok(workspace)
    }

    /// Compares the numbers of resources by type with those of the current generation.
    fn changes(&self, stored: &BTreeMap<String, u64>) -> Changes {
        let present = read_present::<CatalogueContents>(&Generations::new(&self.generations), NOUN);
        let (present, contents) = present.unzip();
        let before = contents.map(|contents| contents.types).unwrap_or_default();
        let names: BTreeSet<_> = before.keys().chain(stored.keys()).collect();
        let number = |name: &String| Change {
            of_type: Some(name.clone()),
            ..Change::new(
                "resource",
                before.get(name).map_or(0, |present| present.num_resources.into()),
                stored.get(name).copied().unwrap_or_default(),
            )
        };
        Changes { noun: NOUN, present, numbers: names.into_iter().map(number).collect() }
    }
}
