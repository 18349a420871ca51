//! Reasons why a body cannot be used.

use axum::http::StatusCode;

use crate::error::{Problem, shown};

/// The reason why a body cannot be used.
#[derive(Debug)]
pub enum BodyFault {
    /// It has another content type than these.
    OtherType(&'static [&'static str]),
    /// It is compressed.
    Compressed,
    /// It has more bytes than this.
    TooLarge(usize),
    /// It has more values than this, which have this name.
    TooMany((usize, &'static str)),
    /// It cannot be read; the sentence says why.
    Malformed(String),
    /// A problem that any request may have.
    Common(Problem),
}

impl BodyFault {
    pub(super) fn malformed(error: &serde_json::Error) -> Self {
        Self::Malformed(format!("The body is not valid JSON: {}.", shown(&error.to_string())))
    }

    /// Returns the status and the text of the answer, unless the fault is one of all requests.
    pub fn into_client_error(self) -> Result<(StatusCode, String), Problem> {
        Ok(match self {
            Self::OtherType(content_types) => {
                // An empty one stands for a missing one.
                let named = content_types.iter().filter(|content_type| !content_type.is_empty());
                let named: Vec<_> = named.map(|content_type| format!("`{content_type}`")).collect();
                let detail = format!("The body must be sent with the Content-Type {}.", named.join(" or "));
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
            }
            Self::Compressed => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed.".to_owned()),
            Self::TooLarge(max) => (StatusCode::PAYLOAD_TOO_LARGE, format!("The body has more than {max} bytes.")),
            Self::TooMany((max, values)) => {
                (StatusCode::PAYLOAD_TOO_LARGE, format!("The body has more than {max} {values}."))
            }
            Self::Malformed(detail) => (StatusCode::BAD_REQUEST, detail),
            Self::Common(problem) => return Err(problem),
        })
    }
}
