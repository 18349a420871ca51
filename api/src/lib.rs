#![doc = include_str!("../README.md")]

mod health;
mod manual;
mod monitoring;
#[cfg(test)]
mod tests;

pub use api_http::readiness::time_at;
pub use api_http::{
    Answer, AnsweredRequest, DataOrigin, HttpServer, Metrics, PublicUrl, ServerConfig, ServiceConfig, SourceError,
    TraceContext, Workers, export_traces, paths, scrub,
};

use std::mem;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use api_catalogue::{CatalogueService, LocalCatalogue};
use api_http::access::{Access, RouteLabel};
use api_http::error::Problem;
use api_http::front::Answered;
use api_http::limits::{Limits, ResponseGuard};
use api_http::{OnConnection, access, error, host, limits};
use api_portal::{PortalService, PortalServices};
use api_profiles::{ProfileService, ProfileServices};
use api_proteins::{CountedFamilies, LocalProteins, ProteinService, Similarity, Version};
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use tower::ServiceExt;
use tracing::Instrument;

/// The services behind the routes.
#[derive(Clone)]
pub struct Services {
    /// The proteins.
    pub proteins: Arc<LocalProteins>,
    /// The catalogue.
    pub catalogue: Arc<LocalCatalogue>,
    /// The searches for similar proteins.
    pub similarity: Arc<Similarity>,
    /// The profiles; without them, every request to them is 401.
    pub profiles: Option<ProfileServices>,
}

/// All services behind their paths.
#[derive(Clone)]
pub struct Api(Arc<Paths>);

/// The services and routers. Each service has separate limits, so that none takes the permits of
/// another.
struct Paths {
    proteins: ProteinService,
    catalogue: Arc<CatalogueService>,
    /// The portal, if it is served.
    portal: Option<Arc<PortalService>>,
    /// The state of the process.
    health: Router,
    profiles: ProfileService,
    /// The manual and the state of the process.
    others: Router,
    is_stopping: Arc<AtomicBool>,
    trust_proxy: bool,
}

impl Api {
    /// Makes the services available at their paths.
    pub fn new(services: &Services, config: &ServiceConfig) -> Self {
        // Health checks are answered at any load: only the services themselves are limited.
        let is_stopping = Arc::<AtomicBool>::default();
        let health = error::with_json_errors(health::router(services.clone(), Arc::clone(&is_stopping)))
            .layer(from_fn_with_state(Limits::new(config), limits::check_uri));
        let manual = manual::router(config).layer(from_fn_with_state(Limits::new(config), limits::check_uri));
        let Services { proteins, catalogue: source, similarity, .. } = services.clone();
        let catalogue = Arc::new(CatalogueService::new(Arc::clone(&source), Arc::clone(&proteins), config));
        let families = Arc::<CountedFamilies>::default();
        let portal = config.has_portal.then(|| {
            let readable = services.clone();
            let portal_services = PortalServices {
                proteins: Arc::clone(&proteins),
                families: Arc::clone(&families),
                similarity: Arc::clone(&similarity),
                catalogue: Arc::clone(&catalogue),
                has_profiles: services.profiles.is_some(),
                readiness: Box::new(move || health::services_readiness(&readable)),
            };
            Arc::new(PortalService::new(portal_services, config))
        });
        Self(Arc::new(Paths {
            proteins: ProteinService::new(proteins, source, similarity, families, config),
            catalogue,
            portal,
            profiles: ProfileService::new(services.profiles.as_ref(), config),
            others: health.clone().merge(manual).layer(from_fn(access::note_route)),
            health,
            is_stopping,
            trust_proxy: config.trust_proxy,
        }))
    }

    /// Answers `/readyz` with 503 from now on, so that load balancers send no more requests. All
    /// other answers are unchanged.
    pub fn announce_stop(&self) {
        self.0.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Answers a request.
    pub async fn answer(&self, request: Request) -> Response {
        let access = Access::begin(request.headers());
        let (mut parts, body) = request.into_parts();
        let connection = parts.extensions.get::<OnConnection>();
        let is_spare = connection.is_some_and(|connection| connection.is_spare);
        let busy = connection.map(|connection| Arc::clone(&connection.busy));
        let Answered { mut response, route, permit } = match check(&parts, self.0.trust_proxy, is_spare) {
            Ok(()) => self.0.answer(access, &mut parts, body).await,
            Err(problem) => Answered { response: problem.into_response(), route: RouteLabel::NONE, permit: None },
        };
        if is_spare {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        // The length in a 304 would have to be that of the 200.
        if response.status() != StatusCode::NOT_MODIFIED
            && let Some(length) = response.body().size_hint().exact()
        {
            response.headers_mut().entry(header::CONTENT_LENGTH).or_insert_with(|| length.into());
        }
        if parts.method == Method::HEAD {
            *response.body_mut() = Body::empty();
        }
        access.end(&parts.method, &parts.uri, &route, &mut response);
        ResponseGuard { permit, busy }.guard(response)
    }
}

impl Answer for Api {
    fn answer(&self, request: Request) -> impl Future<Output = Response> + Send {
        Self::answer(self, request)
    }
}

/// Refuses a malformed request and, on a spare connection, everything except health checks.
fn check(parts: &Parts, trust_proxy: bool, is_spare: bool) -> Result<(), Problem> {
    host::check(parts, trust_proxy)?;
    let is_health = [paths::HEALTH, paths::READY].contains(&parts.uri.path());
    if is_spare && !is_health { Err(Problem::Overloaded) } else { Ok(()) }
}

impl Paths {
    /// Passes a request to the service that its path belongs to.
    async fn answer(&self, access: Access, parts: &mut Parts, body: Body) -> Answered {
        host::use_target_host(parts);
        let path = parts.uri.path();
        for version in Version::ALL {
            if let Some(below) = paths::below(path, version.prefix()) {
                return self.proteins.answer(version, below, parts, body, access).await;
            }
        }
        if let Some(below) = paths::below(path, paths::CATALOGUE_V2) {
            return self.catalogue.answer_v2(below, parts, access).await;
        }
        for prefix in [paths::CATALOGUE, paths::CATALOGUE_LATEST] {
            if let Some(below) = paths::below(path, prefix) {
                return self.catalogue.answer(prefix, below, parts, body, access).await;
            }
        }
        if let Some(portal) = &self.portal
            && let Some(route) = PortalService::find(parts)
        {
            return portal.answer(route, parts, body, access).await;
        }
        if paths::is_profiles_path(path) {
            return self.profiles.answer(parts, body, access).await;
        }
        let mut request = Request::new(body);
        *request.method_mut() = parts.method.clone();
        *request.uri_mut() = parts.uri.clone();
        *request.version_mut() = parts.version;
        *request.headers_mut() = mem::take(&mut parts.headers);
        *request.extensions_mut() = mem::take(&mut parts.extensions);
        let answering = Box::pin(self.others.clone().oneshot(request).instrument(access.span()));
        let response = match AssertUnwindSafe(answering).catch_unwind().await {
            Ok(Ok(response)) => response,
            Err(panic) => access.span().in_scope(|| error::log_panic(&panic)).into_response(),
        };
        let route = RouteLabel::noted_in(&response);
        Answered { response, route, permit: None }
    }
}
