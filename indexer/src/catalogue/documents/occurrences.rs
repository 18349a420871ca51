//! An object of a harvest, taken apart: the document itself, and those of what is embedded in it.

use serde_json::Value;
use store::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, GENOME_CATALOGUES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, SUPER_STUDIES,
    document_members,
};

use super::derived::first_accession;
use super::kind::Kind;
use super::words::is_ena;
use crate::catalogue::resource::Members;
use crate::run::{Reason, Rejection};

/// The most bytes of an accession or a lineage: the index takes no longer ones.
const ID_BYTES_MAX: usize = 1000;

/// An occurrence of an object.
#[derive(Debug, PartialEq)]
pub(super) struct Occurrence {
    pub(super) resource_type: &'static str,
    /// The id that the resource has in version 1.
    pub(super) id: String,
    /// Its other accessions.
    pub(super) names: Vec<String>,
    /// The members of the type, as far as they came, in their order.
    pub(super) document: Members,
    /// How many of them came.
    pub(super) richness: usize,
    /// It is a line of a file, and not embedded in one.
    pub(super) is_line: bool,
    /// Of a sample or a publication: the studies that it is of, if the object says so.
    pub(super) studies: Option<Vec<String>>,
    /// Of an embedded sample: the study of the object around it, where nothing better is known.
    pub(super) study_around: Option<String>,
}

/// What a line of a harvest tells.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Told {
    pub(super) occurrences: Vec<Occurrence>,
    /// An assembly, and runs that it was made of.
    pub(super) runs: Option<(String, Vec<String>)>,
    /// A study, and the pipelines for which it is found.
    pub(super) pipelines: Option<(String, Vec<String>)>,
}

/// Takes an object of a file of some kind apart.
pub(super) fn told(kind: Kind, text: &str) -> Result<Told, Rejection> {
    let value: Value = serde_json::from_str(text).map_err(|error| crate::catalogue::resource::unreadable(&error))?;
    let Value::Object(object) = value else {
        return Err(Rejection::new(Reason::NotAResource, "it is not an object"));
    };
    let mut told = Told::default();
    match kind {
        Kind::Resource(resource_type) => told.add(resource_type, object, true)?,
        Kind::Part(resource_type, member) => {
            let id = id_of(object.get(member)).ok_or_else(|| no_id(member))?;
            told.occurrences.push(Occurrence { document: object, ..Occurrence::new(resource_type, id, true) });
        }
        Kind::StudyFeatures => {
            let study = id_of(object.get("accession")).ok_or_else(|| no_id("accession"))?;
            told.pipelines = Some((study, texts(object.get("has_analyses_from_pipeline"))));
        }
        Kind::AssemblyRuns => {
            let assembly = id_of(object.get("assembly")).ok_or_else(|| no_id("assembly"))?;
            told.runs = Some((assembly, texts(object.get("runs"))));
        }
    }
    Ok(told)
}

impl Occurrence {
    fn new(resource_type: &'static str, id: String, is_line: bool) -> Self {
        Self {
            resource_type,
            id,
            names: Vec::new(),
            document: Members::new(),
            richness: 0,
            is_line,
            studies: None,
            study_around: None,
        }
    }

    pub(super) fn updated_at(&self) -> &str {
        self.document.get("updated_at").and_then(Value::as_str).unwrap_or_default()
    }
}

impl Told {
    /// Adds an object of a type, and all that is embedded in it.
    fn add(&mut self, resource_type: &'static str, mut object: Members, is_line: bool) -> Result<(), Rejection> {
        let (id, names) = identity(resource_type, &object)?;
        let mut occurrence = Occurrence { names, ..Occurrence::new(resource_type, id, is_line) };
        self.take_apart(&mut occurrence, &mut object);
        if let Some(biome) = object.get("biome").and_then(Value::as_object) {
            self.add_embedded(BIOMES, biome.clone());
        }
        for name in document_members(resource_type) {
            if let Some(value) = object.remove(*name) {
                occurrence.richness += 1;
                occurrence.document.insert((*name).to_owned(), value);
            }
        }
        let internal = object.into_iter().filter(|(name, _)| name.starts_with("@instrument"));
        occurrence.document.extend(internal);
        self.occurrences.push(occurrence);
        Ok(())
    }

    /// Adds an embedded object. One without an accession cannot be placed, and is left where it is.
    fn add_embedded(&mut self, resource_type: &'static str, object: Members) {
        // It is no row that could be rejected.
        _ = self.add(resource_type, object, false);
    }

    /// Puts accessions in place of embedded objects, which are added themselves. Embedded studies are references only.
    fn take_apart(&mut self, occurrence: &mut Occurrence, object: &mut Members) {
        match occurrence.resource_type {
            SAMPLES => occurrence.studies = object.get("studies").map(accessions),
            PUBLICATIONS => occurrence.studies = Some(object.get("studies").map(accessions).unwrap_or_default()),
            RUNS => {
                let study = object.get("study_accession").and_then(Value::as_str).map(str::to_owned);
                self.take_sample(object, study);
            }
            ASSEMBLIES => {
                let run = object.get("run_accession").and_then(Value::as_str);
                self.runs = run.map(|run| (occurrence.id.clone(), vec![run.to_owned()]));
            }
            ANALYSIS_JOBS => self.take_analysis(object),
            SUPER_STUDIES => {
                for name in ["flagship_studies", "related_studies"] {
                    let studies = object.get(name).map(accessions).unwrap_or_default();
                    object.insert(name.to_owned(), studies.into());
                }
                let catalogues = object.get("genome_catalogues").and_then(Value::as_array).cloned();
                let catalogues: Vec<Members> = catalogues.into_iter().flatten().filter_map(into_object).collect();
                let ids = catalogues.iter().filter_map(|catalogue| catalogue.get("catalogue_id").cloned()).collect();
                object.insert("genome_catalogues".to_owned(), Value::Array(ids));
                for catalogue in catalogues {
                    self.add_embedded(GENOME_CATALOGUES, catalogue);
                }
            }
            GENOMES => {
                if let Some(catalogue) = object.remove("catalogue").and_then(into_object) {
                    self.add_embedded(GENOME_CATALOGUES, catalogue);
                }
            }
            _ => {}
        }
    }

    fn take_analysis(&mut self, object: &mut Members) {
        let study = object.get("study_accession").and_then(Value::as_str).map(str::to_owned);
        let sample = self.take_sample(object, study);
        object.insert("sample".to_owned(), sample.into());
        let run = object.get("run").cloned().and_then(into_object);
        for name in ["instrument_platform", "instrument_model"] {
            if let Some(value) = run.as_ref().and_then(|run| run.get(name)).filter(|value| !value.is_null()) {
                object.insert(format!("@{name}"), value.clone());
            }
        }
        let own_run = run.as_ref().and_then(|run| id_of(run.get("accession")));
        object.insert("run".to_owned(), own_run.into());
        let assembly = object.get("assembly").cloned().and_then(into_object);
        let assembly_id = assembly.as_ref().and_then(|assembly| id_of(assembly.get("accession")));
        object.insert("assembly".to_owned(), assembly_id.clone().into());
        let all_runs = object.get("read_run").and_then(Value::as_array).cloned();
        let ids = all_runs.as_ref().map(|runs| accessions(&Value::Array(runs.clone())));
        if let Some(ids) = ids {
            object.insert("read_run".to_owned(), ids.clone().into());
            if let Some(assembly) = assembly_id {
                self.runs = Some((assembly, ids));
            }
        }
        if let Some(assembly) = assembly {
            self.add_embedded(ASSEMBLIES, assembly);
        }
        for run in run.into_iter().chain(all_runs.into_iter().flatten().filter_map(into_object)) {
            self.add_embedded(RUNS, run);
        }
    }

    /// Takes the sample out of an object of a study, and returns its accession.
    fn take_sample(&mut self, object: &mut Members, study: Option<String>) -> Option<String> {
        let sample = object.get("sample").cloned().and_then(into_object)?;
        let accession = id_of(sample.get("accession"));
        self.add_embedded(SAMPLES, sample);
        if let Some(occurrence) = self.occurrences.last_mut().filter(|last| last.resource_type == SAMPLES) {
            occurrence.study_around = study;
        }
        accession
    }
}

/// Returns the id that an object has in version 1, and its other accessions.
fn identity(resource_type: &'static str, object: &Members) -> Result<(String, Vec<String>), Rejection> {
    let member = match resource_type {
        BIOMES => "lineage",
        PUBLICATIONS => "pubmed_id",
        SUPER_STUDIES => "slug",
        GENOME_CATALOGUES => "catalogue_id",
        _ => "accession",
    };
    let accession = id_of(object.get(member));
    let mut names = texts(object.get("ena_accessions"));
    let secondary = names.iter().find(|name| resource_type == SAMPLES && is_ena(name, "RS", 1));
    let id = secondary.or(accession.as_ref()).cloned().ok_or_else(|| no_id(member))?;
    names.extend(accession);
    names.retain(|name| *name != id);
    Ok((id, names))
}

fn no_id(member: &str) -> Rejection {
    Rejection::new(Reason::BadId, format!("it has no {member}"))
}

/// Returns a text or a whole number as an id.
fn id_of(value: Option<&Value>) -> Option<String> {
    let id = match value? {
        Value::String(text) => text.clone(),
        Value::Number(number) if !number.is_f64() => number.to_string(),
        _ => return None,
    };
    let is_good = !id.is_empty() && id.len() <= ID_BYTES_MAX && !id.chars().any(char::is_control);
    is_good.then_some(id)
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().filter(|text| !text.is_empty()).map(str::to_owned)).collect()
}

/// Returns the accessions of embedded objects, each once.
fn accessions(objects: &Value) -> Vec<String> {
    let mut accessions: Vec<String> = Vec::new();
    for object in objects.as_array().into_iter().flatten() {
        accessions.extend(id_of(object.get("accession")).filter(|accession| !accessions.contains(accession)));
    }
    accessions
}

fn into_object(value: Value) -> Option<Members> {
    if let Value::Object(object) = value { Some(object) } else { None }
}

/// Returns a document with all members of its type in their order, and what else it has behind them.
pub(super) fn complete(resource_type: &str, mut document: Members) -> Members {
    let mut whole = Members::new();
    for name in document_members(resource_type) {
        let value = document.remove(*name).unwrap_or_else(|| match *name {
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
