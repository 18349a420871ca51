//! Studies and assemblies of the catalogue by their accessions and their texts, for other services.

use std::sync::Arc;

use api_http::SourceError;
use serde::Deserialize;
use serde_json::{Map, Value};
use store_catalogue::model::{ResourceType, STUDIES};
use store_catalogue::{CatalogueGeneration, Condition, Order, Ordinal, RELEVANCE, Selection};

use super::snapshot::Snapshot;

/// The part of a stored resource that identifies it.
#[derive(Deserialize)]
struct Stored {
    id: String,
    #[serde(default)]
    attributes: Map<String, Value>,
}

/// A study, with its name and accessions.
pub struct KnownStudy {
    /// The name.
    pub name: String,
    /// All accessions; the main one is the first.
    pub accessions: Vec<String>,
}

/// Returns all accessions of the resource of a type with an accession, the main one first; empty if
/// it does not exist. An accession such as `GCA_900230545` may be followed by a version, as in
/// `GCA_900230545.1`.
pub fn accessions(
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

/// Returns studies that have all words of a text, the best matches first.
pub fn studies(data: &Arc<CatalogueGeneration>, text: &str, num_max: usize) -> Result<Vec<KnownStudy>, SourceError> {
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

    /// Bare numbers are not accessions: they identify many things.
    fn accessions(&self, resource_type: &str) -> Vec<String> {
        let rules = ResourceType::rules_of(resource_type);
        let mut accessions = rules.identifiers_of(&self.id, |attribute| self.text(attribute));
        accessions.retain(|accession| !accession.bytes().all(|byte| byte.is_ascii_digit()));
        accessions
    }
}
