//! Answers that are written while they are read from the engine.

use axum::Extension;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tracing::{Instrument, Span};

use super::blocking::{STREAM_PATIENCE, in_turn};
use super::limits::Streamed;
use crate::SourceError;

/// Answers with a file. `next` returns one part after another, some of them perhaps empty, on a
/// thread that may block, and `None` at the end. A client that reads slowly slows down the reading
/// of the data. If a part cannot be read, the connection is cut, so that the client notices.
pub fn attachment(
    content_type: &'static str,
    name: &str,
    next: impl FnMut() -> Result<Option<Vec<u8>>, SourceError> + Send + 'static,
) -> Response {
    let span = Span::current();
    let parts = stream::try_unfold(next, move |mut next| {
        let read = async move {
            loop {
                let (part, again) = in_turn(STREAM_PATIENCE, move || (next(), next)).await?;
                next = again;
                match part {
                    // Between two parts, the client may have stopped waiting.
                    Ok(Some(part)) if part.is_empty() => {}
                    Ok(part) => return Ok(part.map(|part| (part, next))),
                    Err(error) => {
                        // The status has been sent already: only the log can have the reason.
                        tracing::error!(%error, "a stream was cut short");
                        return Err(error);
                    }
                }
            }
        };
        read.instrument(span.clone())
    });
    let name = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CONTENT_DISPOSITION, name.unwrap_or(HeaderValue::from_static("attachment"))),
    ];
    (headers, Extension(Streamed), Body::from_stream(parts)).into_response()
}
