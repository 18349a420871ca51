//! A thread that wakes the committer when the engine forgets to.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::committer::Shared;
use crate::{Error, Result};

/// How long it is slept between two looks.
const STEP: Duration = Duration::from_secs(1);

/// The engine writes in threads of its own. If a write fails, the committer may wait for it without being told: it would wait for ever, and all
/// clients with it. Ends when it is dropped.
pub(super) struct StallWatch {
    /// Dropped to end the thread.
    stop: Option<Sender<()>>,
    /// The thread.
    thread: Option<JoinHandle<()>>,
}

impl StallWatch {
    /// Starts to watch.
    pub(super) fn start(shared: Arc<Shared>) -> Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let path = shared.folder.root().to_owned();
        let watch = move || {
            while stopped.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
                shared.database.wake_failed_flush();
            }
        };
        let thread = thread::Builder::new().name("profiles-watch".into()).spawn(watch);
        let thread = thread.map_err(Error::io("cannot start a thread for", &path))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for StallWatch {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // It holds the database, which is free after that.
            let _ = thread.join();
        }
    }
}
