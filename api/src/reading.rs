//! The way of a request to a service that only reads: limits, the answer, its encoding.

use std::panic::AssertUnwindSafe;
use std::pin::pin;

use axum::body::Body;
use axum::http::request::Parts;
use axum::response::Response;
use futures_util::FutureExt;

use crate::access::Access;
use crate::compression::AcceptedEncodings;
use crate::error::{self, Problem};
use crate::limits::{HeldBody, Limits};

/// Answers a request within the limits, and compresses the answer as the client wants it.
///
/// The permit of the request is held until the connection has taken the last byte of the answer or dropped it: an answer that its client
/// does not read takes memory all the while.
///
/// # Errors
///
/// * The request goes beyond a limit, or the client accepts no encoding of ours.
/// * The answer was not made in time, or the making panicked.
pub(crate) async fn answer(
    limits: &Limits,
    parts: &Parts,
    access: &Access,
    making: impl Future<Output = Response>,
) -> Result<Response, Problem> {
    limits.check_uri(&parts.uri)?;
    let encodings = AcceptedEncodings::of(&parts.headers)?;
    // Pinned here, so that it is not copied from layer to layer.
    let making = pin!(making);
    let making = AssertUnwindSafe(making).catch_unwind();
    let (made, permit) = limits.enforce(limits.client(&parts.headers, &parts.extensions), making).await?;
    let response = made.map_err(|panic| access.span().in_scope(|| error::log_panic(&panic)))?;
    permit.settle(limits, &response)?;
    let response = encodings.apply(response).await;
    Ok(response.map(|body| Body::new(HeldBody::new(body, permit))))
}
