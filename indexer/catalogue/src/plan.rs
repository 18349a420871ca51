//! A load, from inputs to a published generation.

mod build;
mod stored;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use indexer::Result;
use indexer::input::{Input, InputSize, expand};
use indexer::run::{
    Acceptance, Change, Changes, LoadReport, Published, Rows, Survey, Workspace, preflight, read_present,
};
use store::Generations;
use store_catalogue::{CatalogueContents, Harvest, StoredResources};

pub use self::stored::StoredCatalogue;
use crate::read::objects::Folder;
use crate::read::{Form, Limits, Removal, RunFiles, TableType, harvest_of};

/// The name of these generations in messages.
const NOUN: &str = "catalogue";

/// The approximate number of bytes of a catalogue per compressed byte. Most of them are names of
/// members and links.
const PLAIN_BYTES_PER_COMPRESSED_BYTE: u64 = 10;

/// The most bytes of disk for a plain byte: the stored resources and the index, and spilled runs.
const ROOM_PER_PLAIN_BYTE: u64 = 2;

/// The share of the memory (one in N) for a file that is one document over many lines.
const DOCUMENT_SHARE: usize = 4;
/// The share for a line. Each thread works on several, and they grow several times when parsed.
const LINE_SHARE: usize = 256;

/// The bytes that a line may have with any memory.
const LINE_BYTES_MIN: usize = 1 << 20;

/// A load of a catalogue: its inputs and its limits.
#[derive(Clone, Debug, Default)]
pub struct CataloguePlan {
    /// The folder of the catalogue generations.
    pub generations: PathBuf,
    /// Files of resources or documents, and folders of such files.
    pub inputs: Vec<Input>,
    /// Tables of one's own resources, read after the other inputs.
    pub tables: Vec<Input>,
    /// The type of the resources of the tables.
    pub table_type: TableType,
    /// Such files and folders of partial resources: their attributes and relationships are merged
    /// into the rows of the other inputs.
    pub links: Vec<Input>,
    /// A folder of documents of version 2 from a harvest: they are merged into the rows of the
    /// other inputs.
    pub harvest: Option<PathBuf>,
    /// The memory for reading, sorting and indexing, for inputs of any size. Facts about resources
    /// and the tables of the database need more: about 700 bytes for each resource, and more for
    /// those with documents.
    pub memory_bytes: usize,
    /// The number of threads that read resources.
    pub num_threads: usize,
    /// The most bad rows that are skipped: `None` for any number, 0 for a strict load.
    pub max_rejects: Option<u64>,
    /// Keep a sealed copy of the database, so that the generation can be published to other
    /// machines.
    pub keep_sealed: bool,
    /// The suspicious generations that are published anyway.
    pub acceptance: Acceptance,
    /// The change of the present generation.
    pub change: CatalogueChange,
}

/// A change of the present generation.
#[derive(Clone, Debug, Default)]
pub enum CatalogueChange {
    /// The inputs replace it.
    #[default]
    Replace,
    /// The inputs are added after its own resources.
    Add,
    /// The resources of the inputs, and those with these accessions, are removed.
    Remove(Removal),
}

impl CataloguePlan {
    /// Loads the resources and makes them the current generation.
    ///
    /// # Errors
    ///
    /// * See [`indexer::Error`]. Nothing is published then, and the current generation is
    ///   unchanged.
    pub fn run(&self) -> Result<Published<LoadReport<StoredCatalogue>>> {
        self.build(&self.generations)?.publish(self.acceptance)
    }

    /// Predicts the result of [`CataloguePlan::run`] by doing the work in a folder for temporary
    /// files. Nothing is published.
    pub fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        let harvest = self.harvest.as_deref().and_then(|folder| Folder::list(folder).ok()).unwrap_or_default();
        let documents: Vec<Input> = harvest.files.into_iter().map(|(input, _)| input).collect();
        match expand(&[&self.inputs[..], &self.tables, &self.links, &documents].concat()) {
            Ok(inputs) => {
                let sizes = survey.add_inputs("resources", &inputs).unwrap_or_default();
                survey.add_room(&self.generations, self.needed_bytes(&sizes));
            }
            Err(error) => _ = survey.add::<()>("resources", Err(error), |()| String::new()),
        }
        survey.add_load(self.acceptance, |folder| self.build(folder));
        survey
    }

    /// Returns the disk space that inputs need.
    fn needed_bytes(&self, sizes: &[InputSize]) -> u64 {
        let plain_bytes = preflight::plain_bytes(sizes, PLAIN_BYTES_PER_COMPRESSED_BYTE);
        plain_bytes * (ROOM_PER_PLAIN_BYTE + u64::from(self.keep_sealed))
    }

    /// Returns the harvest of the present generation, otherwise that of the folder of documents or
    /// of the only folder of resources; or a sentence that says why it is unknown.
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
    fn finish_rows(&self, rows: &mut Rows, files: &RunFiles) -> Result<()> {
        match self.change {
            CatalogueChange::Replace if self.harvest.is_none() => rows.finish(files.links.first),
            CatalogueChange::Replace => rows.finish(rows.files.len()),
            CatalogueChange::Add => rows.finish(files.documents.first),
            CatalogueChange::Remove(_) => rows.flush(),
        }
    }

    /// Returns the lineages of the present biomes, if tables may name them.
    fn lineages(&self, stored: Option<&StoredResources>) -> Result<Vec<String>> {
        let lineages = stored.filter(|_| !self.tables.is_empty()).map(StoredResources::lineages);
        Ok(lineages.transpose()?.unwrap_or_default())
    }

    /// Begins a generation. If the present one is read, it is copied and written again.
    fn begin(&self, folder: &Path, files: &RunFiles) -> Result<Workspace> {
        let sizes = preflight::input_sizes(files.all().map(|(input, _)| input))?;
        let present = self.keeps_present().then(|| read_present::<CatalogueContents>(&self.present(), NOUN)).flatten();
        let present_bytes = present.map_or(0, |(_, contents)| contents.resources_file_bytes * ROOM_PER_PLAIN_BYTE);
        let names = files.all().map(|(input, _)| input.name()).collect();
        let max_rejects = self.max_rejects.unwrap_or(if self.acceptance.strict { 0 } else { u64::MAX });
        let needed_bytes = self.needed_bytes(&sizes) + present_bytes;
        let mut workspace = Workspace::begin(&Generations::new(folder), names, max_rejects, needed_bytes)?;
        workspace.rows = workspace.rows.counting_all(!self.tables.is_empty());
        if files.all().any(|(_, form)| form != Form::Resources) {
            let forms = files.all().map(|(_, form)| form.name());
            workspace.rows.files.iter_mut().zip(forms).for_each(|(file, form)| file.kind = Some(form));
        }
        Ok(workspace)
    }

    /// Returns a copy of the present generation, if there is one that is not replaced.
    fn stored(&self, spill: &Path) -> Result<Option<StoredResources>> {
        let generations = self.present();
        let Some(name) = generations.current()?.filter(|_| self.keeps_present()) else { return Ok(None) };
        Ok(Some(StoredResources::copy(&generations, name, &spill.join("present"))?))
    }

    fn present(&self) -> Generations {
        Generations::new(&self.generations)
    }

    const fn keeps_present(&self) -> bool {
        !matches!(self.change, CatalogueChange::Replace)
    }

    /// Compares the numbers of resources by type with those of the current generation.
    fn changes(&self, stored: &BTreeMap<String, u64>) -> Changes {
        let present = read_present::<CatalogueContents>(&self.present(), NOUN);
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
