//! Bodies of requests. They are read after all checks that do not need them, and no further than the limit.

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::TryStreamExt;
use serde_json::{Map, Value};
use store::{Attributes, UniqueJson};

use super::attribute_rules;
use super::context::Context;
use super::problem::ProfileProblem;
use super::trail::Trail;
use crate::error::shown;

pub(super) async fn object(context: &Context, body: Body) -> Result<Map<String, Value>, ProfileProblem> {
    if !is_json(&context.headers, body.is_end_stream()) {
        return Err(ProfileProblem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "The body must be sent as `Content-Type: application/json`, not compressed.",
        ));
    }
    let reading = bytes(body, context.config().body_bytes_max);
    let bytes = context.limits.arrival(reading).await??;
    match serde_json::from_slice(&bytes) {
        Ok(UniqueJson(Value::Object(object))) => Ok(object),
        Ok(_) => Err(ProfileProblem::invalid("The body is not a JSON object.")),
        Err(error) => {
            Err(ProfileProblem::invalid(format!("The body is not valid JSON: {}.", shown(&error.to_string()))))
        }
    }
}

/// Reads attributes, and notes their keys for the audit log.
pub(super) async fn attributes(context: &Context, body: Body, trail: &mut Trail) -> Result<Attributes, ProfileProblem> {
    let object = object(context, body).await?;
    checked(context, object, trail)
}

/// Checks attributes, and notes their keys for the audit log.
pub(super) fn checked(
    context: &Context,
    object: Map<String, Value>,
    trail: &mut Trail,
) -> Result<Attributes, ProfileProblem> {
    attribute_rules::check_keys(&object, context.config()).map_err(ProfileProblem::invalid)?;
    trail.keys = object.keys().cloned().collect();
    attribute_rules::read(object, context.config()).map_err(ProfileProblem::invalid)
}

/// Returns whether a body is JSON according to the headers, which an empty body does not need.
fn is_json(headers: &HeaderMap, is_empty: bool) -> bool {
    let is_plain =
        headers.get(header::CONTENT_ENCODING).is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    let is_json = match headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default()) {
        Some(value) => {
            let media_type = value.split(';').next().unwrap_or_default();
            media_type.trim().eq_ignore_ascii_case("application/json")
        }
        None => is_empty,
    };
    is_plain && is_json
}

/// Reads at most `max` bytes, whatever the headers say about the length.
async fn bytes(body: Body, max: usize) -> Result<Vec<u8>, ProfileProblem> {
    let too_large =
        || ProfileProblem::new(StatusCode::PAYLOAD_TOO_LARGE, format!("The body has more than {max} bytes."));
    if body.size_hint().lower() > max as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let mut pieces = body.into_data_stream();
    let broken = |_| ProfileProblem::invalid("The body ends before its end.");
    while let Some(piece) = pieces.try_next().await.map_err(broken)? {
        if piece.len() > max - bytes.len() {
            return Err(too_large());
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
            assert_eq!(is_json(&headers, false), expected, "{value:?}");
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            assert!(!is_json(&headers, false));
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("Identity"));
            assert_eq!(is_json(&headers, false), expected, "{value:?}");
        }
        assert!(is_json(&HeaderMap::new(), true));
    }

    #[tokio::test]
    async fn no_more_than_the_limit_is_read() {
        assert_eq!(bytes(Body::from("12345"), 5).await.expect("short enough"), b"12345");
        let endless = stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from_static(b"12")));
        let problem = bytes(Body::from_stream(endless), 5).await.expect_err("too long");
        assert_eq!(problem.status(), 413, "{problem:?}");
        let problem = bytes(Body::from("123456"), 5).await.expect_err("too long");
        assert_eq!(problem.status(), 413, "{problem:?}");
        let broken = stream::iter([Ok(Bytes::from_static(b"1")), Err(std::io::Error::other("gone"))]);
        let problem = bytes(Body::from_stream(broken), 5).await.expect_err("broken");
        assert_eq!(problem.status(), 400, "{problem:?}");
    }
}
