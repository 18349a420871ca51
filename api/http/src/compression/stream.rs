//! Compressing a stream while it is sent.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hyper::body::Frame;
use tokio::runtime::{Handle, RuntimeFlavor};

use crate::blocking::STREAM_PATIENCE;
use crate::limits::{Permit, TakenPlaces};

/// A compressed stream: each piece is compressed when it is the turn of its request. While a thread
/// compresses, other threads take over its remaining tasks.
///
/// No turn is held while the stream itself is polled, since its pieces need turns, too.
pub(super) struct CompressedStream {
    source: Body,
    /// The piece that the encoder reads next.
    slot: Slot,
    encoder: Body,
    /// Set while the encoder may have something to do.
    is_fed: bool,
    turn: Option<BoxFuture<'static, Option<TakenPlaces>>>,
}

type Piece = Option<Result<Frame<Bytes>, axum::Error>>;

/// A body that yields what was put into it, and ends when an end was put into it.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Option<Piece>>>);

impl HttpBody for Slot {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Piece> {
        let mut piece = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match piece.take() {
            // The end stays.
            Some(None) => {
                *piece = Some(None);
                Poll::Ready(None)
            }
            Some(piece) => Poll::Ready(piece),
            None => Poll::Pending,
        }
    }
}

impl HttpBody for CompressedStream {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Piece> {
        loop {
            if !self.is_fed {
                let piece = ready!(Pin::new(&mut self.source).poll_frame(context));
                *self.slot.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(piece);
                self.is_fed = true;
            }
            let _turn = match Permit::current() {
                Some(permit) => {
                    let wait = || async move { permit.turn(STREAM_PATIENCE).await }.boxed();
                    let turn = ready!(self.turn.get_or_insert_with(wait).as_mut().poll(context));
                    self.turn = None;
                    turn
                }
                None => None,
            };
            match self.compress(context) {
                Poll::Ready(compressed) => return Poll::Ready(compressed),
                Poll::Pending => self.is_fed = false,
            }
        }
    }
}

impl CompressedStream {
    /// Compresses a stream with an encoder that reads the slot.
    pub(super) fn new(source: Body, slot: Slot, encoder: Body) -> Self {
        Self { source, slot, encoder, is_fed: false, turn: None }
    }

    fn compress(&mut self, context: &mut Context<'_>) -> Poll<Piece> {
        let mut compress = || Pin::new(&mut self.encoder).poll_frame(context);
        match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(compress),
            _ => compress(),
        }
    }
}
