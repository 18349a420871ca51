//! That browsers take answers for what these say they are.

use axum::http::{HeaderName, HeaderValue, header};

/// A header of all answers.
pub(crate) const NO_SNIFFING: (HeaderName, HeaderValue) =
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
