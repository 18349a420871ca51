//! What an operation leaves in the audit log: a line, however it ends.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use store::{Owner, Profile, ProfileReference};
use time::OffsetDateTime;
use tracing::{Instrument, Span};

use super::audit::{self, Action, AuditLine, OwnerReference};
use super::context::Context;
use super::problem::{ProfileProblem, ProfileResult};
use crate::joining::joined;
use crate::limits::Permit;

/// What is known of an operation. The line goes when it is dropped; what became of one that never ended is not known: it has panicked, or the
/// server has stopped.
pub(super) struct Trail {
    /// The request.
    context: Arc<Context>,
    /// What is asked for.
    action: Action,
    /// The profile, as far as it is known.
    pub(super) profile: Option<ProfileReference>,
    /// Whom it belongs to, as far as it is known.
    pub(super) owner: Option<Owner>,
    /// The keys that are written, removed or searched by, as far as they are known.
    pub(super) keys: Vec<String>,
    /// What the operation came to, once it has ended.
    outcome: Option<StatusCode>,
}

impl Trail {
    /// Begins an operation. From now on a server that stops waits for it.
    pub(super) fn new(context: &Arc<Context>, action: Action) -> Self {
        context.services.audit.begin();
        Self { context: Arc::clone(context), action, profile: None, owner: None, keys: Vec::new(), outcome: None }
    }

    /// Notes which profile it is about.
    pub(super) fn concerns(&mut self, profile: &Profile) {
        self.profile = Some(profile.reference);
        self.owner = Some(profile.owner.clone());
    }

    /// Ends the operation.
    pub(super) fn end(self, result: ProfileResult) -> Response {
        match result {
            Ok(response) => {
                self.end_as(response.status());
                response
            }
            Err(problem) => {
                self.end_with(&problem);
                problem.into_response()
            }
        }
    }

    /// Ends the operation with a problem. Where what was asked for may have been done, nobody knows what became of it.
    pub(super) fn end_with(self, problem: &ProfileProblem) {
        if !(self.action.is_write() && problem.may_be_done()) {
            self.end_as(problem.status());
        }
    }

    /// Ends the operation with a status that is not told to the client as it is.
    pub(super) fn end_as(mut self, outcome: StatusCode) {
        self.outcome = Some(outcome);
    }
}

impl Drop for Trail {
    fn drop(&mut self) {
        // What is refused was not written, and must not fill the log.
        let is_refused = self.outcome.is_some_and(|outcome| !outcome.is_success());
        if is_refused && self.action.is_write() {
            self.keys.clear();
        }
        let (keys, more_keys) = audit::shown_keys(&self.keys);
        self.context.services.audit.end(&AuditLine {
            time: OffsetDateTime::now_utc(),
            actor: self.context.caller.claims.user,
            action: self.action,
            profile: self.profile,
            owner: self.owner.as_ref().map(OwnerReference),
            keys,
            more_keys,
            outcome: self.outcome.map(|outcome| outcome.as_u16()),
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
    joined(task).await
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
