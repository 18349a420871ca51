//! A log line and measurements for each request, and the request id that ties them to the answer.

use std::borrow::Cow;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::{CONTROLS, percent_decode_str, utf8_percent_encode};
use tracing::{Level, Span, error_span, event_enabled};
use uuid::Uuid;

use super::json::NO_SNIFFING;
use super::trace_context::{TRACE_PARENT, TraceContext, span_id};
use crate::traces::{self, AnsweredRequest};
use crate::{metrics, paths};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The route of requests that match none, in measurements.
pub const NO_ROUTE: &str = "none";

const SECRET_PARAMETERS: [&str; 3] = ["access_token", "token", "key"];

/// The route of a request, as measurements name it.
#[derive(Clone, Debug)]
pub enum RouteLabel {
    /// A route in the table of a service.
    Static(&'static str),
    /// A path of the documentation: the prefix of a service, and the path below it.
    Docs(&'static str, &'static str),
    /// A route of a router.
    Matched(MatchedPath),
}

impl RouteLabel {
    /// The label of requests that match no route.
    pub const NONE: Self = Self::Static(NO_ROUTE);

    /// Returns the route that a router has noted in an answer.
    pub fn noted_in(response: &Response) -> Self {
        response.extensions().get().cloned().map_or(Self::NONE, Self::Matched)
    }

    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Static(route) => Cow::Borrowed(route),
            Self::Docs(prefix, path) => Cow::Owned([*prefix, *path].concat()),
            Self::Matched(route) => Cow::Borrowed(route.as_str()),
        }
    }
}

/// Notes the route of a request in the answer.
pub async fn note_route(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    if let Some(route) = route {
        response.extensions_mut().insert(route);
    }
    response
}

/// A request from its arrival to its answer.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    id: Uuid,
    trace: Option<TraceContext>,
    started: Instant,
}

impl Access {
    /// Begins with the arrival of a request.
    pub fn begin(headers: &HeaderMap) -> Self {
        Self { id: Uuid::new_v4(), trace: TraceContext::read(headers), started: Instant::now() }
    }

    /// Returns the id in text.
    pub fn id(self) -> String {
        self.id.to_string()
    }

    /// Returns the span of the log lines that are written while the request is answered. It has the
    /// level of errors, so that their lines name the request even in a quiet log.
    pub fn span(self) -> Span {
        error_span!("request", id = %self.id)
    }

    /// Returns the answer, or an error response for the problem. Internal errors are logged.
    pub fn respond<P: IntoResponse>(self, made: Result<Response, P>) -> Response {
        made.unwrap_or_else(|problem| self.span().in_scope(|| problem.into_response()))
    }

    /// Logs and measures the request, and completes the answer.
    pub fn end(self, method: &Method, uri: &Uri, route: &RouteLabel, response: &mut Response) {
        let route = &*route.text();
        let (duration, status) = (self.started.elapsed(), response.status().as_u16());
        metrics::count(route, method, status, duration);
        let span_id = span_id(self.id);
        let trace = self.trace;
        traces::send(&AnsweredRequest {
            trace,
            id: self.id.as_u128(),
            span_id,
            method: method.as_str(),
            route,
            path: uri.path(),
            status,
            duration,
        });
        let mut id = Uuid::encode_buffer();
        let id = &*self.id.hyphenated().encode_lower(&mut id);
        if event_enabled!(target: "access", Level::INFO) {
            let uri = logged_uri(uri, route);
            let duration_us = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
            let trace_id = trace.map(|trace| format!("{:032x}", trace.trace_id));
            let trace_id = trace_id.as_deref();
            tracing::info!(target: "access", id, trace_id, %method, %uri, status, duration_us, "answered");
        }
        let headers = response.headers_mut();
        if let Some(header) = trace.and_then(|trace| trace.header(span_id)) {
            headers.insert(TRACE_PARENT, header);
        }
        if let Ok(id) = HeaderValue::from_str(id) {
            headers.insert(REQUEST_ID, id);
        }
        headers.extend([NO_SNIFFING]);
    }
}

/// Returns a URI for the log, without the queries of profile paths, which may contain personal
/// data, and of unknown paths, which may be misspelt profile paths. Everything except printable
/// ASCII is percent-encoded: it could forge lines or reverse their direction.
fn logged_uri(uri: &Uri, route: &str) -> String {
    let is_harmless = route != NO_ROUTE && !paths::is_profiles_path(route) && !paths::is_profiles_path(uri.path());
    let mut text = String::with_capacity(uri.path().len() + uri.query().map_or(0, |query| query.len() + 1));
    text.extend(utf8_percent_encode(uri.path(), CONTROLS));
    if let Some(query) = uri.query().filter(|_| is_harmless) {
        for (number, pair) in query.split('&').enumerate() {
            text.push(if number == 0 { '?' } else { '&' });
            match pair.split_once('=') {
                Some((key, _)) if is_secret(key) => text.extend([key, "=***"]),
                _ => text.extend(utf8_percent_encode(pair, CONTROLS)),
            }
        }
    }
    text
}

/// Returns whether a parameter may hold a credential, which some clients send with every request.
fn is_secret(key: &str) -> bool {
    let key = percent_decode_str(key).decode_utf8_lossy();
    SECRET_PARAMETERS.into_iter().any(|secret| key.eq_ignore_ascii_case(secret))
}
