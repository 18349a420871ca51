//! Studies and assemblies of the catalogue by their accessions and their texts, for other services.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};
use store::model::{ASSEMBLIES, ResourceType, SAMPLES, STUDIES};
use store::{CatalogueGeneration, Condition, Listing, Order, Ordinal, QueryFault, QueryPlace, RELEVANCE, Selection};

use super::collections::lookup;
use super::problem::CatalogueProblem;
use super::request::conditions;
use super::snapshot::Snapshot;
use crate::SourceError;

/// The part of a stored resource that says what it is.
#[derive(Deserialize)]
struct Stored {
    id: String,
    #[serde(default)]
    attributes: Map<String, Value>,
}

/// A study, as people know it.
pub(crate) struct KnownStudy {
    pub(crate) name: String,
    /// All of them, the main one first.
    pub(crate) accessions: Vec<String>,
}

/// Returns all accessions of the resource of a type that one of them names, the main one first; empty if there is none. One such as
/// `GCA_900230545` may have a version behind it, as in `GCA_900230545.1`.
pub(crate) fn accessions(
    data: &CatalogueGeneration,
    resource_type: &str,
    accession: &str,
) -> Result<Vec<String>, SourceError> {
    let unversioned = accession.split_once('.').map(|(unversioned, _)| unversioned);
    for accession in [Some(accession), unversioned].into_iter().flatten() {
        if let Some(ordinal) = data.find(resource_type, accession)? {
            return Ok(Stored::read(data, ordinal)?.accessions(resource_type));
        }
    }
    Ok(Vec::new())
}

/// Returns all accessions of a resource of a type, the main one first.
pub(super) fn accessions_of(
    data: &CatalogueGeneration,
    ordinal: Ordinal,
    resource_type: &str,
) -> Result<Vec<String>, SourceError> {
    Ok(Stored::read(data, ordinal)?.accessions(resource_type))
}

/// Returns all accessions of each of the studies, or of the assemblies of the samples, that conditions select, the main one first.
///
/// # Errors
///
/// * They cannot be read. Within: the faults of the conditions, or that they select more than `num_max`.
pub(crate) fn selected(
    data: &Arc<CatalogueGeneration>,
    resource_type: &'static str,
    place: QueryPlace<'_>,
    num_max: usize,
) -> Result<Result<Vec<Vec<String>>, Vec<QueryFault>>, SourceError> {
    let snapshot = Snapshot::new(Arc::clone(data));
    let parsed = conditions::embedded(&lookup::of_type(resource_type), &snapshot, place);
    let condition = match parsed.map_err(CatalogueProblem::into_source_error)? {
        Ok(condition) => condition,
        Err(faults) => return Ok(Err(faults)),
    };
    let found = if resource_type == SAMPLES {
        of_samples(&snapshot, condition)?
    } else {
        snapshot.select(resource_type, vec![condition], Vec::new())?
    };
    if found.len() > num_max {
        let problem = format!("these conditions select {} studies or assemblies", found.len());
        return Ok(Err(vec![place.fault(problem, &format!("conditions that select {num_max} at most"))]));
    }
    let accessions_type = if resource_type == SAMPLES { ASSEMBLIES } else { resource_type };
    accessions_of_all(data, accessions_type, &found).map(Ok)
}

/// Returns all accessions of each of the assemblies of a sample, the main one first, or `None` if there is no such sample.
pub(crate) fn assemblies_of_sample(
    data: &Arc<CatalogueGeneration>,
    accession: &str,
) -> Result<Option<Vec<Vec<String>>>, SourceError> {
    if data.find(SAMPLES, accession)?.is_none() {
        return Ok(None);
    }
    let sample = Condition::Identified(vec![accession.to_owned()]);
    let assemblies = of_samples(&Snapshot::new(Arc::clone(data)), sample)?;
    accessions_of_all(data, ASSEMBLIES, &assemblies).map(Some)
}

fn of_samples(snapshot: &Snapshot, condition: Condition) -> Result<Arc<Listing>, SourceError> {
    snapshot.select(ASSEMBLIES, vec![Condition::OfSamples(Box::new(condition))], Vec::new())
}

fn accessions_of_all(
    data: &CatalogueGeneration,
    resource_type: &str,
    listing: &Listing,
) -> Result<Vec<Vec<String>>, SourceError> {
    let ordinals = listing.ordinals(0..listing.len());
    ordinals.into_iter().map(|ordinal| accessions_of(data, ordinal, resource_type)).collect()
}

/// Returns studies that have all words of a text, those that fit best first.
pub(crate) fn studies(
    data: &Arc<CatalogueGeneration>,
    text: &str,
    num_max: usize,
) -> Result<Vec<KnownStudy>, SourceError> {
    let found = data.select(&Selection {
        resource_type: STUDIES.to_owned(),
        conditions: vec![Condition::Text(text.to_owned())],
        orders: vec![Order { field: RELEVANCE.to_owned(), is_descending: false }],
    })?;
    let ordinals = found.ordinals(0..num_max);
    Snapshot::new(Arc::clone(data)).take_memory(ordinals.len())?;
    let studies = ordinals.into_iter().map(|ordinal| {
        let study = Stored::read(data, ordinal)?;
        let name = study.text("study-name").unwrap_or_default();
        Ok(KnownStudy { name, accessions: study.accessions(STUDIES) })
    });
    studies.collect()
}

impl Stored {
    fn read(data: &CatalogueGeneration, ordinal: Ordinal) -> Result<Self, SourceError> {
        let body = data.resource(ordinal)?;
        serde_json::from_slice(body.json()).map_err(|error| SourceError::Fault(error.into()))
    }

    fn text(&self, attribute: &str) -> Option<String> {
        self.attributes.get(attribute)?.as_str().map(str::to_owned)
    }

    /// Bare numbers are no accessions: they are those of many things.
    fn accessions(&self, resource_type: &str) -> Vec<String> {
        let rules = ResourceType::rules_of(resource_type);
        let mut accessions = rules.identifiers_of(&self.id, |attribute| self.text(attribute));
        accessions.retain(|accession| !accession.bytes().all(|byte| byte.is_ascii_digit()));
        accessions
    }
}
