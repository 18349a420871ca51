//! Compression of answers as their clients want it.

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, Response as HttpResponse, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tokio::runtime::{Handle, RuntimeFlavor};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate, SizeAbove};

use crate::error::Problem;
use crate::limits::{Held, HeldBody};
use crate::streaming::Streamed;

/// The encodings that there are.
const ENCODINGS: [&str; 3] = ["gzip", "br", "zstd"];

/// How hard encoders try: higher levels make answers some percent smaller, and take several times as long.
const LEVEL: CompressionLevel = CompressionLevel::Precise(3);

/// How many bytes an answer has at least that is compressed: smaller ones fit into a packet or two anyway.
const BYTES_MIN: u64 = 1 << 10;

/// How many bytes an answer has at least that takes too long to compress between other requests.
const LARGE_BYTES_MIN: u64 = 64 << 10;

/// The mark of an answer whose client does not take it as it is.
#[derive(Clone, Copy, Debug)]
struct IdentityRefused;

/// The mark of an answer that is large.
#[derive(Clone, Copy, Debug)]
struct Large;

/// What is worth compressing: neither small answers nor images nor streams, which encoders hold back until their buffers are full. Where the
/// client takes nothing else, everything is.
#[derive(Clone, Copy, Debug)]
struct WorthIt;

impl Predicate for WorthIt {
    fn should_compress<B: HttpBody>(&self, response: &HttpResponse<B>) -> bool {
        let extensions = response.extensions();
        let is_worth_it = DefaultPredicate::new().and(SizeAbove::new(BYTES_MIN));
        extensions.get::<IdentityRefused>().is_some()
            || extensions.get::<Streamed>().is_none() && is_worth_it.should_compress(response)
    }
}

/// Returns routes whose answers are compressed as clients want, if that is worth it.
pub(crate) fn compressed(routes: Router) -> Router {
    routes
        .layer(CompressionLayer::new().quality(LEVEL).compress_when(WorthIt))
        .layer(middleware::map_response(compress_in_place))
}

/// Returns routes that refuse requests whose client takes no encoding that there is. They must be [`compressed`] too.
pub(crate) fn negotiated(routes: Router) -> Router {
    routes.layer(middleware::from_fn(negotiate))
}

/// Refuses a request whose client takes no encoding that there is, and marks the answers of others for [`compressed`].
async fn negotiate(request: Request, next: Next) -> Response {
    let refuses_identity = refuses(request.headers(), "identity");
    if refuses_identity && ENCODINGS.iter().all(|encoding| !accepts(request.headers(), encoding)) {
        return Problem::NoEncoding.into_response();
    }
    let mut response = next.run(request).await;
    let size = response.body().size_hint().exact();
    let extensions = response.extensions_mut();
    if refuses_identity {
        extensions.insert(IdentityRefused);
    }
    if size.is_some_and(|size| size >= LARGE_BYTES_MIN) {
        extensions.insert(Large);
    }
    response
}

/// Makes the encoder of a large answer work where it holds up nothing else.
async fn compress_in_place(response: Response) -> Response {
    let is_encoded = response.headers().contains_key(header::CONTENT_ENCODING);
    let is_slow = is_encoded && response.extensions().get::<Large>().is_some();
    if is_slow { response.map(|body| Body::new(HeldBody::new(body, Slow))) } else { response }
}

/// Held by a body that takes long to compress: while a thread works at it, other threads take over its remaining tasks.
#[derive(Clone, Copy, Debug)]
struct Slow;

impl Held for Slow {
    fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
            _ => work(),
        }
    }
}

/// Returns whether a client refuses an encoding, by its name or with all that it does not name (RFC 9110, section 12.5.3).
fn refuses(headers: &HeaderMap, encoding: &str) -> bool {
    weight(headers, encoding).or_else(|| weight(headers, "*")).is_some_and(|is_wanted| !is_wanted)
}

/// Returns whether a client accepts an encoding, likewise.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    weight(headers, encoding).or_else(|| weight(headers, "*")).unwrap_or(false)
}

/// Returns whether an encoding that a client names has a weight above zero.
fn weight(headers: &HeaderMap, encoding: &str) -> Option<bool> {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut named = values.flat_map(|value| value.split(',')).filter_map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let is_named = parts.next()?.eq_ignore_ascii_case(encoding);
        is_named.then(|| parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q="))))
    });
    let quality = named.next()?;
    Some(quality.is_none_or(|quality| quality.bytes().any(|digit| (b'1'..=b'9').contains(&digit))))
}

#[cfg(test)]
mod tests {
    use axum::Extension;
    use axum::http::StatusCode;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    /// Returns status and encoding of an answer.
    async fn ask(path: &str, accepted: &str) -> (u16, String) {
        let text = |length: usize| move || async move { "a".repeat(length) };
        let routes = Router::new()
            .route("/small", get(text(1000)))
            .route("/whole", get(text(2000)))
            .route("/large", get(text(200_000)))
            .route("/streamed", get(|| async { (Extension(Streamed), "a".repeat(2000)) }));
        let request = Request::get(path).header(header::ACCEPT_ENCODING, accepted).body(Body::empty()).unwrap();
        let response = compressed(negotiated(routes)).oneshot(request).await.unwrap();
        let encoding = response.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap().to_owned());
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert!(!body.is_empty());
        assert!(status == StatusCode::OK || body.starts_with(b"{\"detail\":"));
        (status.as_u16(), encoding.unwrap_or_default())
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn answers_are_compressed_where_it_is_worth_it_or_nothing_else_is_taken() {
        for (path, accepted, expected) in [
            ("/small", "gzip", (200, "")),
            ("/whole", "gzip", (200, "gzip")),
            ("/large", "gzip", (200, "gzip")),
            ("/large", "br", (200, "br")),
            ("/streamed", "gzip", (200, "")),
            ("/whole", "deflate", (200, "")),
            ("/whole", "identity;q=0.5, zstd", (200, "zstd")),
            ("/small", "identity;q=0, gzip", (200, "gzip")),
            ("/streamed", "identity; q=0.0, zstd", (200, "zstd")),
            ("/small", "*;q=0, br;q=0.1", (200, "br")),
            ("/whole", "*;q=0, identity", (200, "")),
            ("/whole", "identity;q=0", (406, "")),
            ("/large", "*;q=0", (406, "")),
            ("/small", "identity;q=0.000, gzip;q=0, deflate", (406, "")),
        ] {
            let (status, encoding) = ask(path, accepted).await;
            assert_eq!((status, &*encoding), expected, "{path} {accepted}");
        }
    }
}
