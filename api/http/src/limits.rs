//! Limits of a request: length of the URI, requests under way, memory of answers, time.

mod memory;
mod permit;
mod places;
mod response_guard;

use std::time::Duration;

use axum::body::HttpBody;
use axum::extract::{OriginalUri, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub(crate) use self::memory::{Memory, MemoryShare};
pub use self::permit::Permit;
use self::permit::Turns;
pub(crate) use self::places::{Holders, Places, TakenPlaces};
pub use self::response_guard::ResponseGuard;
use super::client::ClientAddress;
use super::error::Problem;
use crate::ServiceConfig;

/// One in this many requests may be a stream, and the body of one in this many may still be
/// arriving.
const REQUESTS_PER_SLOW_ONE: usize = 4;

/// The time that a body may take to arrive before its request counts as slow: most arrive right
/// after the header.
const ARRIVAL_GRACE: Duration = Duration::from_millis(50);

/// The bytes of an answer that are not counted: all bytes of most answers.
const ANSWER_FREE_BYTES: usize = 64 << 10;

/// Turns for each core.
const TURNS_PER_CORE: usize = 2;

/// The least number of turns.
const TURNS_MIN: usize = 4;

/// Cores for each turn of work that takes up to some seconds.
const CORES_PER_LONG_TURN: usize = 2;

/// The mark of an answer whose body is a stream: an extension of the response.
#[derive(Clone, Copy, Debug)]
pub struct Streamed;

/// The limits of a service. No client, and no user of a token, has more than its share of a limited
/// resource.
#[derive(Clone)]
pub struct Limits {
    uri_bytes_max: usize,
    timeout: Duration,
    body_timeout: Duration,
    /// Places of requests that are under way.
    requests: Places,
    /// Places of streams. Clients may read streams as slowly as they like, so these must not use up
    /// the places of requests.
    streams: Places,
    /// Places of requests whose body is still arriving, for the same reason.
    arriving: Places,
    /// Places of requests that wait for something to end, for the same reason.
    waiting: Places,
    /// Turns of work that keeps a processor busy for longer than a moment.
    turns: Turns,
    /// The memory of answers that are being made, or were not read yet.
    memory: Memory,
    trust_proxy: bool,
}

impl Permit {
    /// Settles the permit for a finished answer: a stream takes a permit of streams, any other
    /// answer takes memory until it is read.
    ///
    /// # Errors
    ///
    /// * There are too many streams, or the other answers leave too little memory.
    pub(crate) fn settle(&self, limits: &Limits, response: &Response) -> Result<(), Problem> {
        let is_within_limits = if response.extensions().get::<Streamed>().is_some() {
            self.move_to(&limits.streams)
        } else {
            let num_bytes = response.body().size_hint().exact();
            num_bytes.is_none_or(|num_bytes| self.settle_memory(usize::try_from(num_bytes).unwrap_or(usize::MAX)))
        };
        is_within_limits.then_some(()).ok_or(Problem::Overloaded)
    }

    /// Releases the memory that compressing an answer has saved.
    pub(crate) fn settle_compressed(&self, response: &Response) {
        if let Some(num_bytes) = response.body().size_hint().exact() {
            self.settle_memory(usize::try_from(num_bytes).unwrap_or(usize::MAX));
        }
    }
}

impl Limits {
    /// Makes the limits of a service according to the settings.
    pub fn new(config: &ServiceConfig) -> Self {
        let num_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let slow_max = (config.requests_max / REQUESTS_PER_SLOW_ONE).max(1);
        let turns_max = (num_cores * TURNS_PER_CORE).max(TURNS_MIN);
        let (part, whole) = (config.requests_of_client_max, config.requests_max);
        let places = |max| Places::shared(max, part, whole);
        Self {
            uri_bytes_max: config.uri_bytes_max,
            timeout: config.request_timeout,
            body_timeout: config.body_timeout,
            requests: places(config.requests_max),
            streams: places(slow_max),
            arriving: places(slow_max),
            waiting: places(slow_max),
            turns: Turns { short: places(turns_max), long: places((num_cores / CORES_PER_LONG_TURN).max(1)) },
            memory: Memory::shared(config.answer_bytes_max, ANSWER_FREE_BYTES, part, whole),
            trust_proxy: config.trust_proxy,
        }
    }

    pub(crate) fn check_uri(&self, uri: &Uri) -> Result<(), Problem> {
        let uri_bytes = uri.path().len() + uri.query().map_or(0, |query| query.len() + 1);
        if uri_bytes > self.uri_bytes_max { Err(Problem::UriTooLong(self.uri_bytes_max)) } else { Ok(()) }
    }

    /// Permits a request.
    ///
    /// # Errors
    ///
    /// * Too many requests are under way, of all clients or of this one.
    pub(crate) fn permit(&self, headers: &HeaderMap, extensions: &Extensions) -> Result<Permit, Problem> {
        let holders = Holders { client: self.client(headers, extensions), user: None };
        Permit::take(&self.requests, holders, &self.memory, &self.turns).ok_or(Problem::Overloaded)
    }

    fn client(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<ClientAddress> {
        ClientAddress::from_request(headers, extensions, self.trust_proxy)
    }

    /// Returns a name that identifies the client of a request.
    pub fn client_name(&self, parts: &Parts) -> String {
        self.client(&parts.headers, &parts.extensions).map(|client| format!("{client:?}")).unwrap_or_default()
    }

    /// Waits for the end of something that the request of this task asks about, at most for
    /// `patience`. Meanwhile, the request holds a permit of waiting requests; if none is left, it
    /// does not wait.
    ///
    /// # Errors
    ///
    /// * No permit for a request is left afterwards.
    pub async fn wait<T>(&self, patience: Duration, end: impl Future<Output = T>) -> Result<Option<T>, Problem> {
        if !move_to(&self.waiting) {
            return Ok(None);
        }
        let ended = tokio::time::timeout(patience, end).await.ok();
        move_to(&self.requests).then_some(ended).ok_or(Problem::Overloaded)
    }

    /// Works for the request with a permit, and stops when that takes too long.
    pub(crate) async fn in_time<T>(&self, permit: Permit, work: impl Future<Output = T>) -> Result<T, Problem> {
        tokio::time::timeout(self.timeout, permit.scope(work)).await.map_err(|_| Problem::TimedOut)
    }

    /// Waits for the body of the request that this task works for. While a slow body arrives, the
    /// request holds a permit of slow bodies instead of one of requests.
    ///
    /// # Errors
    ///
    /// * It takes too long, too many other bodies are slow, or no permit for a request is left when
    ///   it has arrived.
    pub(crate) async fn arrival<T>(&self, reading: impl Future<Output = T>) -> Result<T, Problem> {
        let mut reading = std::pin::pin!(reading);
        if let Ok(read) = tokio::time::timeout(ARRIVAL_GRACE.min(self.body_timeout), &mut reading).await {
            return Ok(read);
        }
        if !move_to(&self.arriving) {
            return Err(Problem::Overloaded);
        }
        match tokio::time::timeout(self.body_timeout.saturating_sub(ARRIVAL_GRACE), reading).await {
            Ok(read) => move_to(&self.requests).then_some(read).ok_or(Problem::Overloaded),
            Err(_) => Err(Problem::BodyTooSlow(self.body_timeout.as_secs())),
        }
    }
}

/// Exchanges the permit of the request that this task works for. Returns whether one was left.
fn move_to(places: &Places) -> bool {
    Permit::current().is_none_or(|permit| permit.move_to(places))
}

/// Refuses URIs that are too long, before anything else is done.
pub async fn check_uri(
    State(limits): State<Limits>,
    OriginalUri(uri): OriginalUri,
    request: Request,
    next: Next,
) -> Response {
    match limits.check_uri(&uri) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

#[cfg(test)]
mod tests;
