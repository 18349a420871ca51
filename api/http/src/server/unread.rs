//! The rest of a request's body when its answer is made.
//!
//! An answer need not read the body: it may refuse the request before. The connection cannot be
//! used again until the rest is read, so a short rest is read. If the rest is long, the answer says
//! that the connection closes; otherwise, the client would only notice this at its next request.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Request, header};
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};

/// The most bytes that are read after an answer was made, and the most time that they may take.
const REST_BYTES_MAX: u64 = 64 << 10;
const REST_PATIENCE: Duration = Duration::from_millis(500);

/// A body that outlives the handler of its request.
#[derive(Clone)]
struct SharedBody(Arc<Mutex<Reading>>);

struct Reading {
    body: Incoming,
    is_read: bool,
}

/// The rest of a request's body.
pub(super) struct Rest {
    body: SharedBody,
    /// The client sends the body only once it is asked to.
    is_awaited: bool,
    /// The end of the body is known only by reading it, so that no other request follows.
    is_last: bool,
}

impl SharedBody {
    fn lock(&self) -> MutexGuard<'_, Reading> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpBody for SharedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let mut reading = self.lock();
        if reading.is_read {
            return Poll::Ready(None);
        }
        let polled = Pin::new(&mut reading.body).poll_frame(context);
        reading.is_read = matches!(polled, Poll::Ready(None)) || reading.body.is_end_stream();
        polled
    }

    fn is_end_stream(&self) -> bool {
        let reading = self.lock();
        reading.is_read || reading.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.lock().body.size_hint()
    }
}

impl Rest {
    /// Makes a request from the request on a connection, and returns it with the rest of its body,
    /// if it has one.
    pub(super) fn of(request: Request<Incoming>) -> (Request<Body>, Option<Self>) {
        if request.body().is_end_stream() {
            return (request.map(Body::new), None);
        }
        let is_awaited = request.headers().contains_key(header::EXPECT);
        let is_last = request.body().size_hint().exact().is_none();
        let (parts, body) = request.into_parts();
        let body = SharedBody(Arc::new(Mutex::new(Reading { body, is_read: false })));
        (Request::from_parts(parts, Body::new(body.clone())), Some(Self { body, is_awaited, is_last }))
    }

    /// Reads the rest, or lets the answer say that the connection closes.
    pub(super) async fn finish(mut self, mut response: Response) -> Response {
        let is_read = self.body.is_end_stream() || !self.is_awaited && self.read().await;
        if self.is_last || !is_read {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// Reads the rest if it is short and arrives soon, and returns whether it was read.
    async fn read(&mut self) -> bool {
        if self.body.size_hint().lower() > REST_BYTES_MAX {
            return false;
        }
        let reading = async {
            let mut left = REST_BYTES_MAX;
            while let Some(frame) = self.body.frame().await {
                let num_bytes = frame.ok()?.data_ref().map_or(0, Bytes::len);
                left = left.checked_sub(num_bytes as u64)?;
            }
            Some(())
        };
        matches!(tokio::time::timeout(REST_PATIENCE, reading).await, Ok(Some(())))
    }
}
