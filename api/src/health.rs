//! Health of the process, and readiness of the services.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use store::{Harvest, ProfilesState};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::profiles::{Outdated, ProfileServices};
use crate::{DataOrigin, Services, json_response, paths};

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

/// Which services have data, and what they cannot serve.
#[derive(Serialize)]
pub(crate) struct Readiness {
    proteins: ServiceReadiness,
    catalogue: ServiceReadiness,
    directory: ServiceReadiness,
    profiles: ServiceReadiness,
    similarity: SimilarityReadiness,
}

/// What finds similar proteins, or why nothing does. The server is ready without, too.
#[derive(Serialize)]
struct SimilarityReadiness {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The answer to load balancers that ask whether to send requests here.
#[derive(Serialize)]
struct ReadinessAnswer {
    #[serde(flatten)]
    readiness: Readiness,
    /// The process ends soon.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopping: bool,
}

#[derive(Default, Serialize)]
pub(crate) struct ServiceReadiness {
    pub(crate) status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) generation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) num_records: Option<u64>,
    /// Why it has failed, or why the current generation is not served. This is a fixed text: anybody may read it, and causes may have paths,
    /// addresses and what other machines say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<&'static str>,
    /// The data that are being fetched from elsewhere, and how much of them has arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) progress: Option<String>,
    /// The time since the store was last asked successfully, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) asked_seconds_ago: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    harvest: Option<HarvestReadiness>,
}

/// Where the data that are served were harvested, and when.
#[derive(Serialize)]
struct HarvestReadiness {
    from: String,
    began: String,
    finished: String,
    /// The time since it began, in seconds.
    age_seconds: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) enum Status {
    #[serde(rename = "ready")]
    Ready,
    #[default]
    #[serde(rename = "not loaded")]
    NotLoaded,
    #[serde(rename = "failed")]
    Failed,
    /// The first data have not arrived yet.
    #[serde(rename = "fetching")]
    Fetching,
    #[serde(rename = "not served here")]
    NotServed,
}

pub(crate) fn router(services: Services, is_stopping: Arc<AtomicBool>) -> Router {
    let state = (services, is_stopping);
    Router::new().route(paths::HEALTH, get(health)).route(paths::READY, get(readiness)).with_state(state)
}

async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Answers 200 unless a service that has data cannot serve them, or waits for its first data to be fetched from elsewhere, or the process
/// ends soon.
async fn readiness(State((services, is_stopping)): State<(Services, Arc<AtomicBool>)>) -> Response {
    let readiness = Readiness::of(&services);
    let is_any = |status| readiness.services().iter().any(|(_, service)| service.status == status);
    let (has_failed, is_empty) = (is_any(Status::Failed), is_any(Status::Fetching));
    let stopping = is_stopping.load(Ordering::Relaxed);
    let is_ready = !has_failed && !is_empty && !stopping;
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    json_response(status, &ReadinessAnswer { readiness, stopping })
}

impl Readiness {
    pub(crate) fn of(services: &Services) -> Self {
        let proteins = services.proteins.current();
        let proteins = proteins.map(|data| (data.name().to_string(), data.statistics().num_proteins));
        let snapshot = services.catalogue.current();
        let harvest = snapshot.as_ref().and_then(|snapshot| snapshot.contents().harvest.as_ref());
        let harvest = harvest.map(HarvestReadiness::of);
        let catalogue =
            snapshot.map(|snapshot| (snapshot.name().to_string(), u64::from(snapshot.contents().num_resources)));
        Self {
            proteins: ServiceReadiness::new(proteins, services.proteins.problem(), services.proteins.origin()),
            catalogue: ServiceReadiness {
                harvest,
                ..ServiceReadiness::new(catalogue, services.catalogue.problem(), services.catalogue.origin())
            },
            directory: services.profiles.as_ref().map(of_directory).unwrap_or_default(),
            profiles: services.profiles.as_ref().map(of_profiles).unwrap_or_default(),
            similarity: match services.similarity.engine() {
                Ok(engine) => SimilarityReadiness { status: "ready", engine: Some(engine.to_owned()), problem: None },
                Err(reason) => SimilarityReadiness { status: "off", engine: None, problem: Some(reason.to_owned()) },
            },
        }
    }

    /// Returns the services with their names.
    pub(crate) fn services(&self) -> [(&'static str, &ServiceReadiness); 4] {
        let Self { proteins, catalogue, directory, profiles, .. } = self;
        [("proteins", proteins), ("catalogue", catalogue), ("directory", directory), ("profiles", profiles)]
    }
}

/// Tells of the directory, which must not be outdated.
fn of_directory(services: &ProfileServices) -> ServiceReadiness {
    match services.directory.snapshot() {
        Ok(served) => {
            let served = served.map(|directory| {
                let contents = directory.contents();
                (directory.name().to_string(), contents.num_users + contents.num_domains)
            });
            ServiceReadiness::new(served, services.directory.problem(), services.directory.origin())
        }
        // The first one is on its way.
        Err(_) if services.directory.current().is_none() && services.directory.origin().is_followed() => {
            ServiceReadiness::new(None, services.directory.problem(), services.directory.origin())
        }
        Err(Outdated(problem)) => {
            let asked_seconds_ago = services.directory.origin().asked_seconds_ago();
            ServiceReadiness { asked_seconds_ago, ..ServiceReadiness::failed(problem) }
        }
    }
}

fn of_profiles(services: &ProfileServices) -> ServiceReadiness {
    let ProfilesState { num_profiles, failure, unwritable, .. } = services.profiles.state();
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

impl ServiceReadiness {
    /// Tells of a service, given the generation that it serves and how many records that has, and why it serves no newer one.
    fn new(served: Option<(String, u64)>, problem: Option<&'static str>, origin: &DataOrigin) -> Self {
        let status = match (&served, origin) {
            (Some(_), _) => Status::Ready,
            (None, DataOrigin::Loaded) if problem.is_some() => Status::Failed,
            (None, DataOrigin::Loaded) => Status::NotLoaded,
            (None, DataOrigin::Followed(_)) => Status::Fetching,
            (None, DataOrigin::Disabled) => Status::NotServed,
        };
        let (generation, num_records) = served.unzip();
        let (progress, asked_seconds_ago) = (origin.progress(), origin.asked_seconds_ago());
        Self { status, generation, num_records, problem, progress, asked_seconds_ago, harvest: None }
    }

    fn failed(problem: &'static str) -> Self {
        Self { status: Status::Failed, problem: Some(problem), ..Self::default() }
    }
}

impl HarvestReadiness {
    fn of(harvest: &Harvest) -> Self {
        let text = |unix_s| time_at(unix_s).and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default();
        let Harvest { from, began_unix_s, finished_unix_s } = harvest;
        let (began, finished) = (text(*began_unix_s), text(*finished_unix_s));
        Self { from: from.clone(), began, finished, age_seconds: seconds_since(*began_unix_s) }
    }
}

/// Returns a time that is given in seconds since 1970-01-01 UTC.
pub(crate) fn time_at(unix_s: u64) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp(i64::try_from(unix_s).ok()?).ok()
}

/// Returns how long ago a time was; 0 for one to come.
pub(crate) fn seconds_since(unix_s: u64) -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs().saturating_sub(unix_s)
}
