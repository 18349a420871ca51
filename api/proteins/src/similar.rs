//! Searches for similar proteins: their parameters, states and hits.

mod hit_writer;
mod hits;
pub(super) mod operations;
mod state;
mod submission;

pub use hit_writer::{HitWriter, NamedQuery};
use hits::answer as hits;
pub(super) use state::SearchState;
use state::answer as state;
pub use state::{name_of, remove, wait};
pub use submission::{EVALUE_DEFAULT, begin};

use std::path::Path;
use std::sync::Arc;

use api_catalogue::LocalCatalogue;
use api_http::error::{Problem, shown};
use axum::http::StatusCode;
use similarity::{Engine, EngineError, Job, JobLimits, Jobs, Scope, Selection};
use tokio::sync::Notify;

use super::{LocalProteins, ProteinProblem, Release, v2};

/// Searches by HMMER for proteins that are similar to a sequence, or the reason why there are none.
pub struct Similarity(Result<Searches, String>);

/// Searches that are run here.
pub struct Searches {
    /// The searches.
    pub jobs: Jobs,
    /// The most proteins that a search may select.
    proteins_max: u64,
    /// Notified whenever a search ends.
    ended: Arc<Notify>,
}

impl Similarity {
    /// Disables searches, with a reason that is a sentence.
    fn disabled(reason: impl Into<String>) -> Self {
        Self(Err(reason.into()))
    }

    /// Opens the searches in a folder, and continues those that have not ended if their proteins
    /// are still the current ones. A search may select at most `proteins_max` proteins. Without an
    /// engine, or if the folder cannot be used, searches are disabled.
    pub fn open(
        folder: &Path,
        engine: Result<Engine, EngineError>,
        limits: JobLimits,
        proteins_max: u64,
        proteins: &LocalProteins,
        catalogue: &LocalCatalogue,
    ) -> Self {
        let engine = match engine {
            Ok(engine) => engine,
            Err(missing) => {
                tracing::info!("searches for similar proteins are disabled: {missing}");
                return Self::disabled(format!("Searches for similar proteins are disabled: {missing}."));
            }
        };
        let select = |scope: &Scope| {
            let data = proteins.current().filter(|data| data.name() == scope.generation)?;
            let release = Release::served(Arc::clone(&data), catalogue.current(), &Arc::default());
            let query = v2::read_query(&release, &scope.conditions).ok()?;
            Some(Selection { generation: data, query })
        };
        let ended = Arc::<Notify>::default();
        let notify = Arc::clone(&ended);
        match Jobs::open(folder, engine, limits, &select, Box::new(move || notify.notify_waiters())) {
            Ok(jobs) => Self(Ok(Searches { jobs, proteins_max, ended })),
            Err(error) => {
                tracing::error!("the searches for similar proteins cannot be opened: {error}");
                Self::disabled("Searches for similar proteins are disabled: see the log of the server.")
            }
        }
    }

    /// Returns the searches.
    ///
    /// # Errors
    ///
    /// * Searches are disabled: 503.
    pub fn searches(&self) -> Result<&Searches, ProteinProblem> {
        self.0.as_ref().map_err(|reason| ProteinProblem::Refused {
            status: StatusCode::SERVICE_UNAVAILABLE,
            detail: reason.clone(),
        })
    }

    /// Returns the engine and its version, or the reason why it is missing.
    pub fn engine(&self) -> Result<&str, &str> {
        self.0.as_ref().map(|searches| searches.jobs.engine().version()).map_err(|reason| &**reason)
    }

    /// Describes the engine and the number of unfinished searches in a sentence, or says why
    /// searches are disabled.
    pub fn describe(&self) -> String {
        match &self.0 {
            Ok(searches) => {
                let [num_waiting, num_running] = searches.jobs.num_waiting_and_running();
                let version = searches.jobs.engine().version();
                format!(
                    "Similar proteins are found by {version}. Searches under way: {num_running} running, {num_waiting} waiting."
                )
            }
            Err(reason) => reason.clone(),
        }
    }
}

impl Default for Similarity {
    fn default() -> Self {
        Self::disabled("This server was started without the search for similar proteins.")
    }
}

impl Searches {
    /// Finds a search by the text of its identifier.
    ///
    /// # Errors
    ///
    /// * No search has this identifier: 404.
    pub fn find(&self, id: &str) -> Result<Job, ProteinProblem> {
        let job = id.parse().ok().map(|id| self.jobs.find(id)).transpose().map_err(Problem::fault)?.flatten();
        job.ok_or_else(|| {
            let detail = format!(
                "Unknown search '{}'. Searches are kept for some days, only by the server that ran them: start the search again.",
                shown(id)
            );
            ProteinProblem::Refused { status: StatusCode::NOT_FOUND, detail }
        })
    }
}
