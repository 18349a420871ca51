//! The function that passes answered requests to an exporter of traces.

use std::sync::OnceLock;
use std::time::Duration;

use crate::trace_context::TraceContext;

static EXPORT: OnceLock<fn(&AnsweredRequest<'_>)> = OnceLock::new();

/// A request that was answered.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredRequest<'a> {
    /// The trace that the client says the request belongs to.
    pub trace: Option<TraceContext>,
    /// The id of the request, and also that of the trace if it begins here.
    pub id: u128,
    /// The id of the request's span, which is never 0.
    pub span_id: u64,
    /// Its method.
    pub method: &'a str,
    /// The route that it matched, or `none`.
    pub route: &'a str,
    /// Its path, without a query.
    pub path: &'a str,
    /// The status of the answer.
    pub status: u16,
    /// The time until the answer began.
    pub duration: Duration,
}

/// Registers a function that is called with each request that is answered from now on, before the
/// answer is sent: it must not wait for anything. Only the first call has an effect.
pub fn export_traces(export: fn(&AnsweredRequest<'_>)) {
    let _ = EXPORT.set(export);
}

pub(crate) fn send(request: &AnsweredRequest<'_>) {
    if let Some(export) = EXPORT.get() {
        export(request);
    }
}
