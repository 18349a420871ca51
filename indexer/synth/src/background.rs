//! Writing a file on a thread of its own, so that compression does not hold up whoever makes the rows.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

use indexer::{Error, Result};

/// How many pieces may wait.
const NUM_WAITING: usize = 2;

/// A thread that takes pieces of a file.
pub(crate) struct Background<'scope, T> {
    /// The file.
    path: PathBuf,
    /// Where the pieces go.
    sender: Option<SyncSender<T>>,
    /// The thread.
    thread: Option<ScopedJoinHandle<'scope, Result<()>>>,
}

impl<'scope, T: Send + 'scope> Background<'scope, T> {
    /// Starts the thread. It ends when there are no more pieces.
    pub(crate) fn start(
        scope: &'scope Scope<'scope, '_>,
        path: &Path,
        work: impl FnOnce(Receiver<T>) -> Result<()> + Send + 'scope,
    ) -> Self {
        let (sender, receiver) = sync_channel(NUM_WAITING);
        let thread = scope.spawn(move || work(receiver));
        Self { path: path.to_owned(), sender: Some(sender), thread: Some(thread) }
    }

    /// Hands over a piece.
    ///
    /// # Errors
    ///
    /// * The file cannot be written.
    pub(crate) fn send(&mut self, piece: T) -> Result<()> {
        if self.sender.as_ref().is_some_and(|sender| sender.send(piece).is_ok()) {
            return Ok(());
        }
        // The thread has gone, and knows why.
        self.finish()?;
        Err(Error::io("cannot write", &self.path)(io::Error::from(io::ErrorKind::BrokenPipe)))
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    ///
    /// * The file cannot be written.
    pub(crate) fn finish(&mut self) -> Result<()> {
        drop(self.sender.take());
        let Some(thread) = self.thread.take() else { return Ok(()) };
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn an_error_of_the_thread_comes_back() {
        let failed = |text: String| Error::io("cannot write", Path::new("file"))(io::Error::other(text));
        thread::scope(|scope| {
            let mut file = Background::start(scope, Path::new("file"), move |receiver: Receiver<u32>| {
                Err(failed(receiver.iter().take(2).sum::<u32>().to_string()))
            });
            let error = (0..100).find_map(|_| file.send(4).err()).expect("the thread ends");
            assert_eq!(error.to_string(), "cannot write file: 8");
        });
    }
}
