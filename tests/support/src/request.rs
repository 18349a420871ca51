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

    /// Returns the body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    /// Returns the JSON of each line of the body.
    pub fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// Returns this answer, after checking its status.
    #[must_use]
    #[track_caller]
    pub fn checked(self, status: u16, context: &str) -> Self {
        assert_eq!(self.status, status, "{context}: {}", String::from_utf8_lossy(&self.body));
        self
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

/// Posts a body of a media type.
pub async fn post(router: &Api, path: &str, content_type: &str, body: impl Into<Body>) -> Answer {
    send_body(router, Method::POST, path, &[("content-type", content_type)], body).await
}

/// Returns a text as the value of a parameter.
pub fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Sends a GET request.
pub async fn get(router: &Api, path: &str) -> Answer {
    send(router, Method::GET, path, &[]).await
}

/// Sends a GET request below the prefix of the protein service.
pub async fn get_protein(router: &Api, path: &str) -> Answer {
    get(router, &format!("{PROTEINS}{path}")).await
}
