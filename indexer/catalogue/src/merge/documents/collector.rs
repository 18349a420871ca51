//! Keeping the best document of each object while files are read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use indexer::{Error, Result};
use serde_json::Value;
use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, RUNS, SAMPLES, STUDIES, SUPER_STUDIES, experiment_type,
};

use super::{Documents, Place};
use crate::read::Identifier;
use crate::read::objects::{LineFacts, Occurrence, is_id};

/// A number above the number of members of any object.
const RANKED: usize = 1 << 32;

/// Writes documents to a file, and notes where they are.
pub(in crate::merge) struct Collector {
    documents: Documents,
    writer: BufWriter<File>,
    path: PathBuf,
    offset: u64,
}

impl Collector {
    /// Creates the file in a folder for temporary files.
    pub(in crate::merge) fn create(identifier: &Identifier, spill: &Path) -> Result<Self> {
        let documents = Documents { identifier: identifier.clone(), ..Documents::default() };
        let path = spill.join("documents");
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        let file = file.map_err(Error::io("cannot create", &path))?;
        Ok(Self { documents, writer: BufWriter::new(file), path, offset: 0 })
    }

    pub(in crate::merge) fn finish(mut self) -> Result<Documents> {
        let error = |source| Error::io("cannot write", &self.path)(source);
        self.documents.file = Some(self.writer.into_inner().map_err(|failure| error(failure.into_error()))?);
        self.documents.finish()?;
        Ok(self.documents)
    }

    pub(in crate::merge) fn collect(&mut self, facts: LineFacts) -> Result<()> {
        let LineFacts { occurrences, runs, versions, pipelines, members, nameless } = facts;
        let describes_others = occurrences.is_empty();
        occurrences.into_iter().try_for_each(|occurrence| self.add(occurrence))?;
        let documents = &mut self.documents;
        for (assembly, runs) in runs {
            let identity = documents.identify(ASSEMBLIES, &assembly);
            for run in runs {
                let run_identity = documents.identify(RUNS, &run);
                push_new(documents.assemblies_of_runs.entry(run_identity).or_default(), assembly.clone());
                push_new(documents.runs_of_assemblies.entry(identity).or_default(), run);
            }
            if describes_others {
                documents.extra_lines.push((identity, ASSEMBLIES, assembly.into()));
            }
        }
        if let Some((study, pipelines)) = pipelines {
            let identity = documents.identify(STUDIES, &study);
            documents.pipelines.insert(identity, pipelines);
            documents.extra_lines.push((identity, STUDIES, study.into()));
        }
        if let Some((study, members)) = members {
            documents.add_members(study, members)?;
        }
        for (kind, id, version) in versions {
            let identity = documents.identify(kind, &id);
            if let Some(word) = documents.word(version) {
                documents.versions.push((identity, word));
            }
        }
        for name in nameless {
            documents.unplaced.nameless.add(name);
        }
        Ok(())
    }

    fn add(&mut self, mut occurrence: Occurrence) -> Result<()> {
        let documents = &mut self.documents;
        let Occurrence { resource_type, is_line, .. } = occurrence;
        let identity = documents.identifier.identify(resource_type, &occurrence.key, None);
        if [BIOMES, SUPER_STUDIES].contains(&resource_type) && is_line {
            let rank = documents.num_ranked;
            documents.num_ranked += 1;
            occurrence.document.insert("@rank".to_owned(), rank.into());
            // The line of an object decides its place in the list, whatever else embeds the object.
            occurrence.richness += RANKED;
            if resource_type == BIOMES && documents.found.get(&identity).is_some_and(|known| known.has_line) {
                documents.repeats.push((rank, occurrence.document));
                return Ok(());
            }
        }
        let says_studies = occurrence.studies.is_some();
        let studies = occurrence.studies.take().unwrap_or_else(|| occurrence.study_around.take().into_iter().collect());
        let mut positions: Vec<u32> = Vec::new();
        for study in studies {
            positions.push(documents.study_position(study)?);
        }
        let mut place = Place {
            resource_type,
            updated_at: occurrence.updated_at().into(),
            id: occurrence.id.as_str().into(),
            offset: self.offset,
            length: 0,
            richness: occurrence.richness,
            word: None,
            has_line: is_line,
            is_merged: AtomicBool::default(),
            studies: positions,
            says_studies,
        };
        let mut is_better = true;
        if let Some(known) = documents.found.get_mut(&identity) {
            documents.num_combined += u64::from(is_line && known.has_line);
            is_better =
                (place.richness, &place.updated_at, is_line) >= (known.richness, &known.updated_at, known.has_line);
            place.take_from(known, is_better);
        }
        if is_better {
            place.word = occurrence.word().and_then(|word| documents.word(word));
            let text =
                serde_json::to_vec(&occurrence.document).map_err(|_| Error::Internal("a document has no JSON"))?;
            self.writer.write_all(&text).map_err(Error::io("cannot write", &self.path))?;
            place.length =
                u32::try_from(text.len()).map_err(|_| Error::Internal("a document is longer than a line"))?;
            self.offset += u64::from(place.length);
            documents.found.insert(identity, place);
        }
        if resource_type == SAMPLES {
            documents.add_names(&occurrence);
        }
        Ok(())
    }
}

impl Documents {
    /// Notes the accessions of a sample. An accession of several samples belongs to the one whose
    /// own accession it is, otherwise to the first by id.
    fn add_names(&mut self, Occurrence { key, id, names, .. }: &Occurrence) {
        let Some(position) = self.found.get_index_of(&self.identify(SAMPLES, key)) else { return };
        for name in names {
            let identity = self.identify(SAMPLES, name);
            let known = self.names.get(&identity).and_then(|known| self.found.get_index(*known));
            let is_its = known.is_none_or(|(owner, known)| *owner != identity && **id < *known.id) || name == key;
            if is_its {
                self.names.insert(identity, position);
            }
        }
    }

    /// Returns the position of a study in the list of studies.
    pub(super) fn study_position(&mut self, study: String) -> Result<u32> {
        let position = self.studies.insert_full(study.into()).0;
        u32::try_from(position).map_err(|_| Error::Internal("there are too many studies"))
    }

    /// Returns the position of a word, or `None` if there are too many.
    fn word(&mut self, word: String) -> Option<u16> {
        u16::try_from(self.words.insert_full(word).0).ok()
    }
}

impl Occurrence {
    /// Returns the value by which resources are counted: the experiment type of runs and analyses,
    /// the lineage of samples.
    fn word(&self) -> Option<String> {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        match self.resource_type {
            RUNS | ANALYSIS_JOBS => {
                let label = text(self.document.get("experiment_type")).filter(|label| is_id(label));
                label.map(|label| experiment_type(&label))
            }
            SAMPLES => text(self.document.get("biome").and_then(|biome| biome.get("lineage"))),
            _ => None,
        }
    }
}

impl Place {
    /// Combines the facts of two occurrences of an object, other than their documents. If
    /// `is_better`, this document is the better one, otherwise the known one is.
    fn take_from(&mut self, known: &mut Self, is_better: bool) {
        match (known.says_studies, self.says_studies) {
            // All facts from other objects count.
            (false, false) => self.studies.iter().for_each(|study| push_new(&mut known.studies, *study)),
            (_, true) if is_better || !known.says_studies => known.studies = std::mem::take(&mut self.studies),
            _ => {}
        }
        known.says_studies |= self.says_studies;
        known.has_line |= self.has_line;
        if is_better {
            self.studies = std::mem::take(&mut known.studies);
            (self.says_studies, self.has_line) = (known.says_studies, known.has_line);
        }
    }
}

pub(super) fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
