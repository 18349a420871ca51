//! The portal and the services it uses.

use std::sync::Arc;

use api_catalogue::CatalogueService;
use api_http::ServiceConfig;
use api_http::front::Front;
use api_http::readiness::Readiness;
use api_proteins::{CountedFamilies, LocalProteins, Similarity};

/// The web pages and their files.
pub struct PortalService {
    pub(crate) services: PortalServices,
    pub(crate) front: Front,
}

/// The services used by pages.
pub struct PortalServices {
    /// The proteins.
    pub proteins: Arc<LocalProteins>,
    /// The number of proteins of each family.
    pub families: Arc<CountedFamilies>,
    /// The searches for similar proteins.
    pub similarity: Arc<Similarity>,
    /// The catalogue.
    pub catalogue: Arc<CatalogueService>,
    /// `true` if profiles are served.
    pub has_profiles: bool,
    /// Returns the readiness of all services.
    pub readiness: Box<dyn Fn() -> Readiness + Send + Sync>,
}

impl PortalService {
    /// Creates the portal on top of these services.
    pub fn new(services: PortalServices, config: &ServiceConfig) -> Self {
        Self { services, front: Front::new(config) }
    }
}
