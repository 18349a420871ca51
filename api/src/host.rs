//! The `Host` header.

use axum::http::request::Parts;
use axum::http::{Version, header};

use crate::error::Problem;

/// Refuses a request that does not have exactly one `Host` header; HTTP/1.0 may do without (RFC 9112, section 3.2).
pub(crate) fn check(parts: &Parts) -> Result<(), Problem> {
    let num_hosts = parts.headers.get_all(header::HOST).iter().count();
    let is_sound = num_hosts == 1 || num_hosts == 0 && parts.version < Version::HTTP_11;
    is_sound.then_some(()).ok_or(Problem::NotOneHost)
}
