//! The entry of an operation in the audit log, regardless of how it ends.

use std::sync::Arc;

use api_http::blocking::joined;
use api_http::limits::Permit;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use store::{Owner, ProfileReference};
use store_profiles::{Authority, Profile, ProfileFault, ProfileWrite, Refusal, WriteResult};
use time::OffsetDateTime;
use tracing::{Instrument, Span};

use super::{Action, AuditLine};
use crate::context::Context;
use crate::problem::{ProfileProblem, ProfileResult};

/// An operation with a body and an entry in the audit log.
pub(crate) type Auditing = for<'a> fn(&'a Arc<Context>, Body, &'a mut AuditEntry) -> BoxFuture<'a, ProfileResult>;

/// The entry of an operation. Dropping it writes the line. An operation that never ended, because
/// it panicked or the server stopped, has an unknown outcome.
pub(crate) struct AuditEntry {
    context: Arc<Context>,
    pub(crate) action: Action,
    /// If known.
    pub(crate) profile: Option<ProfileReference>,
    /// If known.
    pub(crate) owner: Option<Owner>,
    /// The known keys of attributes that are written, removed or searched by.
    pub(crate) keys: Vec<String>,
    outcome: Option<StatusCode>,
    /// `true` if something may have been written, even if the answer says otherwise.
    is_unknown: bool,
}

impl AuditEntry {
    /// Begins an operation. A server that stops waits for it.
    pub(crate) fn new(context: &Arc<Context>, action: Action) -> Self {
        context.services.audit.begin();
        let context = Arc::clone(context);
        Self { context, action, profile: None, owner: None, keys: Vec::new(), outcome: None, is_unknown: false }
    }

    pub(crate) fn set_subject(&mut self, profile: &Profile) {
        self.profile = Some(profile.reference);
        self.owner = Some(profile.owner.clone());
    }

    /// Writes the profile of the owner, as long as the caller is permitted to, and records its
    /// reference.
    pub(crate) async fn write(&mut self, write: ProfileWrite, seen: Option<Profile>) -> WriteResult {
        let (context, action, keys) = (Arc::clone(&self.context), self.action, self.keys.clone());
        let authority = RequestAuthority { context, action, owner: self.owner.clone(), keys };
        let written = self.context.writable_profiles()?.write(write, seen, Arc::new(authority)).await;
        match &written {
            Ok(profile) => self.set_subject(profile),
            Err(ProfileFault::Refused(Refusal::Exists(profile))) => self.profile = Some(*profile),
            Err(_) => {}
        }
        written
    }

    /// Records a write that was not acknowledged, and returns the answer. If the store fails in the
    /// middle of a write, the outcome is unknown.
    pub(crate) fn write_failed(&mut self, fault: ProfileFault) -> ProfileProblem {
        self.is_unknown = match &fault {
            ProfileFault::Failed(error) => !matches!(error, store::Error::NoRoom { .. }),
            ProfileFault::Unknown(_) => true,
            ProfileFault::Refused(_) | ProfileFault::Overloaded | ProfileFault::Unavailable(_) => false,
        };
        if let (ProfileFault::Refused(Refusal::NotPermitted), Some(owner)) = (&fault, &self.owner)
            && let Err(problem) = self.context.authorise(self.action, owner)
        {
            return problem;
        }
        fault.into()
    }

    /// Ends the operation with an outcome that may differ from the status sent to the client.
    pub(crate) fn end(mut self, outcome: StatusCode) {
        self.outcome = Some(outcome);
    }
}

impl Drop for AuditEntry {
    fn drop(&mut self) {
        let outcome = self.outcome.filter(|_| !self.is_unknown);
        // A refused write changes no keys, and must not fill the log.
        if self.action.is_write() && outcome.is_some_and(|outcome| !outcome.is_success()) {
            self.keys.clear();
        }
        let line = line(&self.context, self.action, self.profile, self.owner.as_ref(), &self.keys, outcome);
        self.context.services.audit.end(line);
    }
}

/// The authority for a write of a request.
struct RequestAuthority {
    context: Arc<Context>,
    action: Action,
    owner: Option<Owner>,
    keys: Vec<String>,
}

impl Authority for RequestAuthority {
    fn permits(&self) -> bool {
        self.owner.as_ref().is_some_and(|owner| self.context.authorise(self.action, owner).is_ok())
    }

    fn audit_line(&self, profile: &Profile) -> Option<String> {
        let (reference, outcome) = (Some(profile.reference), Some(self.action.success()));
        Some(line(&self.context, self.action, reference, self.owner.as_ref(), &self.keys, outcome))
    }
}

fn line(
    context: &Context,
    action: Action,
    profile: Option<ProfileReference>,
    owner: Option<&Owner>,
    keys: &[String],
    outcome: Option<StatusCode>,
) -> String {
    let (keys, more_keys) = super::shown_keys(keys);
    let line = AuditLine {
        time: OffsetDateTime::now_utc(),
        actor: Some(context.caller.claims.user),
        action,
        profile,
        owner: owner.map(Owner::to_string),
        keys,
        more_keys,
        outcome: outcome.map(|outcome| outcome.as_u16()),
        request: &context.request_id,
    };
    line.text()
}

/// Runs an operation to its end even if the client leaves, and logs its outcome.
pub(crate) async fn audited(context: Arc<Context>, action: Action, body: Body, operation: Auditing) -> Response {
    let mut entry = AuditEntry::new(&context, action);
    run_to_end(async move {
        let response = operation(&context, body, &mut entry).await.unwrap_or_else(IntoResponse::into_response);
        entry.end(response.status());
        response
    })
    .await
}

/// Runs work to its end even if the client leaves, so that its outcome is logged. It holds the
/// permit of its request until then. A panic is resumed in the caller.
pub(crate) async fn run_to_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
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
    async fn work_continues_when_nobody_waits_for_it() {
        let (go, gone) = oneshot::channel::<()>();
        let (done, is_done) = oneshot::channel();
        let work = run_to_end(async move {
            gone.await.expect("sent");
            done.send(7).expect("awaited");
        });
        assert!(tokio::time::timeout(Duration::from_millis(10), work).await.is_err());
        go.send(()).expect("awaited");
        assert_eq!(is_done.await, Ok(7));
    }

    #[tokio::test]
    #[should_panic(expected = "broken")]
    async fn panics_are_resumed() {
        run_to_end(async { panic!("broken") }).await;
    }
}
