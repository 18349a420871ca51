//! Spans of requests for a collector of OpenTelemetry. This crate is the only one that names
//! `opentelemetry`.

use std::cell::Cell;
use std::fmt::Display;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use api_http::{AnsweredRequest, TraceContext};
use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
    TracerProvider,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{IdGenerator, SdkTracer, SdkTracerProvider};

/// The path of a collector that receives traces over HTTP.
const PATH: &str = "/v1/traces";

/// The time limit for sending a batch to the collector.
const PATIENCE: Duration = Duration::from_secs(10);

static TRACER: OnceLock<SdkTracer> = OnceLock::new();

thread_local! {
    /// The ids of the next span.
    static IDS: Cell<(u128, u64)> = const { Cell::new((0, 0)) };
}

/// Sends spans of requests to a collector as long as it exists, and the waiting ones when it is
/// dropped.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts to send to a collector, such as `http://127.0.0.1:4318`. The standard's variable
    /// `OTEL_TRACES_SAMPLER` chooses which traces that begin here are sent, and
    /// `OTEL_EXPORTER_OTLP_HEADERS` has the headers for the collector. A separate thread sends the
    /// spans; up to 2048 wait for it, and further ones are dropped. This must be called outside an
    /// asynchronous runtime, and only once.
    ///
    /// # Errors
    ///
    /// * The URL is malformed.
    pub fn start(collector: &str) -> Result<Self, impl Display + use<>> {
        let endpoint = format!("{}{PATH}", collector.trim_end_matches('/'));
        let exporter = SpanExporter::builder().with_http().with_endpoint(endpoint).with_timeout(PATIENCE).build()?;
        let about = [KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))];
        let resource = Resource::builder().with_service_name("mgdex").with_attributes(about).build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_id_generator(GivenIds)
            .with_resource(resource)
            .build();
        let _ = TRACER.set(provider.tracer("mgdex"));
        api_http::export_traces(send);
        Ok::<_, opentelemetry_otlp::ExporterBuildError>(Self(provider))
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!("the last traces were not sent: {error}");
        }
    }
}

/// Gives spans the ids of the request, which are also in its log line and its answer.
#[derive(Debug)]
struct GivenIds;

impl IdGenerator for GivenIds {
    fn new_trace_id(&self) -> TraceId {
        TraceId::from(IDS.get().0)
    }

    fn new_span_id(&self) -> SpanId {
        SpanId::from(IDS.get().1)
    }
}

/// Queues the span of a request for the collector, if there is one. The span ends when the answer
/// begins.
fn send(request: &AnsweredRequest<'_>) {
    let Some(tracer) = TRACER.get() else { return };
    let &AnsweredRequest { trace, id, span_id, method, route, path, status, duration } = request;
    let ended = SystemTime::now();
    let parent = trace.map(|TraceContext { trace_id, parent_id, flags }| {
        let (trace_id, parent_id) = (TraceId::from(trace_id), SpanId::from(parent_id));
        let parent = SpanContext::new(trace_id, parent_id, TraceFlags::new(flags), true, TraceState::default());
        Context::new().with_remote_span_context(parent)
    });
    IDS.set((id, span_id));
    let attributes = vec![
        KeyValue::new("http.request.method", method.to_owned()),
        KeyValue::new("http.route", route.to_owned()),
        KeyValue::new("url.path", path.to_owned()),
        KeyValue::new("http.response.status_code", i64::from(status)),
    ];
    let mut span = tracer
        .span_builder(format!("{method} {route}"))
        .with_kind(SpanKind::Server)
        .with_start_time(ended.checked_sub(duration).unwrap_or(ended))
        .with_attributes(attributes)
        .start_with_context(tracer, &parent.unwrap_or_default());
    if status >= 500 {
        span.set_status(Status::error(""));
    }
    span.end_with_timestamp(ended);
}
