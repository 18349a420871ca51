//! Bodies that hold something until they were sent.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

/// What a body may hold: each piece of it has a clone of its own.
pub(crate) trait Held: Clone + Send + Sync + Unpin + 'static {
    fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        work()
    }
}

/// A body that holds something, as does each piece of it until the connection has written it.
pub(crate) struct HeldBody<H> {
    body: Body,
    held: H,
}

struct HeldBytes<H> {
    bytes: Bytes,
    _held: H,
}

impl<H: Held> HeldBody<H> {
    pub(crate) fn new(body: Body, held: H) -> Self {
        Self { body, held }
    }
}

impl<H> AsRef<[u8]> for HeldBytes<H> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<H: Held> HttpBody for HeldBody<H> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let held = self.held.clone();
        let polled = held.during(|| Pin::new(&mut self.body).poll_frame(context));
        polled.map_ok(|frame| frame.map_data(|bytes| Bytes::from_owner(HeldBytes { bytes, _held: held })))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
