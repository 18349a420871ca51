//! Measurements for Prometheus, on an address of their own.

use std::time::Duration;

use axum::Router;
use axum::http::header;
use axum::routing::get;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// The metric of the time that requests take.
pub(crate) const REQUEST_DURATION: &str = "mgdex_http_request_duration_seconds";

/// The metric of the number of requests.
pub(crate) const REQUESTS: &str = "mgdex_http_requests_total";

/// The upper bounds of the classes of request times.
const DURATION_BUCKETS_S: [f64; 12] = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 10.0];

/// How often what was measured is folded into the classes; without it memory would grow.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// What the Prometheus text format is called.
const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

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
        Ok(Self(builder.install_recorder()?))
    }

    /// Returns a router that has `/metrics` only.
    pub fn router(&self) -> Router {
        let handle = self.0.clone();
        let render = move || async move { ([(header::CONTENT_TYPE, TEXT_FORMAT)], handle.render()) };
        Router::new().route("/metrics", get(render))
    }

    /// Keeps memory bounded, for ever.
    pub async fn upkeep(self) {
        loop {
            tokio::time::sleep(UPKEEP_INTERVAL).await;
            self.0.run_upkeep();
        }
    }
}
