//! What is answered on spare connections.

use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::Problem;
use crate::paths;

/// The mark of a request that came on a spare connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnSpareConnection;

/// Answers only those on a spare connection who ask whether the server lives, and closes it.
pub(crate) async fn check(request: Request, next: Next) -> Response {
    if request.extensions().get::<OnSpareConnection>().is_none() {
        return next.run(request).await;
    }
    let mut response = if [paths::HEALTH, paths::READY].contains(&request.uri().path()) {
        next.run(request).await
    } else {
        Problem::Overloaded.into_response()
    };
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
