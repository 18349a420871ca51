//! The pages, and the services that they are made from.

use std::sync::Arc;

use api_catalogue::CatalogueService;
use api_http::ServiceConfig;
use api_http::front::Front;
use api_http::readiness::Readiness;
use api_proteins::{CountedFamilies, LocalProteins, Similarity};

/// The pages, and the files that they need.
pub struct PortalService {
    pub(crate) asked: Asked,
    pub(crate) front: Front,
}

/// The services that pages are made from.
pub struct Asked {
    /// The proteins.
    pub proteins: Arc<LocalProteins>,
    /// The number of proteins of each family.
    pub families: Arc<CountedFamilies>,
    /// The searches for similar proteins.
    pub similarity: Arc<Similarity>,
    /// The catalogue.
    pub catalogue: Arc<CatalogueService>,
    /// `true` if there are profiles.
    pub has_profiles: bool,
    /// Tells which services have data.
    pub readiness: Box<dyn Fn() -> Readiness + Send + Sync>,
}

impl PortalService {
    /// Makes the pages of some services.
    pub fn new(asked: Asked, config: &ServiceConfig) -> Self {
        Self { asked, front: Front::new(config) }
    }
}
