//! What an answer holds until it was sent.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::permit::Permit;

/// What an answer holds until the connection has taken the last byte of it or dropped it: an answer that its client does not read takes
/// memory all the while, and keeps its connection busy.
#[derive(Clone)]
pub(crate) struct UntilSent {
    pub(crate) permit: Option<Permit>,
    /// Keeps the connection busy.
    pub(crate) busy: Option<Arc<dyn Send + Sync>>,
}

/// A body that holds something, as does each piece of it until the connection has written it.
struct HeldBody {
    body: Body,
    held: UntilSent,
}

struct HeldBytes {
    bytes: Bytes,
    _held: UntilSent,
}

impl UntilSent {
    pub(crate) fn hold(self, response: Response) -> Response {
        match self {
            Self { permit: None, busy: None } => response,
            held => response.map(|body| Body::new(HeldBody { body, held })),
        }
    }
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    /// What a stream does while it is polled is done for its request.
    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let held = self.held.clone();
        let mut poll = || Pin::new(&mut self.body).poll_frame(context);
        let polled = match &held.permit {
            Some(permit) => permit.during(poll),
            None => poll(),
        };
        polled.map_ok(|frame| frame.map_data(|bytes| Bytes::from_owner(HeldBytes { bytes, _held: held })))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
