//! Requests to the real router.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::Api;
use api::{ServiceConfig, Services};
use api_catalogue::LocalCatalogue;
use api_proteins::LocalProteins;
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use store::Generations;
use tokio::runtime::{Builder, Runtime};

/// A client that sends one request at a time.
pub(crate) struct Client {
    /// The router of a server.
    router: Api,
    /// Runs it on this thread; only the store has another.
    runtime: Runtime,
}

impl Client {
    /// Opens a data folder as a server does.
    pub(crate) fn open(data: &Path) -> Self {
        let catalogue = LocalCatalogue::open(Generations::new(data.join("catalogue"))).expect("loaded");
        let proteins = LocalProteins::open(Generations::new(data.join("proteins"))).expect("none");
        let services = Services {
            proteins: Arc::new(proteins),
            catalogue: Arc::new(catalogue),
            profiles: None,
            similarity: Arc::default(),
        };
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { router: Api::new(&services, &ServiceConfig::default()), runtime }
    }

    /// Asks for a path below the prefix of version 1 or, if it begins with `v2`, of version 2, and
    /// returns the body.
    fn body(&self, path: &str) -> Bytes {
        let (version, path) = path.strip_prefix("v2").map_or(("v1", path), |path| ("v2", path));
        let uri = format!("/metagenomics/api/{version}{path}");
        let request = Request::get(uri).header("host", "127.0.0.1:8080").body(Body::empty()).expect("a request");
        self.runtime.block_on(async {
            let response = self.router.answer(request).await;
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            response.into_body().collect().await.expect("a whole body").to_bytes()
        })
    }

    /// Asks for a path, and returns the number of bytes of the answer.
    pub(crate) fn get(&self, path: &str) -> usize {
        self.body(path).len()
    }

    /// Asks for a path once, and returns how long that took, in microseconds.
    pub(crate) fn time_us(&self, path: &str) -> f64 {
        let started = Instant::now();
        self.get(path);
        started.elapsed().as_secs_f64() * 1e6
    }

    /// Returns how many resources a list has.
    pub(crate) fn count(&self, path: &str) -> u64 {
        let page: Value = serde_json::from_slice(&self.body(path)).expect("JSON");
        page["meta"]["pagination"]["count"].as_u64().expect("a number")
    }

    /// Reads a stream to its end without keeping it, and returns the number of its bytes and how
    /// long that took.
    pub(crate) fn stream(&self, path: &str) -> (f64, Duration) {
        let uri = format!("/metagenomics/api/v1{path}");
        let request = Request::get(uri).header("host", "127.0.0.1:8080").body(Body::empty()).expect("a request");
        let started = Instant::now();
        let num_bytes = self.runtime.block_on(async {
            let response = self.router.answer(request).await;
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            let (mut body, mut num_bytes) = (response.into_body(), 0);
            while let Some(frame) = body.frame().await {
                num_bytes += frame.expect("a whole stream").data_ref().map_or(0, Bytes::len);
            }
            num_bytes
        });
        (num_bytes as f64, started.elapsed())
    }
}
