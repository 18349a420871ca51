//! Requests to a router, without a socket.

use api::Api;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;

/// The prefix of the protein service.
pub const PROTEINS: &str = "/metagenomics/proteins/api/v1";

/// The prefix of its second version.
pub const PROTEINS_V2: &str = "/metagenomics/proteins/api/v2";

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:?}", String::from_utf8_lossy(&self.body)))
    }

    /// Returns a header as text, or an empty text where it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("printable"))
    }

    /// Returns the accessions of hits.
    pub fn mgyps(&self) -> Vec<String> {
        assert_eq!(self.status, StatusCode::OK, "{:?}", String::from_utf8_lossy(&self.body));
        let hits = self.json();
        let hits = hits.as_array().expect("a list");
        hits.iter().map(|hit| hit["mgyp"].as_str().expect("a text").to_owned()).collect()
    }
}

/// Sends a request with a method and headers.
pub async fn send(router: &Api, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    send_body(router, method, path, headers, Body::empty()).await
}

/// Sends a request with a method, headers and a body.
pub async fn send_body(
    router: &Api,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: impl Into<Body>,
) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    if headers.iter().all(|(name, _)| *name != "host") {
        request = request.header("host", "mgdex.test");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(body.into()).expect("a request");
    let response = router.answer(request).await;
    let (parts, body) = response.into_parts();
    let body = body.collect().await.expect("a whole body").to_bytes().to_vec();
    Answer { status: parts.status, headers: parts.headers, body }
}

/// Sends a GET request.
pub async fn get(router: &Api, path: &str) -> Answer {
    send(router, Method::GET, path, &[]).await
}

/// Sends a GET request below the prefix of the protein service.
pub async fn get_protein(router: &Api, path: &str) -> Answer {
    get(router, &format!("{PROTEINS}{path}")).await
}
