//! Bodies of requests that are JSON objects. They are read after all checks that do not need them, and no further than the limit.

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::TryStreamExt;
use serde_json::{Map, Value};
use store::UniqueJson;

use super::blocking::{ANSWER_PATIENCE, in_turn};
use super::error::{Problem, shown};
use super::limits::Limits;

/// The longest body that is parsed at once, in less than a millisecond.
const SHORT_BYTES: usize = 16 << 10;

/// Why a body cannot be used.
#[derive(Debug)]
pub(crate) enum BodyFault {
    /// It has another content type, or is compressed. This is the type that it should have.
    NotJson(&'static str),
    /// It has more bytes than this.
    TooLarge(usize),
    /// What is wrong with it, as a sentence.
    Malformed(String),
    Common(Problem),
}

impl BodyFault {
    pub(crate) fn malformed(error: &serde_json::Error) -> Self {
        Self::Malformed(format!("The body is not valid JSON: {}.", shown(&error.to_string())))
    }

    pub(crate) fn no_object() -> Self {
        Self::Malformed("The body is not a JSON object.".to_owned())
    }

    /// Returns the status of the answer and what it says, unless the fault is one of all requests.
    pub(crate) fn into_client_error(self) -> Result<(StatusCode, String), Problem> {
        Ok(match self {
            Self::NotJson(content_type) => {
                let detail = format!("The body must be sent as `Content-Type: {content_type}`, not compressed.");
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
            }
            Self::TooLarge(max) => (StatusCode::PAYLOAD_TOO_LARGE, format!("The body has more than {max} bytes.")),
            Self::Malformed(detail) => (StatusCode::BAD_REQUEST, detail),
            Self::Common(problem) => return Err(problem),
        })
    }
}

/// Reads a JSON object of at most `max` bytes, sent as one of some content types.
pub(crate) async fn object(
    limits: &Limits,
    headers: &HeaderMap,
    body: Body,
    (content_types, max): (&[&'static str], usize),
) -> Result<Map<String, Value>, BodyFault> {
    let bytes = bytes(limits, headers, body, (content_types, max)).await?;
    let is_short = bytes.len() <= SHORT_BYTES;
    let parse = move || serde_json::from_slice(&bytes);
    let overloaded = |_| BodyFault::Common(Problem::Overloaded);
    let parsed = if is_short { parse() } else { in_turn(ANSWER_PATIENCE, parse).await.map_err(overloaded)? };
    match parsed.map_err(|error| BodyFault::malformed(&error))? {
        UniqueJson(Value::Object(object)) => Ok(object),
        _ => Err(BodyFault::no_object()),
    }
}

/// Reads the bytes of a JSON document, at most `max`, sent as one of some content types.
pub(crate) async fn bytes(
    limits: &Limits,
    headers: &HeaderMap,
    body: Body,
    (content_types, max): (&[&'static str], usize),
) -> Result<Vec<u8>, BodyFault> {
    if !is_json(headers, content_types, body.is_end_stream()) {
        return Err(BodyFault::NotJson(content_types.first().copied().unwrap_or_default()));
    }
    limits.arrival(read(body, max)).await.map_err(BodyFault::Common)?
}

/// Returns whether a body is JSON according to the headers, which an empty body does not need.
fn is_json(headers: &HeaderMap, content_types: &[&str], is_empty: bool) -> bool {
    let is_plain =
        headers.get(header::CONTENT_ENCODING).is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    let is_json = match headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default()) {
        Some(value) => {
            let media_type = value.split(';').next().unwrap_or_default().trim();
            content_types.iter().any(|wanted| media_type.eq_ignore_ascii_case(wanted))
        }
        // An empty name among the types stands for none.
        None => is_empty || content_types.contains(&""),
    };
    is_plain && is_json
}

/// Reads at most `max` bytes, whatever the headers say about the length.
async fn read(body: Body, max: usize) -> Result<Vec<u8>, BodyFault> {
    if body.size_hint().lower() > max as u64 {
        return Err(BodyFault::TooLarge(max));
    }
    let mut bytes = Vec::new();
    let mut pieces = body.into_data_stream();
    let broken = |_| BodyFault::Malformed("The body ends before its end.".to_owned());
    while let Some(piece) = pieces.try_next().await.map_err(broken)? {
        if piece.len() > max - bytes.len() {
            return Err(BodyFault::TooLarge(max));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use axum::http::HeaderValue;
    use futures_util::stream;

    use super::*;

    const TYPES: &[&str] = &["application/json"];

    #[test]
    fn json_is_what_is_called_so() {
        for (value, expected) in [
            (Some("application/json"), true),
            (Some("application/json;charset=UTF-8"), true),
            (Some("Application/JSON ; x=y"), true),
            (Some("application/merge-patch+json"), false),
            (Some("application/jsonx"), false),
            (Some("text/plain"), false),
            (Some(""), false),
            (None, false),
        ] {
            let headers = value.map(|value| (header::CONTENT_TYPE, HeaderValue::from_static(value)));
            let mut headers: HeaderMap = headers.into_iter().collect();
            assert_eq!(is_json(&headers, TYPES, false), expected, "{value:?}");
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            assert!(!is_json(&headers, TYPES, false));
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("Identity"));
            assert_eq!(is_json(&headers, TYPES, false), expected, "{value:?}");
        }
        assert!(is_json(&HeaderMap::new(), TYPES, true) && is_json(&HeaderMap::new(), &["text/plain", ""], false));
    }

    #[tokio::test]
    async fn no_more_than_the_limit_is_read() {
        assert_eq!(read(Body::from("12345"), 5).await.expect("short enough"), b"12345");
        let endless = stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from_static(b"12")));
        for body in [Body::from_stream(endless), Body::from("123456")] {
            assert!(matches!(read(body, 5).await, Err(BodyFault::TooLarge(5))));
        }
        let broken = stream::iter([Ok(Bytes::from_static(b"1")), Err(std::io::Error::other("gone"))]);
        assert!(matches!(read(Body::from_stream(broken), 5).await, Err(BodyFault::Malformed(_))));
    }
}
