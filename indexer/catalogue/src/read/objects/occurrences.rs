//! An object of a harvest, split into the document itself and those of the objects embedded in it.

use indexer::run::{Reason, Rejection};
use serde_json::Value;
use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, GENOME_CATALOGUES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, SUPER_STUDIES,
    document_members, pipeline,
};

use super::ids::{accessions, depth, first_accession, id_of, identity, ids, into_object, no_id, objects, texts};
use super::kind::Kind;
use crate::read::Members;

/// The member of an embedded object with the accession of the sample of the surrounding object.
const AROUND: &str = "@around";

/// The most levels of an object. Readers of JSON accept 128, and documents are stored inside
/// others.
const DEPTH_MAX: usize = 100;

/// An occurrence of an object.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Occurrence {
    pub(crate) resource_type: &'static str,
    /// The key of the object, unique within its type: the accession, if it has one.
    pub(crate) key: String,
    /// The id of the resource in version 1.
    pub(crate) id: String,
    /// All its accessions.
    pub(crate) names: Vec<String>,
    /// The members of the type that are present, in their order, then unknown members.
    pub(crate) document: Members,
    /// The number of members that are present.
    pub(crate) richness: usize,
    /// Set if the object is a line of a file, and not embedded in one.
    pub(crate) is_line: bool,
    /// The studies that contain a sample or a publication, if the object names them.
    pub(crate) studies: Option<Vec<String>>,
    /// The study of the object around an embedded sample, if no better one is known.
    pub(crate) study_around: Option<String>,
}

/// The facts from a line of a harvest.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct LineFacts {
    pub(crate) occurrences: Vec<Occurrence>,
    /// Assemblies, and the runs that they were made from.
    pub(crate) runs: Vec<(String, Vec<String>)>,
    /// Runs and assemblies by type, and the versions of pipelines that have analysed them.
    pub(crate) versions: Vec<(&'static str, String, String)>,
    /// A study, and the pipelines by which it can be found.
    pub(crate) pipelines: Option<(String, Vec<String>)>,
    /// A study, and its samples and publications by type.
    pub(crate) members: Option<(String, Vec<(&'static str, String)>)>,
    /// Embedded objects that have no accession.
    pub(crate) nameless: Vec<String>,
}

/// Splits an object of a file of some kind into its facts.
pub(crate) fn line_facts(kind: Kind, text: &str) -> Result<LineFacts, Rejection> {
    let value: Value = serde_json::from_str(text).map_err(|error| crate::read::checks::unreadable(&error))?;
    if depth(&value) > DEPTH_MAX {
        return Err(Rejection::new(Reason::BadDocument, format!("it has more than {DEPTH_MAX} levels")));
    }
    let Value::Object(object) = value else {
        return Err(Rejection::new(Reason::NotAResource, "it is not an object"));
    };
    let mut facts = LineFacts::default();
    match kind {
        Kind::Resource(resource_type) => {
            facts.add(resource_type, object, true)?;
            let id = facts.occurrences.last().map(|line| line.id.clone()).unwrap_or_default();
            facts.nameless.iter_mut().for_each(|it| *it = format!("{it} in {resource_type} {id}"));
        }
        Kind::Part(resource_type, member) => {
            let id = id_of(object.get(member)).ok_or_else(|| no_id(member))?;
            let occurrence = Occurrence { resource_type, key: id.clone(), id, is_line: true, ..Occurrence::default() };
            facts.occurrences.push(Occurrence { richness: object.len(), document: object, ..occurrence });
        }
        Kind::StudyFeatures => {
            let study = id_of(object.get("accession")).ok_or_else(|| no_id("accession"))?;
            facts.pipelines = Some((study, texts(object.get("has_analyses_from_pipeline"))));
        }
        Kind::AssemblyRuns => {
            let assembly = id_of(object.get("assembly")).ok_or_else(|| no_id("assembly"))?;
            facts.runs.push((assembly, texts(object.get("runs"))));
        }
        Kind::StudyMembers => {
            let study = id_of(object.get("study")).ok_or_else(|| no_id("study"))?;
            let named = [(SAMPLES, "samples"), (PUBLICATIONS, "publications")];
            let members = named.into_iter().flat_map(|(kind, list)| ids(object.get(list)).map(move |id| (kind, id)));
            facts.members = Some((study, members.collect()));
        }
    }
    Ok(facts)
}

impl Occurrence {
    /// Returns the time of the last change, to be compared as a text.
    pub(crate) fn updated_at(&self) -> &str {
        updated_at(&self.document)
    }
}

/// Returns the time of the last change of a document, to be compared as a text: `Z` sorts after the
/// dot before milliseconds.
pub(crate) fn updated_at(document: &Members) -> &str {
    document.get("updated_at").and_then(Value::as_str).unwrap_or_default().trim_end_matches('Z')
}

impl LineFacts {
    /// Adds an object of a type, and all objects embedded in it.
    fn add(&mut self, resource_type: &'static str, mut object: Members, is_line: bool) -> Result<(), Rejection> {
        let (key, id, names) = identity(resource_type, &object)?;
        object.retain(|name, _| !name.starts_with('@') || name == AROUND);
        let richness = object.values().filter(|value| !value.is_null()).count();
        let mut occurrence = Occurrence { resource_type, key, id, names, richness, is_line, ..Occurrence::default() };
        self.take_apart(&mut occurrence, &mut object);
        // Super-studies name the biomes of their studies without lineages.
        let biome = object.get("biome").and_then(Value::as_object);
        if let Some(biome) = biome.filter(|biome| biome.get("lineage").is_some_and(|lineage| !lineage.is_null())) {
            self.add_embedded(BIOMES, biome.clone());
        }
        for name in document_members(resource_type) {
            occurrence.document.extend(object.shift_remove(*name).map(|value| ((*name).to_owned(), value)));
        }
        occurrence.document.extend(object);
        self.occurrences.push(occurrence);
        Ok(())
    }

    /// Adds an embedded object. It is not a row, so it cannot be rejected.
    fn add_embedded(&mut self, resource_type: &'static str, object: Members) {
        if self.add(resource_type, object, false).is_err() {
            self.nameless.push(resource_type.to_owned());
        }
    }

    /// Replaces embedded objects by their accessions, and adds the objects themselves. Embedded
    /// studies are references only.
    fn take_apart(&mut self, occurrence: &mut Occurrence, object: &mut Members) {
        match occurrence.resource_type {
            SAMPLES | PUBLICATIONS => {
                let studies = object.shift_remove("studies");
                occurrence.studies = studies.map(|studies| accessions(&studies, "accession"));
            }
            RUNS => self.take_run(occurrence, object),
            ASSEMBLIES => {
                let run = id_of(object.get("run_accession"));
                self.runs.extend(run.map(|run| (occurrence.id.clone(), vec![run])));
                if let Some(sample) = object.shift_remove(AROUND) {
                    occurrence.document.insert("@sample".to_owned(), sample);
                }
            }
            ANALYSIS_JOBS => self.take_analysis(object),
            SUPER_STUDIES => {
                for name in ["flagship_studies", "related_studies"] {
                    let studies = object.get(name).map(|studies| accessions(studies, "accession"));
                    object.insert(name.to_owned(), studies.unwrap_or_default().into());
                }
                let catalogues = objects(object.get("genome_catalogues"));
                let ids = object.get("genome_catalogues").map(|catalogues| accessions(catalogues, "catalogue_id"));
                object.insert("genome_catalogues".to_owned(), ids.unwrap_or_default().into());
                for catalogue in catalogues {
                    self.add_embedded(GENOME_CATALOGUES, catalogue);
                }
            }
            GENOMES => {
                if let Some(Value::Object(catalogue)) = object.shift_remove("catalogue") {
                    self.add_embedded(GENOME_CATALOGUES, catalogue);
                }
            }
            _ => {}
        }
    }

    fn take_run(&mut self, occurrence: &mut Occurrence, object: &mut Members) {
        let study = object.shift_remove("study").as_ref().and_then(|study| id_of(study.get("accession")));
        if let Some(study) = study.filter(|_| id_of(object.get("study_accession")).is_none()) {
            object.insert("study_accession".to_owned(), study.into());
        }
        // The run itself may name an accession of the sample that no other object has.
        let around = object.shift_remove(AROUND);
        let own = object.shift_remove("sample").and_then(into_object);
        let own = own.and_then(|sample| self.take_sample(sample, id_of(object.get("study_accession"))));
        if let Some(sample) = own.map(Value::from).or(around) {
            occurrence.document.insert("@sample".to_owned(), sample);
        }
    }

    fn take_analysis(&mut self, object: &mut Members) {
        let study = id_of(object.get("study_accession"));
        let sample = object.get("sample").cloned().and_then(into_object);
        let sample = sample.and_then(|sample| self.take_sample(sample, study));
        let version = object.get("pipeline_version").and_then(Value::as_str).map(pipeline);
        let mut run = object.get("run").and_then(Value::as_object).cloned();
        for name in ["instrument_platform", "instrument_model"] {
            if let Some(value) = run.as_ref().and_then(|run| run.get(name)).filter(|value| !value.is_null()) {
                object.insert(format!("@{name}"), value.clone());
            }
        }
        let mut assembly = object.get("assembly").and_then(Value::as_object).cloned();
        if let Some(sample) = &sample {
            for embedded in run.iter_mut().chain(&mut assembly) {
                embedded.insert(AROUND.to_owned(), sample.clone().into());
            }
        }
        object.insert("sample".to_owned(), sample.into());
        let own_run = run.as_ref().and_then(|run| id_of(run.get("accession")));
        object.insert("run".to_owned(), own_run.clone().into());
        let assembly_id = assembly.as_ref().and_then(|assembly| id_of(assembly.get("accession")));
        object.insert("assembly".to_owned(), assembly_id.clone().into());
        for (kind, id) in [(RUNS, own_run), (ASSEMBLIES, assembly_id.clone())] {
            let named = id.zip(version.clone());
            self.versions.extend(named.map(|(id, version)| (kind, id, version)));
        }
        let all_runs = objects(object.get("read_run"));
        if let Some(read_run) = object.get_mut("read_run").filter(|runs| runs.is_array()) {
            let ids = accessions(read_run, "accession");
            *read_run = ids.clone().into();
            self.runs.extend(assembly_id.map(|assembly| (assembly, ids)));
        }
        if let Some(assembly) = assembly {
            self.add_embedded(ASSEMBLIES, assembly);
        }
        for run in all_runs.into_iter().chain(run) {
            self.add_embedded(RUNS, run);
        }
    }

    /// Adds an embedded sample, and returns its accession.
    fn take_sample(&mut self, sample: Members, study: Option<String>) -> Option<String> {
        let num_before = self.occurrences.len();
        self.add_embedded(SAMPLES, sample);
        let occurrence = self.occurrences.get_mut(num_before..)?.last_mut()?;
        occurrence.study_around = study;
        Some(occurrence.key.clone())
    }
}

/// Returns a document with all members of its type in their order, followed by its other members.
pub(crate) fn complete(resource_type: &str, mut document: Members) -> Members {
    let mut whole = Members::new();
    for name in document_members(resource_type) {
        let value = document.shift_remove(*name).unwrap_or_else(|| match *name {
            "first_accession" => {
                let accessions = whole.get("ena_accessions").and_then(Value::as_array);
                first_accession(accessions.map_or(&[], Vec::as_slice))
            }
            "downloads" | "ena_accessions" => Value::Array(Vec::new()),
            "metadata" => Value::Object(Members::new()),
            _ => Value::Null,
        });
        whole.insert((*name).to_owned(), value);
    }
    whole.extend(document);
    whole
}
