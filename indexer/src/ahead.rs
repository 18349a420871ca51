//! Work that another thread does ahead.

use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::thread::{self, JoinHandle};

use crate::{Error, Result};

/// The number of values that may wait.
const WAITING_MAX: usize = 2;

/// Starts a thread. Its name says what it does.
///
/// # Errors
///
/// * The thread cannot be started.
pub(crate) fn spawn<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>> {
    let started = thread::Builder::new().name(name.to_owned()).spawn(work);
    started.map_err(|source| Error::Thread { name: name.to_owned(), source })
}

/// Values that another thread makes while this one uses those before. The thread ends before this
/// is dropped.
pub struct Ahead<T> {
    values: Receiver<T>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl<T: Send + 'static> Ahead<T> {
    /// Starts the thread, which calls `make` until it returns `None` or an error. Its name says
    /// what it does.
    ///
    /// # Errors
    ///
    /// * The thread cannot be started.
    pub fn start(name: &str, mut make: impl FnMut() -> Result<Option<T>> + Send + 'static) -> Result<Self> {
        let (sender, values) = sync_channel(WAITING_MAX);
        let work = move || {
            // Nobody receives any more if this is dropped.
            while let Some(value) = make()?
                && sender.send(value).is_ok()
            {}
            Ok(())
        };
        Ok(Self { values, thread: Some(spawn(name, work)?) })
    }

    /// Returns the next value, or `None` at the end.
    ///
    /// # Errors
    ///
    /// * Those of `make`.
    pub fn receive(&mut self) -> Result<Option<T>> {
        if let Ok(value) = self.values.recv() {
            return Ok(Some(value));
        }
        let ended = self.thread.take().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        ended.transpose().map(|_| None)
    }
}

impl<T> Drop for Ahead<T> {
    fn drop(&mut self) {
        // The thread ends once nobody receives any more.
        drop(mem::replace(&mut self.values, channel().1));
        drop(self.thread.take().map(JoinHandle::join));
    }
}
