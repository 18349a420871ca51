//! The measurements and the state of a server, for an address that the public cannot reach.

use std::sync::Arc;
use std::time::Duration;

use api_http::Metrics;
use api_http::error::with_json_errors;
use api_http::json::NO_SNIFFING;
use axum::Router;
use axum::http::header;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;
use metrics::{describe_gauge, gauge};

use crate::Api;

/// The time when the served harvest began.
const HARVEST_BEGAN: &str = "mgdex_harvest_began_timestamp_seconds";

const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

impl Api {
    /// Returns a router that has `/metrics`, `/healthz` and `/readyz` only.
    pub fn monitoring(&self, metrics: &Metrics) -> Router {
        describe_gauge!(HARVEST_BEGAN, "When the served harvest began, in seconds since 1970, or NaN.");
        let (metrics, catalogue) = (metrics.clone(), Arc::clone(self.0.catalogue.source()));
        let render = move || async move {
            let snapshot = catalogue.current();
            let harvest = snapshot.as_ref().and_then(|snapshot| snapshot.contents().harvest.as_ref());
            // A gauge cannot be unset.
            let began = harvest.map_or(f64::NAN, |harvest| Duration::from_secs(harvest.began_unix_s).as_secs_f64());
            gauge!(HARVEST_BEGAN).set(began);
            ([(header::CONTENT_TYPE, TEXT_FORMAT)], metrics.render())
        };
        let no_sniffing = async |mut response: Response| {
            response.headers_mut().extend([NO_SNIFFING]);
            response
        };
        with_json_errors(self.0.health.clone().route("/metrics", get(render))).layer(map_response(no_sniffing))
    }
}
