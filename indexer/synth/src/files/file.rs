//! A file of a release, in order or shuffled. A thread compresses and writes it while the next rows
//! are made.

use std::fmt::{self, Write};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

use flate2::Compression;
use flate2::write::GzEncoder;
use indexer::{Error, Progress, Result, Sorter, Unit};

use crate::files::columns::Column;
use crate::files::parquet::{BATCH_ROWS, write_parquet};
use crate::random::mix;

/// The text of a gzip member.
const MEMBER_BYTES: usize = 1 << 20;

/// The number of chunks that may wait for a thread.
const NUM_WAITING: usize = 2;

pub(crate) struct TableFile<'scope> {
    pub(crate) name: &'static str,
    pub(crate) num_rows: u64,
    /// The number of lines, which exceeds that of rows if FASTA records have several lines.
    num_lines: u64,
    is_parquet: bool,
    writer: Writer<'scope>,
    /// The lines that were not handed to the writer yet.
    chunk: String,
    num_chunk_rows: usize,
    /// Shuffles rows by hashes of a stream.
    shuffle: Option<(Sorter, u64)>,
}

impl<'scope> TableFile<'scope> {
    /// Creates a Parquet file if columns are given, otherwise a gzip file.
    pub(crate) fn create(
        scope: &'scope Scope<'scope, '_>,
        folder: &Path,
        name: &'static str,
        columns: Option<Vec<Column>>,
        shuffle: Option<(Sorter, u64)>,
    ) -> Result<Self> {
        let path = folder.join(name);
        let file = File::create_new(&path).map_err(Error::io("cannot create", &path))?;
        let is_parquet = columns.is_some();
        let writer = Writer::start(scope, path, move |chunks| match columns {
            Some(columns) => write_parquet(file, &columns, chunks),
            None => write_gzip(file, chunks),
        });
        Ok(Self {
            name,
            num_rows: 0,
            num_lines: 0,
            is_parquet,
            writer,
            chunk: String::new(),
            num_chunk_rows: 0,
            shuffle,
        })
    }

    /// Appends a row, and returns the number of its first line, 1-based.
    pub(crate) fn write(&mut self, row: fmt::Arguments) -> Result<u64> {
        let first_line = self.num_lines + 1;
        let start = self.chunk.len();
        writeln!(self.chunk, "{row}").expect("memory");
        self.num_lines += self.chunk[start..].matches('\n').count() as u64;
        if let Some((sorter, stream)) = &mut self.shuffle {
            sorter.push(mix(*stream, self.num_rows), self.chunk.as_bytes())?;
            self.chunk.clear();
        } else {
            self.end_row()?;
        }
        self.num_rows += 1;
        Ok(first_line)
    }

    /// Hands the chunk to the writer if it is large enough.
    fn end_row(&mut self) -> Result<()> {
        self.num_chunk_rows += 1;
        let is_full =
            if self.is_parquet { self.num_chunk_rows == BATCH_ROWS } else { self.chunk.len() >= MEMBER_BYTES };
        if is_full {
            self.num_chunk_rows = 0;
            self.writer.send(std::mem::take(&mut self.chunk))?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        if let Some((sorter, _)) = self.shuffle.take() {
            let mut rows = sorter.finish()?;
            let progress = Progress::start("shuffling", Unit::Rows, self.num_rows);
            let mut row = Vec::new();
            while rows.next(&mut row)?.is_some() {
                self.chunk.push_str(&String::from_utf8_lossy(&row));
                self.end_row()?;
                progress.add(1);
            }
            progress.finish();
        }
        // The last chunk may be empty: a gzip file has at least one member.
        self.writer.send(self.chunk)?;
        self.writer.finish()
    }
}

/// The thread of a file, which receives chunks of lines. `None` once it has ended.
struct Writer<'scope>(Option<(SyncSender<String>, ScopedJoinHandle<'scope, Result<()>>)>);

impl<'scope> Writer<'scope> {
    /// Starts a thread that calls `write`, which returns when there are no more chunks or when it
    /// fails.
    fn start(
        scope: &'scope Scope<'scope, '_>,
        path: PathBuf,
        write: impl FnOnce(Receiver<String>) -> io::Result<()> + Send + 'scope,
    ) -> Self {
        let (sender, receiver) = sync_channel(NUM_WAITING);
        let thread = scope.spawn(move || write(receiver).map_err(Error::io("cannot write", &path)));
        Self(Some((sender, thread)))
    }

    fn send(&mut self, chunk: String) -> Result<()> {
        match &self.0 {
            Some((sender, _)) if sender.send(chunk).is_ok() => Ok(()),
            // The thread has failed, and returns the error.
            _ => self.finish(),
        }
    }

    fn finish(&mut self) -> Result<()> {
        let Some((sender, thread)) = self.0.take() else { return Ok(()) };
        drop(sender);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Writes each chunk as a gzip member of its own, as in real releases.
fn write_gzip(file: File, chunks: Receiver<String>) -> io::Result<()> {
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
