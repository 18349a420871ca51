//! Resources that an answer holds until it is sent.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::permit::Permit;

/// Resources that an answer holds until the connection has written or dropped its last byte: an
/// answer that its client does not read uses memory, and keeps its connection busy.
#[derive(Clone)]
pub struct ResponseGuard {
    /// The permit of the request.
    pub permit: Option<Permit>,
    /// Keeps the connection busy.
    pub busy: Option<Arc<dyn Send + Sync>>,
}

/// A body that holds a guard. Each piece of it holds the guard until the connection has written it.
struct GuardedBody {
    body: Body,
    guard: ResponseGuard,
}

struct GuardedBytes {
    bytes: Bytes,
    _guard: ResponseGuard,
}

impl ResponseGuard {
    /// Makes an answer hold the resources until it is sent.
    pub fn guard(self, response: Response) -> Response {
        match self {
            Self { permit: None, busy: None } => response,
            guard => response.map(|body| Body::new(GuardedBody { body, guard })),
        }
    }
}

impl AsRef<[u8]> for GuardedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl HttpBody for GuardedBody {
    type Data = Bytes;
    type Error = axum::Error;

    /// A stream works for its request while it is polled.
    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let guard = self.guard.clone();
        let mut poll = || Pin::new(&mut self.body).poll_frame(context);
        let polled = match &guard.permit {
            Some(permit) => permit.scope_sync(poll),
            None => poll(),
        };
        polled.map_ok(|frame| frame.map_data(|bytes| Bytes::from_owner(GuardedBytes { bytes, _guard: guard })))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
