//! What an answer holds until it was sent.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;

use super::held_body::{Held, HeldBody};
use super::permit::Permit;

/// What an answer holds until the connection has taken the last byte of it or dropped it: an answer that its client does not read takes
/// memory all the while, and keeps its connection busy.
#[derive(Clone)]
pub(crate) struct UntilSent {
    pub(crate) permit: Option<Permit>,
    /// Keeps the connection busy.
    pub(crate) busy: Option<Arc<dyn Send + Sync>>,
}

impl UntilSent {
    pub(crate) fn hold(self, response: Response) -> Response {
        match self {
            Self { permit: None, busy: None } => response,
            held => response.map(|body| Body::new(HeldBody::new(body, held))),
        }
    }
}

impl Held for UntilSent {
    /// What a stream does while it is polled is done for its request.
    fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.permit {
            Some(permit) => permit.during(work),
            None => work(),
        }
    }
}
