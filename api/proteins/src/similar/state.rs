//! The state of a search.

use std::sync::Arc;
use std::time::Duration;

use api_http::blocking::blocking;
use api_http::error::Problem;
use api_http::json::json_response;
use api_http::limits::Limits;
use api_http::paths;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use similarity::{Found, Job, JobState, QueryKind};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

use super::Similarity;
use crate::ProteinProblem;
use crate::v2::Given;

/// The header with the secret of a search.
pub(crate) const SECRET: HeaderName = HeaderName::from_static("x-search-secret");

/// The longest wait for the end of a search.
const WAIT_MAX: Duration = Duration::from_secs(20);

const NUCLEOTIDES: &str = "The sequence looks like nucleotides, but is searched as a protein.";

/// A search.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchState {
    /// The identifier. The search and its hits are seen by all who have it.
    #[schema(example = "3f2f3b5e-7f0c-4c1e-9c55-0f4a3d0f4b6a")]
    id: String,
    /// The secret that removes the search, as `X-Search-Secret`. It is returned only once, in
    /// the answer that begins the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "0c6f2d9b8a7e4f13b5d20e9c61f7a384")]
    secret: Option<String>,
    /// `waiting`, `running`, `done` or `failed`.
    #[schema(pattern = "^(waiting|running|done|failed)$")]
    state: &'static str,
    /// The number of searches before it, while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    /// The number of proteins sent to the engine, while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<u64>,
    /// The reason for which it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// The number of hits, once it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<u64>,
    /// True if only the best of the hits are kept, once it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    /// The number of selected proteins that are too long to compare with the query, once it is
    /// done.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
    /// The name of the query, as it was sent: that of its FASTA, of its profile, or its accession;
    /// `query` without one.
    query_name: String,
    /// The kind of query: `sequence`, `nucleotides` (a sequence that looks like them) or `profile`.
    query: &'static str,
    /// The number of its residues or positions.
    query_length: usize,
    /// Notes on the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// The conditions that select the proteins; all are searched if it is empty.
    q: String,
    /// The number of proteins that it selects.
    count: u64,
    /// The highest E-value of a hit.
    #[serde(rename = "E")]
    evalue: f64,
    /// The database size that E-values are computed for.
    #[serde(rename = "Z")]
    space: u64,
    /// The generation of the proteins.
    generation: String,
    /// The engine and its version.
    #[schema(example = "HMMER 3.3.2")]
    engine: String,
    /// When it was requested.
    created: String,
    /// When it has ended, or was requested if an equal one had ended before.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<String>,
    /// When it is removed, if not before for lack of space.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<String>,
    /// The address of this.
    url: String,
    /// The address of the hits.
    hits_url: String,
}

/// Returns the name of the query in hits.
pub fn name_of(job: &Job) -> &str {
    if job.name.is_empty() { "query" } else { &job.name }
}

impl SearchState {
    /// Describes a job. `base` is the base URL of links.
    fn new(job: Job, base: &str) -> Self {
        let space = job.space();
        let query_name = name_of(&job).to_owned();
        let Job { id, secret, scope, query_length, query_kind, count, created, state, .. } = job;
        let url = format!("{base}{}", paths::search(id));
        let (query, note) = match query_kind {
            QueryKind::Sequence => ("sequence", None),
            QueryKind::Nucleotides => ("nucleotides", Some(NUCLEOTIDES)),
            QueryKind::Profile => ("profile", None),
        };
        let mut search = Self {
            id: id.to_string(),
            secret,
            state: "waiting",
            position: None,
            progress: None,
            problem: None,
            hits: None,
            truncated: None,
            skipped: None,
            query_name,
            query,
            query_length,
            note,
            q: scope.conditions,
            count,
            evalue: scope.evalue,
            space,
            generation: scope.generation.to_string(),
            engine: scope.engine,
            created: text(created),
            finished: None,
            expires: None,
            hits_url: format!("{url}/hits"),
            url,
        };
        match state {
            JobState::Waiting { position } => search.position = Some(position),
            JobState::Running { num_sent } => (search.state, search.progress) = ("running", Some(num_sent)),
            JobState::Failed { reason, finished } => {
                (search.state, search.problem, search.finished) =
                    ("failed", Some(failure_detail(&reason)), Some(text(finished)));
            }
            JobState::Done { found: Found { num_hits, num_kept, num_skipped, .. }, finished, expires } => {
                (search.state, search.finished, search.expires) = ("done", Some(text(finished)), Some(text(expires)));
                (search.hits, search.truncated) = (Some(num_hits), Some(num_hits > num_kept));
                search.skipped = Some(num_skipped);
            }
        }
        search
    }
}

/// Returns the error of a search that has failed.
pub(super) fn failure_detail(reason: &str) -> String {
    format!("The search has no result: {reason}.")
}

fn text(time: OffsetDateTime) -> String {
    time.replace_nanosecond(0).unwrap_or(time).format(&Rfc3339).unwrap_or_else(|error| error.to_string())
}

/// Answers with the state of a search when it has ended, or after the number of seconds in `wait`.
pub(crate) async fn answer(
    similarity: Arc<Similarity>,
    limits: &Limits,
    id: String,
    query: &str,
    base: String,
) -> Result<Response, ProteinProblem> {
    let job = wait(&similarity, limits, &id, requested_wait(query)?).await?;
    Ok(respond(StatusCode::OK, job, &base))
}

/// Returns the state of a search when it has ended, or after some time.
pub async fn wait(
    similarity: &Arc<Similarity>,
    limits: &Limits,
    id: &str,
    patience: Duration,
) -> Result<Job, ProteinProblem> {
    let find = async || {
        let (similarity, id) = (Arc::clone(similarity), id.to_owned());
        blocking(move || similarity.searches()?.find(&id)).await
    };
    let searches = similarity.searches()?;
    let until_end = async {
        loop {
            // The notification is enabled before the state is read, so that no end is missed.
            let mut ended = std::pin::pin!(searches.ended.notified());
            ended.as_mut().enable();
            let job = find().await?;
            if job.has_ended() {
                return Ok(job);
            }
            ended.await;
        }
    };
    let waited = if patience.is_zero() { None } else { limits.wait(patience, until_end).await? };
    match waited {
        Some(job) => job,
        None => find().await,
    }
}

/// Answers a client that has begun a search: with 202, or with 200 if it has already ended.
pub(crate) fn submitted(job: Job, base: &str) -> Response {
    let status = if job.has_ended() { StatusCode::OK } else { StatusCode::ACCEPTED };
    respond(status, job, base)
}

/// Removes a search if the secret is right. A running search is stopped, unless other clients have
/// begun an equal one.
pub fn remove(similarity: &Similarity, id: &str, secret: &[u8]) -> Result<Response, ProteinProblem> {
    let searches = similarity.searches()?;
    let job = searches.find(id)?;
    if !searches.jobs.remove(&job, &String::from_utf8_lossy(secret)).map_err(Problem::fault)? {
        let detail = "To remove a search, send the secret from the answer that began it as X-Search-Secret, or use the browser that began it.";
        return Err(ProteinProblem::Refused { status: StatusCode::FORBIDDEN, detail: detail.to_owned() });
    }
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    Ok(response)
}

fn respond(status: StatusCode, job: Job, base: &str) -> Response {
    let state = SearchState::new(job, base);
    let mut response = json_response(status, &state);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(location) = HeaderValue::try_from(state.url) {
        headers.insert(header::LOCATION, location);
    }
    response
}

/// Reads the time to wait.
fn requested_wait(query: &str) -> Result<Duration, ProteinProblem> {
    let mut given = Given::new(query, &["wait"])?;
    let wait = given.value("wait", |text| {
        let seconds = text.trim().parse().ok().filter(|seconds| *seconds <= WAIT_MAX.as_secs());
        let problem = format!("The wait must be a whole number of seconds, at most {}.", WAIT_MAX.as_secs());
        seconds.map(Duration::from_secs).ok_or(problem)
    });
    given.check().map(|()| wait.unwrap_or_default())
}
