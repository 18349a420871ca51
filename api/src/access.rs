//! A log line and measurements for each request, and the request id that ties them to the answer.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use percent_encoding::{CONTROLS, percent_decode_str, utf8_percent_encode};
use tracing::{Instrument, error_span};
use uuid::Uuid;

use crate::metrics::{REQUEST_DURATION, REQUESTS};
use crate::paths;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The route of requests that match none, in measurements.
const NO_ROUTE: &str = "none";

const SECRET_PARAMETERS: [&str; 3] = ["access_token", "token", "key"];

const NO_SNIFFING: (HeaderName, HeaderValue) = (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// An extension of requests.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(pub(crate) String);

/// Gives a request an id, logs and measures it.
pub(crate) async fn log(mut request: Request, next: Next) -> Response {
    let id = Uuid::new_v4().to_string();
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let uri = logged_uri(request.uri(), &route);
    request.extensions_mut().insert(RequestId(id.clone()));
    let started = Instant::now();
    // An error span, so that error lines name the request however quiet the log is.
    let mut response = next.run(request).instrument(error_span!("request", id)).await;
    let duration = started.elapsed();
    let status = response.status().as_u16();
    let duration_us = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    tracing::info!(target: "access", id, %method, %uri, status, duration_us, "answered");
    let labels = [("route", route), ("method", method_label(&method).to_owned()), ("status", status.to_string())];
    ::metrics::counter!(REQUESTS, &labels).increment(1);
    ::metrics::histogram!(REQUEST_DURATION, &labels).record(duration);
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    let (name, value) = NO_SNIFFING;
    response.headers_mut().insert(name, value);
    response
}

/// Returns a URI as it is logged. Queries of profile paths, which may hold personal data, and of unknown paths, which may be misspelt profile
/// paths, are left out. Everything but printable ASCII is percent-encoded: it could forge lines or reverse their direction.
fn logged_uri(uri: &Uri, route: &str) -> String {
    let is_harmless = route != NO_ROUTE && !paths::is_of_profiles(route) && !paths::is_of_profiles(uri.path());
    let mut text = utf8_percent_encode(uri.path(), CONTROLS).to_string();
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

/// Returns the label of a method. Clients may invent methods, and each label is kept forever.
fn method_label(method: &Method) -> &'static str {
    const METHODS: [&str; 7] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
    METHODS.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{self, Sender};

    use axum::body::Body;
    use store::Generations;
    use tower::ServiceExt;
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use super::*;
    use crate::catalogue::LocalCatalogue;
    use crate::proteins::LocalProteins;
    use crate::{ServiceConfig, Services};

    /// Sends on what is logged of URIs.
    struct Uris(Sender<String>);

    impl Subscriber for Uris {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            event.record(&mut OfUri(&self.0));
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    /// Finds the URI of a line.
    struct OfUri<'a>(&'a Sender<String>);

    impl Visit for OfUri<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            if field.name() == "uri" {
                self.0.send(format!("{value:?}")).expect("somebody who reads");
            }
        }
    }

    #[tokio::test]
    async fn what_users_are_searched_by_is_not_logged_however_it_is_spelt() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = || Generations::new(folder.path().join("none"));
        let services = Services {
            proteins: Arc::new(LocalProteins::open(generations()).expect("nothing")),
            catalogue: Arc::new(LocalCatalogue::open(generations()).expect("nothing")),
            profiles: None,
        };
        let router = crate::router(&services, &ServiceConfig::default());
        let (log, lines) = mpsc::channel();
        let _logging = tracing::subscriber::set_default(Uris(log));
        for (uri, expected) in [
            ("/users/profile/email?value=a%40x.org", "/users/profile/email"),
            ("//users/profile/email?value=a%40x.org", "//users/profile/email"),
            ("/%75sers/profile/email?value=a%40x.org", "/%75sers/profile/email"),
            ("/x/../users/profile/email?value=a%40x.org", "/x/../users/profile/email"),
            ("/metagenomics/proteins/api/v1/users/profile?value=a", "/metagenomics/proteins/api/v1/users/profile"),
            ("/profiles/openapi.json?x=1", "/profiles/openapi.json"),
            ("/readyz?x=1", "/readyz?x=1"),
            (
                "/metagenomics/proteins/api/v1/protein/search?limit=1",
                "/metagenomics/proteins/api/v1/protein/search?limit=1",
            ),
            ("/metagenomics/api/v1/studies?page=2", "/metagenomics/api/v1/studies?page=2"),
            (
                "/metagenomics/api/v1/studies?Token=a&page=2&access%5Ftoken=b",
                "/metagenomics/api/v1/studies?Token=***&page=2&access%5Ftoken=***",
            ),
            ("/\u{85}\u{202e}x", "/%C2%85%E2%80%AEx"),
            ("/readyz?\u{9b}", "/readyz?%C2%9B"),
        ] {
            let request = Request::get(uri).body(Body::empty()).expect("a request");
            router.clone().oneshot(request).await.expect("the router never fails");
            assert_eq!(lines.try_iter().collect::<Vec<_>>(), [expected], "{uri}");
        }
    }
}
