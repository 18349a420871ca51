//! The way of a request to a service that only reads: limits, the answer, its encoding.

use std::panic::{self, AssertUnwindSafe};

use axum::http::request::Parts;
use axum::response::Response;
use futures_util::FutureExt;

use super::access::{Access, RouteLabel};
use super::compression::AcceptedEncodings;
use super::door::Passing;
use super::error::{self, Problem};
use super::limits::{Limits, Permit};

/// The answer of a service.
pub(crate) struct Answered {
    pub(crate) response: Response,
    pub(crate) route: RouteLabel,
    /// The permit of the request, which the answer must hold until it was sent.
    pub(crate) permit: Option<Permit>,
}

/// Answers a request within the limits, and compresses the answer as the client wants it. If the request goes beyond a limit, if the client
/// accepts no encoding of ours, or if the answer was not made in time, the answer says so in the shape that `refuse` gives it.
pub(crate) async fn answer<'a>(
    limits: &Limits,
    parts: &Parts,
    access: Access,
    begin: impl FnOnce() -> Passing<'a, Response>,
    refuse: impl FnOnce(Problem) -> Response,
) -> (Response, Option<Permit>) {
    match try_answer(limits, parts, access, begin).await {
        Ok((response, permit)) => (response, Some(permit)),
        Err(problem) => (refuse(problem), None),
    }
}

async fn try_answer<'a>(
    limits: &Limits,
    parts: &Parts,
    access: Access,
    begin: impl FnOnce() -> Passing<'a, Response>,
) -> Result<(Response, Permit), Problem> {
    limits.check_uri(&parts.uri)?;
    let encodings = AcceptedEncodings::of(&parts.headers)?;
    let permit = limits.permit(&parts.headers, &parts.extensions)?;
    let made = match panic::catch_unwind(AssertUnwindSafe(|| permit.during(begin))) {
        Ok(Passing::Done(response)) => Ok(response),
        Ok(Passing::Elsewhere(making)) => {
            limits.in_time(permit.clone(), AssertUnwindSafe(making).catch_unwind()).await?
        }
        Err(panic) => Err(panic),
    };
    let response = made.map_err(|panic| access.span().in_scope(|| error::log_panic(&panic)))?;
    permit.settle(limits, &response)?;
    if !encodings.may_change(&response) {
        return Ok((response, permit));
    }
    let response = limits.in_time(permit.clone(), encodings.apply(response)).await??;
    permit.settle_compressed(&response);
    Ok((response, permit))
}
