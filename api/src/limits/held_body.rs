//! Bodies that hold the permit of their request.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

use super::permit::Permit;

/// A body that holds a permit, as does each piece of it until the connection has written it.
pub(super) struct HeldBody {
    /// The body.
    body: Body,
    /// The permit.
    permit: Permit,
}

/// A piece of a body with the permit.
struct HeldBytes {
    /// The piece.
    bytes: Bytes,
    /// The permit.
    _permit: Permit,
}

impl HeldBody {
    /// Makes a body hold a permit.
    pub(super) fn new(body: Body, permit: Permit) -> Self {
        Self { body, permit }
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

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let permit = self.permit.clone();
        // A stream works while it is polled.
        let polled = permit.clone().sync_scope(|| Pin::new(&mut self.body).poll_frame(context));
        let held = |bytes| Bytes::from_owner(HeldBytes { bytes, _permit: permit });
        polled.map_ok(|frame| frame.map_data(held))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
