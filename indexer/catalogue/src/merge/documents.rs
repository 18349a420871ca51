//! Documents of version 2 of MGnify from a harvest: they are merged into rows, and become rows of
//! resources that have none.
//!
//! Their texts are in a file while a load reads. The offset of each and the facts from other
//! documents are in memory.

mod collector;
mod context;
mod derived;
mod members;
mod merging;
mod metadata;
mod row;
mod stored;
mod times;
mod whole;

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};

use indexer::{Error, Result};
use indexmap::{IndexMap, IndexSet};
use serde_json::Value;
use store_catalogue::model::{RUNS, SAMPLES, STUDIES};

use crate::read::objects::{complete, texts};
use crate::read::{Identifier, Identity, Members, Resource};
use context::{Context, StudyFacts};
use members::Member;

pub(super) use collector::Collector;
pub(crate) use derived::derived;
pub(crate) use merging::{Source, Unplaced, apply};
pub(crate) use stored::StoredDocuments;

/// The documents of a load.
#[derive(Default)]
pub(crate) struct Documents {
    identifier: Identifier,
    file: Option<File>,
    /// Objects by their keys, which are unique within a type.
    found: IndexMap<Identity, Place>,
    /// The samples by all their accessions, as positions in `found`.
    names: HashMap<Identity, usize>,
    /// The accessions of studies that samples and publications are of.
    studies: IndexSet<Box<str>>,
    /// The members that lines of studies list. Once all lines are known, only those without a
    /// document are left.
    members: IndexMap<Identity, Member>,
    facts: HashMap<Identity, StudyFacts>,
    runs_of_assemblies: HashMap<Identity, Vec<String>>,
    assemblies_of_runs: HashMap<Identity, Vec<String>>,
    /// The versions of pipelines, experiment types, and lineages of samples.
    words: IndexSet<String>,
    /// Runs and assemblies with the versions of pipelines that have analysed them, as positions in
    /// `words`; sorted once all are known.
    versions: Vec<(Identity, u16)>,
    /// The pipelines for which studies are found.
    pipelines: HashMap<Identity, Vec<String>>,
    /// Biomes whose lineage occurred before, by their positions in the list.
    repeats: Vec<(u64, Members)>,
    /// Lines of types whose lists have an order of their own.
    num_ranked: u64,
    num_samples: HashMap<Identity, u64>,
    ranks: HashMap<Identity, u64>,
    /// Lines that are not objects, with the resources that they describe.
    pub(super) extra_lines: Vec<(Identity, &'static str, Box<str>)>,
    /// Lines of resources that other lines describe too.
    pub(crate) num_combined: u64,
    pub(crate) unplaced: Unplaced,
}

/// The position of the best document of an object, and facts from other lines.
pub(crate) struct Place {
    resource_type: &'static str,
    /// The id in version 1.
    pub(crate) id: Box<str>,
    offset: u64,
    length: u32,
    richness: usize,
    updated_at: Box<str>,
    /// The position of its experiment type or its lineage among the words.
    word: Option<u16>,
    /// Set if the object has a line of its own.
    has_line: bool,
    /// Set once the document was merged into a row.
    is_merged: AtomicBool,
    /// The studies that contain it, by position, and whether its own document names them.
    studies: Vec<u32>,
    says_studies: bool,
}

impl Documents {
    fn identify(&self, resource_type: &str, id: &str) -> Identity {
        self.identifier.identify(resource_type, id, None)
    }

    fn of_type(&self, resource_type: &str) -> impl Iterator<Item = (&Identity, &Place)> {
        self.found.iter().filter(move |(_, place)| place.resource_type == resource_type)
    }

    /// Returns studies by their positions.
    fn studies_at(&self, positions: &[u32]) -> impl Iterator<Item = &str> {
        positions.iter().filter_map(|study| self.studies.get_index(*study as usize)).map(|study| &**study)
    }

    /// Returns a document with all its members.
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
        if place.resource_type == SAMPLES {
            let is_of_other = |accession: &String| {
                let owner = self.names.get(&self.identify(SAMPLES, accession));
                owner.is_some_and(|owner| !std::ptr::eq(&raw const self.found[*owner], place))
            };
            let others: Vec<String> = texts(document.get("ena_accessions")).into_iter().filter(is_of_other).collect();
            if !others.is_empty() {
                document.insert("@of_others".to_owned(), others.into());
            }
        }
        Ok(document)
    }

    /// Returns the id of a sample that has an accession.
    fn sample(&self, accession: &str) -> Option<&str> {
        let position = self.names.get(&self.identify(SAMPLES, accession))?;
        self.found.get_index(*position).map(|(_, place)| &*place.id)
    }

    fn sample_of(&self, document: &Members) -> Option<String> {
        let named = ["@sample", "sample_accession", "sample"].iter().find_map(|name| document.get(*name)?.as_str());
        named.map(|accession| self.sample(accession).unwrap_or(accession).to_owned())
    }

    fn context(&self, place: &Place, document: &Members) -> Result<Context> {
        let identity = self.identify(place.resource_type, &place.id);
        let studies: Vec<String> = self.studies_at(&place.studies).map(str::to_owned).collect();
        let own = document.get("study_accession").and_then(Value::as_str);
        let facts = own.into_iter().chain(studies.iter().map(String::as_str));
        let facts: Vec<_> = facts.filter_map(|study| self.facts.get(&self.identify(STUDIES, study))).collect();
        let facts = facts.iter().find(|facts| facts.lineage.is_some()).or(facts.first());
        let runs = self.runs_of_assemblies.get(&identity).cloned().unwrap_or_default();
        let sample = self.sample_of(document);
        let mut samples: Vec<String> = sample.iter().cloned().collect();
        for run in &runs {
            if let Some(run) = self.found.get(&self.identify(RUNS, run)) {
                let sample_of_run = self.sample_of(&self.document(run)?);
                samples.extend(sample_of_run.filter(|sample| !samples.contains(sample)));
            }
        }
        let versions = &self.versions[self.versions.partition_point(|(known, _)| *known < identity)..];
        let versions = versions.iter().take_while(|(known, _)| *known == identity);
        let versions: BTreeSet<&String> =
            versions.filter_map(|(_, version)| self.words.get_index(usize::from(*version))).collect();
        Ok(Context {
            study: facts.map(|facts| (*facts).clone()).unwrap_or_default(),
            sample,
            samples,
            runs,
            assemblies: self.assemblies_of_runs.get(&identity).cloned().unwrap_or_default(),
            versions: versions.into_iter().cloned().collect(),
            num_samples: self.num_samples.get(&identity).copied().unwrap_or_default(),
            rank: self.ranks.get(&identity).copied().unwrap_or_default(),
            studies,
        })
    }

    /// Returns the resource of version 1 for a document, with the document. A row of the resource
    /// may have another id.
    pub(crate) fn resource(&self, place: &Place, id: &str) -> Result<Resource> {
        let document = self.document(place)?;
        let context = self.context(place, &document)?;
        Ok(row::resource(place.resource_type, id, document, &context))
    }

    /// Returns how many objects of lines were merged into rows.
    pub(crate) fn num_merged(&self) -> u64 {
        self.found.values().filter(|place| place.has_line && place.is_merged.load(Ordering::Relaxed)).count() as u64
    }

    /// Returns the objects that were not merged into any row.
    pub(super) fn unmerged(&self) -> impl Iterator<Item = &Place> {
        self.found.values().filter(|place| !place.is_merged.load(Ordering::Relaxed))
    }
}

impl Place {
    /// Returns whether the object was only embedded in others.
    pub(crate) const fn is_derived(&self) -> bool {
        !self.has_line
    }
}
