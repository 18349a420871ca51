//! Health of the process, and readiness of the services.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use api_http::json::json_response;
use api_http::paths;
use api_http::readiness::{HarvestReadiness, Readiness, ServiceReadiness, SimilarityReadiness, Status};
use api_profiles::{Outdated, ProfileServices, current_directory};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use store_profiles::ProfilesState;

use crate::Services;

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

/// The answer to load balancers that ask whether to send requests to this server.
#[derive(Serialize)]
struct ReadinessAnswer {
    #[serde(flatten)]
    readiness: Readiness,
    /// The process will end soon.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopping: bool,
}

pub(crate) fn router(services: Services, is_stopping: Arc<AtomicBool>) -> Router {
    let state = (services, is_stopping);
    Router::new().route(paths::HEALTH, get(health)).route(paths::READY, get(readiness)).with_state(state)
}

async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Answers 200 unless a service that has data cannot serve them or waits for its first data to be
/// fetched from elsewhere, or the process will end soon.
async fn readiness(State((services, is_stopping)): State<(Services, Arc<AtomicBool>)>) -> Response {
    respond(services_readiness(&services), is_stopping.load(Ordering::Relaxed))
}

fn respond(readiness: Readiness, stopping: bool) -> Response {
    let is_any = |status| readiness.services().iter().any(|(_, service)| service.status == status);
    let (has_failed, is_empty) = (is_any(Status::Failed), is_any(Status::Fetching));
    let is_ready = !has_failed && !is_empty && !stopping;
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    json_response(status, &ReadinessAnswer { readiness, stopping })
}

/// Describes the readiness of all services.
pub(crate) fn services_readiness(services: &Services) -> Readiness {
    let proteins = services.proteins.current();
    let proteins = proteins.map(|data| (data.name().to_string(), data.statistics().num_proteins));
    let snapshot = services.catalogue.current();
    let harvest = snapshot.as_ref().and_then(|snapshot| snapshot.contents().harvest.as_ref());
    let harvest = harvest
        .map(|harvest| HarvestReadiness::new(harvest.from.clone(), harvest.began_unix_s, harvest.finished_unix_s));
    let catalogue =
        snapshot.map(|snapshot| (snapshot.name().to_string(), u64::from(snapshot.contents().num_resources)));
    Readiness {
        proteins: ServiceReadiness::new(proteins, services.proteins.problem(), services.proteins.origin()),
        catalogue: ServiceReadiness {
            harvest,
            ..ServiceReadiness::new(catalogue, services.catalogue.problem(), services.catalogue.origin())
        },
        directory: services.profiles.as_ref().map(directory_readiness).unwrap_or_default(),
        profiles: services
            .profiles
            .as_ref()
            .map(|services| profiles_readiness(services.profiles.state()))
            .unwrap_or_default(),
        similarity: SimilarityReadiness::of(services.similarity.engine()),
    }
}

/// Describes the readiness of the directory, which must not be outdated.
fn directory_readiness(services: &ProfileServices) -> ServiceReadiness {
    match current_directory(&services.directory) {
        Ok(served) => {
            let served = served.map(|directory| {
                let contents = directory.contents();
                (directory.name().to_string(), contents.num_users + contents.num_domains)
            });
            ServiceReadiness::new(served, services.directory.problem(), services.directory.origin())
        }
        // The first directory is still being fetched.
        Err(_) if services.directory.current().is_none() && services.directory.origin().is_followed() => {
            ServiceReadiness::new(None, services.directory.problem(), services.directory.origin())
        }
        Err(Outdated(problem)) => {
            let asked_seconds_ago = services.directory.origin().asked_seconds_ago();
            ServiceReadiness { asked_seconds_ago, ..ServiceReadiness::failed(problem) }
        }
    }
}

fn profiles_readiness(state: ProfilesState) -> ServiceReadiness {
    let ProfilesState { num_profiles, failure, unwritable, .. } = state;
    if let Some(problem) = failure {
        return ServiceReadiness::failed(problem.kind());
    }
    let (status, num_records) = (Status::Ready, Some(num_profiles));
    ServiceReadiness {
        status,
        num_records,
        problem: unwritable.map(|problem| problem.kind()),
        ..ServiceReadiness::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::ErrorSummary;

    use super::*;

    #[test]
    fn failed_stores_of_profiles_are_not_ready() {
        let failure = Some(ErrorSummary::new("a kind", "cannot sync /secret/place"));
        let state = ProfilesState { num_profiles: 3, num_writes: 0, num_commits: 0, failure, unwritable: None };
        let ready = profiles_readiness(ProfilesState { failure: None, ..state.clone() });
        assert_eq!(serde_json::to_value(ready).expect("JSON"), json!({"status": "ready", "num_records": 3}));
        let failed = serde_json::to_value(profiles_readiness(state.clone())).expect("JSON");
        assert_eq!(failed, json!({"status": "failed", "problem": "a kind"}));
        let readiness = |state| Readiness {
            proteins: ServiceReadiness::default(),
            catalogue: ServiceReadiness::default(),
            directory: ServiceReadiness::default(),
            profiles: profiles_readiness(state),
            similarity: SimilarityReadiness::of(Err("none")),
        };
        let sound = ProfilesState { failure: None, ..state.clone() };
        for (state, stopping, expected) in [(sound.clone(), false, 200), (sound, true, 503), (state, false, 503)] {
            assert_eq!(respond(readiness(state), stopping).status().as_u16(), expected);
        }
    }
}
