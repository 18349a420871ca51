//! A thread that checks a condition once a second.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use store::{Error, Result};

const INTERVAL: Duration = Duration::from_secs(1);

/// The thread. It ends when this is dropped.
pub(super) struct Watch {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts the thread, for the store in a folder.
    pub(super) fn start(name: &str, folder: &Path, mut check: impl FnMut() + Send + 'static) -> Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let watch = move || {
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                check();
            }
        };
        let thread = thread::Builder::new().name(name.to_owned()).spawn(watch);
        let thread = thread.map_err(Error::io("cannot start a thread for", folder))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // All objects to which it refers are released by then.
            let _ = thread.join();
        }
    }
}
