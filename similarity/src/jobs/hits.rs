//! The hits of a job, in its folder.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use store::durable;

use super::folder::{Folder, HITS, NEW, create};
use crate::{Hit, Result, SearchError};

const OFFSETS: &str = "hits.offsets";
const OFFSET_BYTES: usize = size_of::<u64>();

/// The hits of a job, best first.
pub struct Hits {
    path: PathBuf,
    lines: BufReader<File>,
    line: Vec<u8>,
}

/// A file of hits that is being written, under another name until it is complete.
pub(super) struct NewHits {
    path: PathBuf,
    lines: BufWriter<File>,
    position: u64,
    offsets: Vec<u8>,
}

impl Folder {
    /// Opens the hits after the first `num_before`.
    pub(super) fn hits(&self, num_before: u64) -> Result<Option<Hits>> {
        let path = self.0.join(HITS);
        let offsets = self.0.join(OFFSETS);
        let opened = || {
            let (mut lines, offsets) = (File::open(&path)?, File::open(&offsets)?);
            let mut offset = [0; OFFSET_BYTES];
            // There are never that many, and the system does not support larger offsets.
            let position = num_before.min(u32::MAX.into()) * OFFSET_BYTES as u64;
            match offsets.read_exact_at(&mut offset, position) {
                Ok(()) => lines.seek(SeekFrom::Start(u64::from_le_bytes(offset)))?,
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => lines.seek(SeekFrom::End(0))?,
                Err(error) => return Err(error),
            };
            Ok(BufReader::new(lines))
        };
        let lines = durable::unless_missing(opened()).map_err(SearchError::io("cannot read", &path))?;
        Ok(lines.map(|lines| Hits { path, lines, line: Vec::new() }))
    }

    /// Starts to write hits.
    pub(super) fn new_hits(&self) -> Result<NewHits> {
        let path = self.0.join(format!("{HITS}{NEW}"));
        let lines = BufWriter::new(create(&path).map_err(SearchError::io("cannot create", &path))?);
        Ok(NewHits { path, lines, position: 0, offsets: Vec::new() })
    }

    /// Stores the hits that were written.
    pub(super) fn keep_hits(&self, NewHits { path, lines, offsets, .. }: NewHits) -> Result<()> {
        let kept = || {
            lines.into_inner()?.sync_all()?;
            fs::rename(&path, self.0.join(HITS))?;
            let mut file = create(&self.0.join(OFFSETS))?;
            file.write_all(&offsets)?;
            file.sync_all()
        };
        kept().map_err(SearchError::io("cannot write", &path))
    }
}

impl NewHits {
    pub(super) fn push(&mut self, hit: &Hit) -> Result<()> {
        self.offsets.extend_from_slice(&self.position.to_le_bytes());
        let mut line =
            serde_json::to_vec(hit).map_err(|error| SearchError::io("cannot write", &self.path)(error.into()))?;
        line.push(b'\n');
        self.position += line.len() as u64;
        self.lines.write_all(&line).map_err(SearchError::io("cannot write", &self.path))
    }
}

/// Returns a hit and its approximate size in bytes.
impl Iterator for Hits {
    type Item = Result<(Hit, usize)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.line.clear();
        let read = self.lines.read_until(b'\n', &mut self.line).and_then(|num_bytes| {
            let read = || Ok((serde_json::from_slice(&self.line)?, num_bytes));
            (num_bytes > 0).then(read).transpose()
        });
        read.map_err(SearchError::io("cannot read", &self.path)).transpose()
    }
}
