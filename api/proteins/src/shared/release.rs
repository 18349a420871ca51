//! A release of proteins with what names things in it.

use std::sync::Arc;

use api_http::generations::Generations;
use store_catalogue::CatalogueGeneration;
use store_proteins::ProteinGeneration;

use super::family_counts::CountedFamilies;

const NOT_LOADED: &str = "no catalogue is loaded";

/// A generation of proteins, and the catalogue of the studies and assemblies in which they occur.
#[derive(Clone)]
pub struct Release {
    /// The proteins.
    pub data: Arc<ProteinGeneration>,
    /// Without a catalogue, why there is none.
    pub(crate) catalogue: Result<Arc<CatalogueGeneration>, String>,
    pub(crate) families: Arc<CountedFamilies>,
}

impl Release {
    /// Puts a generation and a catalogue together. Without a catalogue, the text says why there is none, such as `no catalogue is loaded`.
    pub fn new(data: Arc<ProteinGeneration>, catalogue: Result<Arc<CatalogueGeneration>, String>) -> Self {
        Self { data, catalogue, families: Arc::default() }
    }

    /// Returns the release that a request is answered from.
    pub fn served(
        data: Arc<ProteinGeneration>,
        catalogue: Option<Arc<CatalogueGeneration>>,
        families: &Arc<CountedFamilies>,
    ) -> Self {
        let catalogue = catalogue.ok_or_else(|| NOT_LOADED.to_owned());
        Self { families: Arc::clone(families), ..Self::new(data, catalogue) }
    }

    /// Returns the names of both generations: answers in which accessions are resolved, or studies suggested, are of both.
    pub(crate) fn generations(&self) -> Generations {
        Generations(self.data.name(), self.catalogue.as_ref().ok().map(|catalogue| catalogue.name()))
    }
}
