//! Compression of answers as their clients prefer it.

mod stream;

use std::convert::Infallible;
use std::future::ready;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Response as HttpResponse, header};
use axum::response::Response;
use futures_util::FutureExt;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate, SizeAbove};

use self::stream::{CompressedStream, Slot};
use super::accept::{PREFERENCES_BYTES_MAX, weighted};
use super::blocking::{ANSWER_PATIENCE, in_turn};
use super::error::Problem;

const ENCODINGS: [&str; 3] = ["gzip", "br", "zstd"];

/// The level of the encoders: higher ones make answers some percent smaller, and take several times
/// as long.
const LEVEL: CompressionLevel = CompressionLevel::Precise(3);

/// The media type of Parquet.
pub const PARQUET: &str = "application/vnd.apache.parquet";

/// Smaller answers fit into a packet or two anyway.
const BYTES_MIN: u64 = 1 << 10;

/// Larger answers take too long to compress between other requests; Brotli takes several times as
/// long as the others.
const LARGE_BYTES_MIN: u64 = 64 << 10;
const LARGE_BYTES_MIN_BROTLI: u64 = 8 << 10;

#[derive(Clone, Debug)]
pub(crate) struct AcceptedEncodings {
    /// The value of `Accept-Encoding`; `None` accepts only an unencoded answer.
    header: Option<HeaderValue>,
    refuses_identity: bool,
}

impl AcceptedEncodings {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// * The client accepts neither an unencoded answer nor a supported encoding.
    pub(crate) fn parse(headers: &HeaderMap) -> Result<Self, Problem> {
        let mut values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let Some(first) = values.next() else { return Ok(Self { header: None, refuses_identity: false }) };
        let list = values.fold(first.to_owned(), |list, value| list + "," + value);
        // A longer list would take too long to read repeatedly.
        if list.len() > PREFERENCES_BYTES_MAX {
            return Ok(Self { header: None, refuses_identity: false });
        }
        let refuses_identity = weight(&list, "identity").or_else(|| weight(&list, "*")) == Some(false);
        let accepts = |encoding: &&str| weight(&list, encoding).or_else(|| weight(&list, "*")) == Some(true);
        if refuses_identity && !ENCODINGS.iter().any(accepts) {
            return Err(Problem::NoEncoding);
        }
        Ok(Self { header: HeaderValue::try_from(list).ok(), refuses_identity })
    }

    /// Compresses an answer if the client accepts that and it is worthwhile. A large answer is
    /// compressed as a whole in a turn; a stream is compressed piece by piece while it is sent, so
    /// that few encoders use memory at a time.
    ///
    /// # Errors
    ///
    /// * There was no turn in time.
    pub(crate) async fn apply(self, response: Response) -> Result<Response, Problem> {
        match &self.header {
            Some(accepted) if self.may_change(&response) => {
                Box::pin(compress(response, accepted.clone(), self.refuses_identity)).await
            }
            _ => Ok(response),
        }
    }

    /// Returns whether [`AcceptedEncodings::apply`] may compress an answer. Most answers are short.
    pub(crate) fn may_change(&self, response: &Response) -> bool {
        let is_short = || response.body().size_hint().exact().is_some_and(|size| size < BYTES_MIN);
        self.header.is_some() && (self.refuses_identity || !is_short())
    }
}

async fn compress(response: Response, accepted: HeaderValue, refuses_identity: bool) -> Result<Response, Problem> {
    let size_bytes = response.body().size_hint().exact();
    let (head, body) = response.into_parts();
    // The encoder reads a stream piece by piece from a slot.
    let (stream, body) = if size_bytes.is_some() {
        (None, body)
    } else {
        let slot = Slot::default();
        (Some((body, slot.clone())), Body::new(slot))
    };
    let mut request = Request::new(());
    request.headers_mut().insert(header::ACCEPT_ENCODING, accepted);
    let mut response = Some(Response::from_parts(head, body));
    let answer = service_fn(|_: Request<()>| ready(Ok::<_, Infallible>(response.take().unwrap_or_default())));
    let worth = WorthCompressing { refuses_identity };
    // The window of Brotli takes many times the memory of the others for as long as a stream lasts.
    let has_brotli = size_bytes.is_some() || refuses_identity;
    let layer = CompressionLayer::new().quality(LEVEL).br(has_brotli).compress_when(worth);
    let Ok(response) = layer.layer(answer).oneshot(request).await;
    let encoding = response.headers().get(header::CONTENT_ENCODING).cloned();
    let response = response.map(Body::new);
    let large_min = if encoding.as_ref().is_some_and(|encoding| encoding == "br") {
        LARGE_BYTES_MIN_BROTLI
    } else {
        LARGE_BYTES_MIN
    };
    Ok(match (stream, size_bytes) {
        (Some((source, _)), _) if encoding.is_none() => response.map(|_| source),
        (Some((source, slot)), _) => response.map(|encoder| Body::new(CompressedStream::new(source, slot, encoder))),
        (None, Some(size_bytes)) if encoding.is_some() && size_bytes >= large_min => {
            let (head, body) = response.into_parts();
            let compress = || to_bytes(body, usize::MAX).now_or_never().and_then(Result::ok);
            let compressed = in_turn(ANSWER_PATIENCE, compress).await.map_err(|_| Problem::Overloaded)?;
            Response::from_parts(head, Body::from(compressed.ok_or(Problem::Internal)?))
        }
        _ => response,
    })
}

/// Decides which answers are worth compressing: not small ones, images, or compressed data. If the
/// client accepts nothing else, every answer is compressed. Streams are flushed whenever their next
/// part is not ready.
#[derive(Clone, Copy, Debug)]
struct WorthCompressing {
    refuses_identity: bool,
}

impl Predicate for WorthCompressing {
    fn should_compress<B: HttpBody>(&self, response: &HttpResponse<B>) -> bool {
        let is_worth_it =
            DefaultPredicate::new().and(SizeAbove::new(BYTES_MIN)).and(NotForContentType::const_new(PARQUET));
        self.refuses_identity || is_worth_it.should_compress(response)
    }
}

/// Returns whether an encoding that a client names has a weight above zero (RFC 9110, section
/// 12.5.3).
fn weight(list: &str, encoding: &str) -> Option<bool> {
    let (_, weight) = list.split(',').filter_map(weighted).find(|(value, _)| value.eq_ignore_ascii_case(encoding))?;
    Some(weight > 0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use axum::extract::Request;
    use axum::http::StatusCode;
    use axum::routing::get;
    use axum::{Extension, Router};
    use futures_util::stream;

    use super::*;
    use crate::ServiceConfig;
    use crate::client::{ClientAddress, OnConnection};
    use crate::front;
    use crate::limits::{Limits, Streamed};

    /// Returns status and encoding of an answer.
    async fn ask(path: &str, accepted: &str) -> (u16, String) {
        let text = |length: usize| move || async move { "a".repeat(length) };
        let routes = Router::new()
            .route("/small", get(text(1000)))
            .route("/whole", get(text(2000)))
            .route("/large", get(text(200_000)))
            .route(
                "/endless",
                get(|| async { Body::from_stream(stream::iter([Ok::<_, Infallible>("a".repeat(2000))])) }),
            )
            .route("/streamed", get(|| async { (Extension(Streamed), "a".repeat(2000)) }));
        let request = Request::get(path).header(header::ACCEPT_ENCODING, accepted).body(Body::empty()).unwrap();
        let response = front::tests::ask(&routes, &Limits::new(&ServiceConfig::default()), request).await;
        let encoding = response.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap().to_owned());
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert!(!body.is_empty());
        assert!(status == StatusCode::OK || body.starts_with(b"{\"detail\":"));
        (status.as_u16(), encoding.unwrap_or_default())
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn answers_are_compressed_if_worthwhile_or_required() {
        for (path, accepted, expected) in [
            ("/small", "gzip", (200, "")),
            ("/whole", "gzip", (200, "gzip")),
            ("/large", "gzip", (200, "gzip")),
            ("/large", "br", (200, "br")),
            ("/streamed", "gzip", (200, "gzip")),
            ("/endless", "br", (200, "")),
            ("/endless", "br, zstd", (200, "zstd")),
            ("/endless", "identity;q=0, br", (200, "br")),
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

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn compressed_streams_leave_turns_to_their_pieces() {
        // One client has more streams than turns.
        let config = ServiceConfig { requests_max: 32, requests_of_client_max: 16, ..ServiceConfig::default() };
        let streamed = || async {
            let mut left = 20;
            let next = move || {
                left -= 1;
                Ok((left > 0).then(|| "ab".repeat(50_000).into_bytes()))
            };
            crate::streaming::attachment("text/plain", "a.txt", next)
        };
        let limits = Limits::new(&config);
        let routes = Router::new().route("/", get(streamed));
        let ask = || async {
            let mut request = Request::get("/").header(header::ACCEPT_ENCODING, "gzip").body(Body::empty()).unwrap();
            let client = ClientAddress::new([10, 0, 0, 1].into());
            request.extensions_mut().insert(OnConnection { client, is_spare: false, busy: Arc::new(()) });
            let body = front::tests::ask(&routes, &limits, request).await.into_body();
            axum::body::to_bytes(body, usize::MAX).await.map(|bytes| bytes.len())
        };
        let all = tokio::time::timeout(Duration::from_mins(1), async { tokio::join!(ask(), ask(), ask(), ask()) });
        let (first, second, third, fourth) = all.await.expect("no stream waits for another for ever");
        let lengths = [first, second, third, fourth].map(|length| length.expect("a whole stream"));
        assert!(lengths[0] > 1000 && lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
    }
}
