//! A thread that wakes the committer when the engine forgets to.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::committer::Shared;
use super::database::WAKING_INTERVAL;
use crate::{Error, Result};

/// How long a commit may take. A disk that is asked to sync and does not answer for so long is as good as gone.
const PATIENCE: Duration = Duration::from_mins(1);

/// The engine writes in threads of its own. If a write fails, the committer may wait for it without being told: it would wait for ever, and all
/// clients with it. Where it cannot be woken, because such a thread ended, the clients at least are told. Ends when it is dropped.
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
            let mut stalled = None;
            while stopped.recv_timeout(WAKING_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                shared.database.wake_failed_flush();
                stalled = shared.durability.under_way().map(|commit| match stalled {
                    Some((same, since)) if same == commit => (commit, since),
                    _ => (commit, Instant::now()),
                });
                if stalled.is_some_and(|(_, since)| since.elapsed() > PATIENCE) {
                    shared.durability.fail(format!("the disk has not taken a commit for {} s", PATIENCE.as_secs()));
                }
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
