//! Documents of version 2 of MGnify, as a harvest has them: they are merged into rows, and become rows where there are none.
//!
//! Their texts are in a file while a load reads; in memory is where each begins, some 200 bytes for each.

mod derived;
mod kind;
mod metadata;
mod occurrences;
mod row;
mod words;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};
use serde_json::Value;
use store::model::{
    ASSEMBLIES, BIOME_REPEATS, BIOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES, document_members,
    num_listed_members,
};
use store::{Document, InputEntry};

use super::check::{InputFiles, Row, read_rows};
use super::deduplication::{Identifier, Identity};
use super::pieces::Limits;
use super::resource::{Members, Resource};
use crate::input::Input;
use crate::run::{Rows, StageReport, preflight};
use crate::{Error, Result};
use kind::Kind;
use occurrences::{Occurrence, Told, complete, told};
use row::{Context, Others};

use derived::derived;

/// Returns the document of a resource, and whether it came rather than being made of the row.
pub(super) fn document_of(resource: &Resource) -> Option<(Cow<'_, Members>, bool)> {
    let came = resource.document.as_ref().map(|document| (Cow::Borrowed(document), true));
    came.or_else(|| Some((Cow::Owned(derived(resource)?), false)))
}

/// Returns a document as it is stored: the members of its type first, if it has one.
pub(super) fn stored_document(kind: &str, document: &Members, has_come: bool) -> Document {
    let names = document_members(kind);
    let is_known = |name: &&String| names.is_empty() || names.contains(&name.as_str());
    let (known, others): (Vec<_>, Vec<_>) = document.keys().partition(is_known);
    let num_listed = if names.is_empty() { known.len() } else { num_listed_members(kind) };
    let (mut json, mut lengths) = (b"{".to_vec(), [1, 1]);
    for (position, name) in known.iter().chain(&others).enumerate() {
        json.extend_from_slice(if position > 0 { b"," } else { b"" });
        json.extend_from_slice(format!("{}:{}", Value::from(name.as_str()), document[name.as_str()]).as_bytes());
        for (length, num_members) in lengths.iter_mut().zip([num_listed.min(known.len()), known.len()]) {
            if position < num_members {
                *length = json.len();
            }
        }
    }
    json.push(b'}');
    Document::new(json, lengths, has_come)
}

/// The files of a folder of documents, and those that are none.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) inputs: Vec<Input>,
    kinds: Vec<Kind>,
    /// The names of files that have no place.
    pub(super) others: Vec<String>,
}

impl Files {
    /// Lists a folder.
    pub(super) fn list(folder: &Path) -> Result<Self> {
        let error = |source| Error::io("cannot read", folder)(source);
        let mut names: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(folder).map_err(error)? {
            names.push(entry.map_err(error)?.path());
        }
        names.sort_unstable();
        let mut files = Self::default();
        for path in names {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match Kind::of_file(&name) {
                Some(kind) if path.is_file() => {
                    files.inputs.push(Input::from(path.into_os_string()));
                    files.kinds.push(kind);
                }
                _ => files.others.push(name),
            }
        }
        if files.inputs.is_empty() {
            let problem = format!("{} has no file of documents, such as studies.jsonl.gz", folder.display());
            return Err(Error::Refused { problem });
        }
        Ok(files)
    }
}

impl Files {
    /// Names the files that are not read.
    pub(super) fn unplaced(&self) -> Option<String> {
        let names = self.others.join(", ");
        (!names.is_empty())
            .then(|| format!("these files of the documents are of no known kind, and were not read: {names}"))
    }
}

/// The documents of a load.
#[derive(Default)]
pub(super) struct Documents {
    identifier: Identifier,
    file: Option<File>,
    found: IndexMap<Identity, Place>,
    /// The samples by their other accessions.
    names: HashMap<Identity, Box<str>>,
    studies: IndexSet<Box<str>>,
    runs_of_assemblies: HashMap<Identity, Vec<String>>,
    pipelines: HashMap<Identity, Vec<String>>,
    /// Runs by experiment type.
    experiment_types: BTreeMap<String, u64>,
    /// Biomes whose lineage came before, by their places in the list.
    repeats: Vec<(u64, Members)>,
    /// Lines of types whose lists have an order of their own.
    num_ranked: u64,
    num_samples: HashMap<Identity, u64>,
    ranks: HashMap<Identity, u64>,
    pub(super) numbers: Numbers,
}

/// Where the best document of a resource is, and what it tells.
struct Place {
    resource_type: &'static str,
    id: Box<str>,
    offset: u64,
    length: u32,
    richness: usize,
    updated_at: Box<str>,
    /// It has come in a line of its own.
    has_line: bool,
    /// The studies that it is of, by position; whether it says so itself.
    studies: Vec<u32>,
    says_studies: bool,
}

/// What became of the lines of a harvest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    /// Lines of resources that other lines have too, and lines that tell something of another one.
    pub(super) num_combined: u64,
    /// Lines that tell something of a resource that did not come.
    pub(super) num_without_row: u64,
}

/// Writes documents while they are read.
struct Collector<'a> {
    documents: &'a mut Documents,
    writer: BufWriter<File>,
    path: PathBuf,
    offset: u64,
}

impl Documents {
    /// Reads the documents of files, whose positions among those of the run begin at `first_file`.
    pub(super) fn read(
        files: &Files,
        first_file: usize,
        limits: Limits,
        identifier: &Identifier,
        spill: &Path,
        rows: &mut Rows,
    ) -> Result<(Self, Vec<InputEntry>, Vec<StageReport>)> {
        let mut documents = Self { identifier: identifier.clone(), ..Self::default() };
        let path = spill.join("documents");
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        let file = file.map_err(Error::io("cannot create", &path))?;
        let reading = file.try_clone().map_err(Error::io("cannot open", &path))?;
        let mut collector = Collector { documents: &mut documents, writer: BufWriter::new(file), path, offset: 0 };
        let (mut entries, mut duration) = (Vec::new(), None::<StageReport>);
        for (position, (input, &kind)) in files.inputs.iter().zip(&files.kinds).enumerate() {
            let inputs = std::slice::from_ref(input);
            let total_bytes = preflight::total_bytes(&preflight::input_sizes(inputs)?);
            let of_kind = InputFiles { inputs, first_file: first_file + position, total_bytes, tables: None };
            let examine = |row: Row<'_>| told(kind, row.text);
            let (read, stage) = read_rows(of_kind, limits, rows, examine, |told| collector.collect(told))?;
            entries.extend(read);
            let before = duration.map_or(0, |before: StageReport| before.duration_ms);
            duration = Some(StageReport { duration_ms: before + stage.duration_ms, ..stage });
        }
        let Collector { mut writer, path, .. } = collector;
        writer.flush().map_err(Error::io("cannot write", &path))?;
        documents.file = Some(reading);
        documents.finish()?;
        let stage = duration.map(|stage| StageReport { name: "reading documents".to_owned(), ..stage });
        Ok((documents, entries, stage.into_iter().collect()))
    }

    fn identify(&self, resource_type: &str, id: &str) -> Identity {
        self.identifier.identify(resource_type, id, None)
    }

    /// Counts what is counted of other documents.
    fn finish(&mut self) -> Result<()> {
        let mut slugs: Vec<_> = self.found.iter().filter(|(_, place)| place.resource_type == SUPER_STUDIES).collect();
        slugs.sort_unstable_by_key(|(_, place)| &place.id);
        self.ranks = slugs.into_iter().map(|(identity, _)| *identity).zip(1..).collect();
        let mut publications: HashMap<u32, Vec<Identity>> = HashMap::new();
        for (identity, place) in self.found.iter().filter(|(_, place)| place.resource_type == PUBLICATIONS) {
            place.studies.iter().for_each(|study| publications.entry(*study).or_default().push(*identity));
        }
        let mut counts: HashMap<Identity, u64> = HashMap::new();
        for place in self.found.values().filter(|place| place.resource_type == SAMPLES) {
            let of_studies = place.studies.iter().filter_map(|study| self.studies.get_index(*study as usize));
            let mut counted: Vec<Identity> = of_studies.map(|study| self.identify(STUDIES, study)).collect();
            counted.extend(place.studies.iter().filter_map(|study| publications.get(study)).flatten());
            counted.sort_unstable();
            counted.dedup();
            for identity in counted {
                *counts.entry(identity).or_default() += 1;
            }
        }
        self.num_samples = counts;
        let without_row = self.pipelines.keys().filter(|study| !self.found.contains_key(*study));
        self.numbers.num_without_row = without_row.count() as u64;
        self.numbers.num_combined -= self.numbers.num_without_row;
        for place in self.found.values().filter(|place| place.resource_type == RUNS) {
            let document = self.document(place)?;
            if let Some(label) = document.get("experiment_type").and_then(Value::as_str) {
                *self.experiment_types.entry(words::experiment_type(label)).or_default() += 1;
            }
        }
        Ok(())
    }

    /// Returns the document of a resource, with all its members.
    fn document(&self, place: &Place) -> Result<Members> {
        let mut text = vec![0; place.length as usize];
        let file = self.file.as_ref().ok_or(Error::Internal("the documents are not read yet"))?;
        file.read_exact_at(&mut text, place.offset).map_err(|_| Error::CorruptSpill)?;
        let mut document: Members = serde_json::from_slice(&text).map_err(|_| Error::CorruptSpill)?;
        document = complete(place.resource_type, document);
        let identity = self.identify(place.resource_type, &place.id);
        if let Some(pipelines) = self.pipelines.get(&identity).filter(|_| place.resource_type == STUDIES) {
            document.insert("@pipelines".to_owned(), pipelines.clone().into());
        }
        Ok(document)
    }

    fn context(&self, identity: Identity, place: &Place) -> Context {
        let studies = place.studies.iter().filter_map(|study| self.studies.get_index(*study as usize));
        Context {
            studies: studies.map(|study| study.clone().into_string()).collect(),
            runs: self.runs_of_assemblies.get(&identity).cloned().unwrap_or_default(),
            num_samples: self.num_samples.get(&identity).copied().unwrap_or_default(),
            rank: self.ranks.get(&identity).copied().unwrap_or_default(),
        }
    }

    /// Returns the resource of version 1 for a document, with the document.
    fn resource(&self, identity: Identity, place: &Place) -> Result<Resource> {
        let document = self.document(place)?;
        let context = self.context(identity, place);
        let others = Lookup { documents: self, failure: RefCell::new(None) };
        let mut resource = row::resource(place.resource_type, &place.id, &document, &context, &others);
        others.failure.into_inner().map_or(Ok(()), Err)?;
        resource.document = Some(document);
        Ok(resource)
    }

    /// Gives a row and what it refers to the ids that documents have for them.
    pub(super) fn rename(&self, resource: &mut Resource) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let canonical = |kind: &str, id: &str| self.names.get(&self.identify(kind, id)).filter(|_| kind == SAMPLES);
        let mut is_renamed = false;
        if let Some(id) = canonical(&resource.kind, &resource.id) {
            resource.id = id.clone().into_string();
            is_renamed = true;
        }
        resource.rename_references(|kind, id| {
            let id = canonical(kind, id)?.clone().into_string();
            is_renamed = true;
            Some(id)
        });
        is_renamed
    }

    /// Merges what there is of a resource into one of its rows. Returns whether there was anything.
    pub(super) fn merge_into(&self, identity: Identity, resource: &mut Resource) -> Result<bool> {
        let Some(place) = self.found.get(&identity) else { return Ok(false) };
        let told = self.resource(identity, place)?;
        let row = derived(resource).unwrap_or_default();
        resource.take_over(told, row::guessed(place.resource_type));
        if let Some(document) = &mut resource.document {
            for (name, value) in row {
                let known = document.entry(name).or_insert(Value::Null);
                let says_nothing = known.is_null() || known.as_object().is_some_and(Members::is_empty);
                if says_nothing && !value.is_null() {
                    *known = value;
                }
            }
        }
        Ok(true)
    }

    /// Returns how many lines there were of resources that have a row.
    pub(super) fn num_merged(&self, has_row: impl Fn(Identity) -> bool) -> u64 {
        self.found.iter().filter(|(identity, place)| place.has_line && has_row(**identity)).count() as u64
    }

    /// Returns the rows of all documents whose resources have none, each with whether it was only embedded in others.
    pub(super) fn rows(&self, has_row: impl Fn(Identity) -> bool) -> impl Iterator<Item = Result<(Resource, bool)>> {
        let rows = self.found.iter().filter(move |(identity, _)| !has_row(**identity));
        rows.map(|(identity, place)| Ok((self.resource(*identity, place)?, !place.has_line)))
    }

    /// Returns what no document is, but documents tell of: experiment types, and biomes that come again.
    pub(super) fn others(&self) -> impl Iterator<Item = (Resource, bool)> {
        let types = self.experiment_types.iter().map(|(name, number)| (row::experiment_type_row(name, *number), true));
        types.chain(self.repeats.iter().map(|(rank, document)| {
            let mut resource =
                Resource { kind: BIOME_REPEATS.to_owned(), id: format!("{rank:08}"), ..Resource::default() };
            resource.document = Some(document.clone());
            (resource, false)
        }))
    }
}

struct Lookup<'a> {
    documents: &'a Documents,
    failure: RefCell<Option<Error>>,
}

impl Others for Lookup<'_> {
    fn sample(&self, accession: &str) -> String {
        let name = self.documents.names.get(&self.documents.identify(SAMPLES, accession));
        name.map_or_else(|| accession.to_owned(), |id| id.clone().into_string())
    }

    fn study(&self, accession: &str) -> Option<Members> {
        let place = self.documents.found.get(&self.documents.identify(STUDIES, accession))?;
        let document = self.documents.document(place);
        document.map_err(|error| *self.failure.borrow_mut() = Some(error)).ok()
    }
}

impl Collector<'_> {
    fn collect(&mut self, told: Told) -> Result<()> {
        let Told { occurrences, runs, pipelines } = told;
        let is_aside = occurrences.is_empty();
        occurrences.into_iter().try_for_each(|occurrence| self.add(occurrence))?;
        let documents = &mut *self.documents;
        if let Some((assembly, runs)) = runs {
            let known = documents.runs_of_assemblies.entry(documents.identifier.identify(ASSEMBLIES, &assembly, None));
            let known = known.or_default();
            for run in runs {
                if !known.contains(&run) {
                    known.push(run);
                }
            }
        }
        if let Some((study, pipelines)) = pipelines {
            documents.pipelines.insert(documents.identifier.identify(STUDIES, &study, None), pipelines);
        }
        documents.numbers.num_combined += u64::from(is_aside);
        Ok(())
    }

    fn add(&mut self, mut occurrence: Occurrence) -> Result<()> {
        let documents = &mut *self.documents;
        let Occurrence { resource_type, is_line, .. } = occurrence;
        let identity = documents.identifier.identify(resource_type, &occurrence.id, None);
        if [BIOMES, SUPER_STUDIES].contains(&resource_type) && is_line {
            let rank = documents.num_ranked;
            documents.num_ranked += 1;
            occurrence.document.insert("@rank".to_owned(), rank.into());
            occurrence.richness += 1;
            if resource_type == BIOMES && documents.found.get(&identity).is_some_and(|known| known.has_line) {
                documents.repeats.push((rank, occurrence.document));
                return Ok(());
            }
        }
        if resource_type == SAMPLES {
            for name in &occurrence.names {
                let name = documents.identifier.identify(SAMPLES, name, None);
                documents.names.entry(name).or_insert_with(|| occurrence.id.as_str().into());
            }
        }
        let says_studies = occurrence.studies.is_some();
        let studies = occurrence.studies.take().unwrap_or_else(|| occurrence.study_around.take().into_iter().collect());
        let mut positions: Vec<u32> = Vec::new();
        for study in studies {
            let position = documents.studies.insert_full(study.into()).0;
            positions.push(u32::try_from(position).map_err(|_| Error::Internal("there are too many studies"))?);
        }
        let known = documents.found.get_mut(&identity);
        if let Some(known) = &known {
            documents.numbers.num_combined += u64::from(is_line && known.has_line);
        }
        let is_better = known
            .as_ref()
            .is_none_or(|known| (occurrence.richness, occurrence.updated_at()) >= (known.richness, &*known.updated_at));
        let (mut has_line, mut place_studies, mut place_says) = (is_line, positions, says_studies);
        if let Some(known) = known {
            known.has_line |= is_line;
            has_line = known.has_line;
            match (known.says_studies, says_studies) {
                // Of what other objects say, all counts.
                (false, false) => {
                    place_studies.retain(|study| !known.studies.contains(study));
                    known.studies.append(&mut place_studies);
                }
                (_, true) if is_better || !known.says_studies => known.studies = place_studies,
                _ => {}
            }
            known.says_studies |= says_studies;
            if !is_better {
                return Ok(());
            }
            place_studies = std::mem::take(&mut known.studies);
            place_says = known.says_studies;
        }
        let text = serde_json::to_vec(&occurrence.document).map_err(|_| Error::Internal("a document has no JSON"))?;
        self.writer.write_all(&text).map_err(Error::io("cannot write", &self.path))?;
        let length = u32::try_from(text.len()).map_err(|_| Error::Internal("a document is longer than a line"))?;
        let place = Place {
            resource_type,
            updated_at: occurrence.updated_at().into(),
            id: occurrence.id.into(),
            offset: self.offset,
            length,
            richness: occurrence.richness,
            has_line,
            studies: place_studies,
            says_studies: place_says,
        };
        self.offset += u64::from(length);
        documents.found.insert(identity, place);
        Ok(())
    }
}
