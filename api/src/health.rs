//! Whether the process lives, and which services have data.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use store::ProfilesState;

use crate::{Services, json_response, paths};

/// The body of `/healthz`.
#[derive(Serialize)]
struct Health {
    /// Always `ok`: whoever can answer is well.
    status: &'static str,
}

/// The body of `/readyz`: each service by name.
#[derive(Serialize)]
struct Readiness {
    /// The proteins.
    proteins: ServiceReadiness,
    /// The catalogue.
    catalogue: ServiceReadiness,
    /// The directory of users and domains.
    directory: ServiceReadiness,
    /// The profiles.
    profiles: ServiceReadiness,
}

/// Whether a service has data.
#[derive(Serialize)]
struct ServiceReadiness {
    /// `ready`, `not loaded` or `failed`.
    status: &'static str,
    /// The generation that is served.
    #[serde(skip_serializing_if = "Option::is_none")]
    generation: Option<String>,
    /// How many records it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    num_records: Option<u64>,
}

/// Returns the routes.
pub(crate) fn router(services: Services) -> Router {
    Router::new().route(paths::HEALTH, get(health)).route(paths::READY, get(readiness)).with_state(services)
}

/// Answers as soon as the process accepts requests.
async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Answers 200, since a service that has data serves it: stores are opened before requests are accepted. Only the store of profiles, which
/// is written to, can fail for good while it is served; then it is 503.
async fn readiness(State(services): State<Services>) -> Response {
    let proteins = services.proteins.snapshot();
    let proteins = proteins.map(|snapshot| (snapshot.generation().to_owned(), snapshot.statistics().num_proteins));
    let catalogue = services.catalogue.snapshot();
    let catalogue =
        catalogue.map(|snapshot| (snapshot.generation().to_owned(), u64::from(snapshot.contents().num_resources)));
    let directory = services.profiles.as_ref().and_then(|services| services.directory.snapshot());
    let directory = directory.map(|snapshot| (snapshot.generation().to_owned(), snapshot.num_records()));
    let profiles = services.profiles.as_ref().map(|services| services.profiles.state());
    let has_failed = profiles.as_ref().is_some_and(|state| state.failure.is_some());
    let readiness = Readiness {
        proteins: of_service(proteins),
        catalogue: of_service(catalogue),
        directory: of_service(directory),
        profiles: of_profiles(profiles),
    };
    json_response(if has_failed { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }, &readiness)
}

/// Tells of the profiles, which have no generations.
fn of_profiles(state: Option<ProfilesState>) -> ServiceReadiness {
    let Some(state) = state else { return of_service(None) };
    let status = if state.failure.is_some() { "failed" } else { "ready" };
    ServiceReadiness { status, generation: None, num_records: Some(state.num_profiles) }
}

/// Tells of a service, given the generation that it serves and how many records that has.
fn of_service(served: Option<(String, u64)>) -> ServiceReadiness {
    match served {
        Some((generation, num_records)) => {
            ServiceReadiness { status: "ready", generation: Some(generation), num_records: Some(num_records) }
        }
        None => ServiceReadiness { status: "not loaded", generation: None, num_records: None },
    }
}
