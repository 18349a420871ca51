//! A release of proteins, with the catalogue and the families.

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
    /// The catalogue, or the reason why it is missing.
    pub(crate) catalogue: Result<Arc<CatalogueGeneration>, String>,
    pub(crate) families: Arc<CountedFamilies>,
}

impl Release {
    /// Combines a generation and a catalogue. Without a catalogue, the text is the reason, such as
    /// `no catalogue is loaded`.
    pub fn new(data: Arc<ProteinGeneration>, catalogue: Result<Arc<CatalogueGeneration>, String>) -> Self {
        Self { data, catalogue, families: Arc::default() }
    }

    /// Returns the release that answers a request.
    pub fn served(
        data: Arc<ProteinGeneration>,
        catalogue: Option<Arc<CatalogueGeneration>>,
        families: &Arc<CountedFamilies>,
    ) -> Self {
        let catalogue = catalogue.ok_or_else(|| NOT_LOADED.to_owned());
        Self { families: Arc::clone(families), ..Self::new(data, catalogue) }
    }

    /// Returns the names of both generations. Answers with resolved accessions or suggested studies
    /// depend on both.
    pub(crate) fn generations(&self) -> Generations {
        Generations(self.data.name(), self.catalogue.as_ref().ok().map(|catalogue| catalogue.name()))
    }
}
