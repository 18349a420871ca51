//! A thread that looks at something once a second.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::{Error, Result};

/// How long it is until the next look.
const INTERVAL: Duration = Duration::from_secs(1);

/// The thread. It ends when this is dropped.
pub(super) struct Watch {
    /// Dropped to end the thread.
    stop: Option<Sender<()>>,
    /// The thread.
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to look after what is in a folder.
    pub(super) fn start(name: &str, folder: &Path, mut look: impl FnMut() + Send + 'static) -> Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let watch = move || {
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                look();
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
            // What it looks at is free after that.
            let _ = thread.join();
        }
    }
}
