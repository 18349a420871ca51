//! Whether the process lives, and which services have data.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

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
}

/// Whether a service has data.
#[derive(Serialize)]
struct ServiceReadiness {
    /// `ready` or `not loaded`.
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

/// Answers 200, since a service that has data serves it: stores are opened before requests are accepted.
async fn readiness(State(services): State<Services>) -> Response {
    let proteins = services.proteins.snapshot();
    let proteins = proteins.map(|snapshot| (snapshot.generation().to_owned(), snapshot.statistics().num_proteins));
    let catalogue = services.catalogue.snapshot();
    let catalogue =
        catalogue.map(|snapshot| (snapshot.generation().to_owned(), u64::from(snapshot.contents().num_resources)));
    json_response(StatusCode::OK, &Readiness { proteins: of_service(proteins), catalogue: of_service(catalogue) })
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
