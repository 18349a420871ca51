//! Measurements for Prometheus.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use axum::http::Method;
use metrics::{Counter, Histogram, counter, describe_counter, describe_histogram, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

const REQUEST_DURATION: &str = "mgdex_http_request_duration_seconds";

const REQUESTS: &str = "mgdex_http_requests_total";

const DURATION_BUCKETS_S: [f64; 12] = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 10.0];

/// The pause between two folds of measurements into their classes; without them memory would grow.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// The measurements of this process.
#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

impl Metrics {
    /// Starts measuring.
    ///
    /// # Errors
    ///
    /// * The process measures already.
    pub fn install() -> Result<Self, BuildError> {
        let matcher = Matcher::Full(REQUEST_DURATION.to_owned());
        let builder = PrometheusBuilder::new().set_buckets_for_metric(matcher, &DURATION_BUCKETS_S)?;
        let handle = builder.install_recorder()?;
        describe_counter!(REQUESTS, "Answered requests by route, method and status.");
        describe_histogram!(REQUEST_DURATION, "Time until an answer began, in seconds.");
        Ok(Self(handle))
    }

    /// Returns all measurements in the text format of Prometheus.
    pub fn render(&self) -> String {
        self.0.render()
    }

    /// Keeps memory bounded, forever.
    pub async fn upkeep(self) {
        loop {
            tokio::time::sleep(UPKEEP_INTERVAL).await;
            self.0.run_upkeep();
        }
    }
}

/// The measurements of requests of one route that have the same method and status.
struct Measured {
    method: &'static str,
    status: u16,
    requests: Counter,
    duration: Histogram,
}

thread_local! {
    /// The measurements of this thread by route, so that their labels are made once. The number of
    /// routes is fixed.
    static MEASURED: RefCell<HashMap<String, Vec<Measured>>> = RefCell::default();
}

pub(crate) fn count(route: &str, method: &Method, status: u16, duration: Duration) {
    let method = method_label(method);
    let record = |measured: &Measured| {
        measured.requests.increment(1);
        measured.duration.record(duration);
    };
    MEASURED.with_borrow_mut(|routes| {
        let known = routes.get(route).and_then(|of_route| {
            of_route.iter().find(|measured| measured.status == status && measured.method == method)
        });
        if let Some(measured) = known {
            return record(measured);
        }
        let labels = [("route", route.to_owned()), ("method", method.to_owned()), ("status", status.to_string())];
        let (requests, duration) = (counter!(REQUESTS, &labels), histogram!(REQUEST_DURATION, &labels));
        let measured = Measured { method, status, requests, duration };
        record(&measured);
        routes.entry(route.to_owned()).or_default().push(measured);
    });
}

/// Returns the label of a method. Clients may invent methods, and each label is kept forever.
fn method_label(method: &Method) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}
