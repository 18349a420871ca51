//! What an operation leaves in the audit log: a line, however it ends.

use std::panic;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use store::{Owner, Profile, ProfileReference};
use tracing::{Instrument, Span};

use super::audit::{self, Action, AuditLine};
use super::context::Context;
use super::problem::ProfileResult;
use crate::blocking::blocking;
use crate::limits::Permit;

/// What is known of an operation. The line is written when it is dropped; one that never ended has panicked.
pub(super) struct Trail {
    /// The request.
    context: Arc<Context>,
    /// What is asked for.
    action: Action,
    /// The profile, as far as it is known.
    profile: Option<ProfileReference>,
    /// Whom it belongs to, as far as it is known.
    pub(super) owner: Option<Owner>,
    /// The keys that are written, removed or searched by, as far as they are known.
    pub(super) keys: Vec<String>,
    /// What the operation came to.
    outcome: StatusCode,
}

impl Trail {
    /// Begins an operation.
    pub(super) fn new(context: &Arc<Context>, action: Action) -> Self {
        Self {
            context: Arc::clone(context),
            action,
            profile: None,
            owner: None,
            keys: Vec::new(),
            outcome: StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Notes which profile it is about.
    pub(super) fn concerns(&mut self, profile: &Profile) {
        self.profile = Some(profile.reference);
        self.owner = Some(profile.owner.clone());
    }

    /// Ends the operation: the line is written before the answer goes.
    pub(super) async fn end(self, result: ProfileResult) -> Response {
        let response = result.unwrap_or_else(IntoResponse::into_response);
        self.end_as(response.status()).await;
        response
    }

    /// Ends the operation with a status that is not told to the client as it is.
    pub(super) async fn end_as(mut self, outcome: StatusCode) {
        self.outcome = outcome;
        blocking(move || drop(self)).await;
    }
}

impl Drop for Trail {
    fn drop(&mut self) {
        self.context.services.audit.write(&AuditLine {
            time: audit::now(),
            actor: self.context.caller.claims.user.to_string(),
            action: self.action,
            profile: self.profile.map(|profile| profile.to_string()),
            owner: self.owner.as_ref().map(ToString::to_string),
            keys: &self.keys,
            outcome: self.outcome.as_u16(),
            request: &self.context.request_id,
        });
    }
}

/// Does something to its end, whether or not the client waits for it: what was begun is noted, and holds the place of its request until it is
/// done. A panic goes on in the caller.
pub(super) async fn to_the_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let work = work.instrument(Span::current());
    let task = match Permit::current() {
        Some(permit) => tokio::spawn(permit.scope(work)),
        None => tokio::spawn(work),
    };
    match task.await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(result) => result,
        Err(Ok(panic)) => panic::resume_unwind(panic),
        // The server stops, and this task with it.
        Err(Err(_)) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn work_goes_on_when_nobody_waits_for_it() {
        let (go, gone) = oneshot::channel::<()>();
        let (done, is_done) = oneshot::channel();
        let work = to_the_end(async move {
            gone.await.expect("sent");
            done.send(7).expect("awaited");
        });
        assert!(tokio::time::timeout(Duration::from_millis(10), work).await.is_err());
        go.send(()).expect("awaited");
        assert_eq!(is_done.await, Ok(7));
    }

    #[tokio::test]
    #[should_panic(expected = "broken")]
    async fn a_panic_goes_on() {
        to_the_end(async { panic!("broken") }).await;
    }
}
