//! The `Host` header.

use axum::extract::Request;
use axum::http::{Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::Problem;

/// Refuses a request that does not have exactly one `Host` header; HTTP/1.0 may do without (RFC 9112, section 3.2).
pub(crate) async fn check(request: Request, next: Next) -> Response {
    let num_hosts = request.headers().get_all(header::HOST).iter().count();
    if num_hosts == 1 || num_hosts == 0 && request.version() < Version::HTTP_11 {
        next.run(request).await
    } else {
        Problem::NotOneHost.into_response()
    }
}
