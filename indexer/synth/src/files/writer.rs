//! Threads that compress and write files while the next rows are made.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

use flate2::Compression;
use flate2::write::GzEncoder;
use indexer::{Error, Result};

/// How many chunks may wait for a thread.
const NUM_WAITING: usize = 2;

/// The thread of a file, which takes chunks of lines. `None` when it has ended.
pub(crate) struct Writer<'scope>(Option<(SyncSender<String>, ScopedJoinHandle<'scope, Result<()>>)>);

impl<'scope> Writer<'scope> {
    /// Starts a thread that calls `write`, which returns when there are no more chunks or when it fails.
    pub(crate) fn start(
        scope: &'scope Scope<'scope, '_>,
        path: PathBuf,
        write: impl FnOnce(Receiver<String>) -> io::Result<()> + Send + 'scope,
    ) -> Self {
        let (sender, receiver) = sync_channel(NUM_WAITING);
        let thread = scope.spawn(move || write(receiver).map_err(Error::io("cannot write", &path)));
        Self(Some((sender, thread)))
    }

    pub(crate) fn send(&mut self, chunk: String) -> Result<()> {
        match &self.0 {
            Some((sender, _)) if sender.send(chunk).is_ok() => Ok(()),
            // The thread has failed, and returns why.
            _ => self.finish(),
        }
    }

    pub(crate) fn finish(&mut self) -> Result<()> {
        let Some((sender, thread)) = self.0.take() else { return Ok(()) };
        drop(sender);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Writes each chunk as a gzip member of its own, as in real releases.
pub(crate) fn write_gzip(file: File, chunks: Receiver<String>) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    for chunk in chunks {
        let mut encoder = GzEncoder::new(&mut file, Compression::fast());
        encoder.write_all(chunk.as_bytes())?;
        encoder.finish()?;
    }
    file.flush()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn an_error_of_the_thread_is_returned() {
        thread::scope(|scope| {
            let mut writer = Writer::start(scope, PathBuf::from("file"), |chunks| {
                Err(io::Error::other(chunks.iter().take(2).collect::<String>()))
            });
            let error = (0..100).find_map(|_| writer.send("4".to_owned()).err()).expect("the thread ends");
            assert_eq!(error.to_string(), "cannot write file: 44");
        });
    }
}
