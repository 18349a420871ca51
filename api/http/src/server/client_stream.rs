//! The bytes that a client sends and receives.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::connections::Connection;

/// The time for which bytes after the last answer are read.
const LINGER_MAX: Duration = Duration::from_secs(5);

/// A stream that passes one head or body at a time to the parser. If a client still sends after its
/// answer, its bytes are read for a while: if the connection were closed at once, the system would
/// reset it, and the client would lose the answer.
pub(super) struct ClientStream<S> {
    inner: S,
    connection: Arc<Connection>,
    /// Bytes that were read, and the position of the first one that was not passed on yet.
    ahead: (Vec<u8>, usize),
    lingering: Option<Pin<Box<Sleep>>>,
}

impl<S> ClientStream<S> {
    pub(super) fn new(inner: S, connection: Arc<Connection>) -> Self {
        Self { inner, connection, ahead: Default::default(), lingering: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Self { inner, connection, ahead: (ahead, given), .. } = self.get_mut();
        if *given < ahead.len() {
            let end = ahead.len().min(*given + buffer.remaining());
            let end = *given + connection.framing().advance(&mut ahead[*given..end]);
            buffer.put_slice(&ahead[*given..end]);
            *given = end;
            return Poll::Ready(Ok(()));
        }
        let start = buffer.filled().len();
        ready!(Pin::new(inner).poll_read(context, buffer))?;
        let read = &mut buffer.filled_mut()[start..];
        connection.count_header(read.len());
        let end = connection.framing().advance(read);
        (*ahead, *given) = (read[end..].to_vec(), 0);
        buffer.set_filled(start + end);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { inner, connection, lingering, .. } = self.get_mut();
        if lingering.is_none() {
            ready!(Pin::new(&mut *inner).poll_shutdown(context))?;
            if connection.framing().is_between_requests() {
                return Poll::Ready(Ok(()));
            }
        }
        let end = lingering.get_or_insert_with(|| Box::pin(tokio::time::sleep(LINGER_MAX)));
        let mut bytes = [0; 8 << 10];
        while end.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = ready!(Pin::new(&mut *inner).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
