//! The readiness of services: the data that they serve, and those that they cannot serve.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::DataOrigin;

/// The readiness of all services.
#[derive(Serialize)]
pub struct Readiness {
    /// The proteins.
    pub proteins: ServiceReadiness,
    /// The catalogue.
    pub catalogue: ServiceReadiness,
    /// The users and domains.
    pub directory: ServiceReadiness,
    /// The profiles.
    pub profiles: ServiceReadiness,
    /// The searches for similar proteins.
    pub similarity: SimilarityReadiness,
}

/// The engine that finds similar proteins, or the reason why it is missing. The server is ready
/// even without an engine.
#[derive(Serialize)]
pub struct SimilarityReadiness {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The readiness of one service.
#[derive(Default, Serialize)]
pub struct ServiceReadiness {
    /// Its state.
    pub status: Status,
    /// The generation that it serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<String>,
    /// The records of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_records: Option<u64>,
    /// The reason why the service has failed, or why the current generation is not served. This is
    /// a fixed text: anybody may read it, and causes may contain paths, addresses and texts of
    /// other machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<&'static str>,
    /// The data that are being fetched from elsewhere, with the amount that has arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<String>,
    /// The seconds since the last successful request to the store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_seconds_ago: Option<u64>,
    /// Its harvest, if it was harvested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harvest: Option<HarvestReadiness>,
}

/// The harvest that is served.
#[derive(Serialize)]
pub struct HarvestReadiness {
    from: String,
    began: String,
    finished: String,
    /// The time since it began, in seconds.
    age_seconds: u64,
}

/// The state of a service.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub enum Status {
    /// It answers.
    #[serde(rename = "ready")]
    Ready,
    /// It has no data.
    #[default]
    #[serde(rename = "not loaded")]
    NotLoaded,
    /// It cannot serve its data.
    #[serde(rename = "failed")]
    Failed,
    /// The first data have not arrived yet.
    #[serde(rename = "fetching")]
    Fetching,
    /// It was switched off.
    #[serde(rename = "not served here")]
    NotServed,
}

impl Readiness {
    /// Returns the services with their names.
    pub fn services(&self) -> [(&'static str, &ServiceReadiness); 4] {
        let Self { proteins, catalogue, directory, profiles, .. } = self;
        [("proteins", proteins), ("catalogue", catalogue), ("directory", directory), ("profiles", profiles)]
    }
}

impl ServiceReadiness {
    /// Describes a service, given the generation that it serves and its number of records, and the
    /// reason why it serves no newer one.
    pub fn new(served: Option<(String, u64)>, problem: Option<&'static str>, origin: &DataOrigin) -> Self {
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

    /// Describes a service that cannot serve its data, and the reason.
    pub fn failed(problem: &'static str) -> Self {
        Self { status: Status::Failed, problem: Some(problem), ..Self::default() }
    }
}

impl SimilarityReadiness {
    /// Describes the engine, or the reason why it is missing.
    pub fn of(engine: Result<&str, &str>) -> Self {
        match engine {
            Ok(engine) => Self { status: "ready", engine: Some(engine.to_owned()), problem: None },
            Err(reason) => Self { status: "off", engine: None, problem: Some(reason.to_owned()) },
        }
    }
}

impl HarvestReadiness {
    /// Describes a harvest from a service with this URL, given when it began and ended, in seconds
    /// since 1970-01-01 UTC.
    pub fn new(from: String, began_unix_s: u64, finished_unix_s: u64) -> Self {
        let text = |unix_s| {
            time_at(unix_s)
                .and_then(|time| time.format(&Rfc3339).ok())
                .unwrap_or_else(|| format!("{unix_s} s since 1970"))
        };
        let (began, finished) = (text(began_unix_s), text(finished_unix_s));
        Self { from, began, finished, age_seconds: seconds_since(began_unix_s) }
    }
}

/// Returns a time that is given in seconds since 1970-01-01 UTC.
pub fn time_at(unix_s: u64) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp(i64::try_from(unix_s).ok()?).ok()
}

/// Returns a date as text in English, such as `5 Nov 2026`.
pub fn written_date(time: OffsetDateTime) -> String {
    format!("{} {} {}", time.day(), &time.month().to_string()[..3], time.year())
}

/// Returns how long ago a time was, in seconds; 0 for one in the future.
pub fn seconds_since(unix_s: u64) -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs().saturating_sub(unix_s)
}
