//! The received chunks of a generation, so that an interrupted attempt is continued.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use store::durable::unless_missing;

use crate::Result;
use crate::layout::{Chunk, RemoteFile};

/// One line for each chunk. The last line may be torn.
pub(super) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    arrived: HashSet<String>,
}

impl Journal {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let cannot = |action| store::Error::io(action, path);
        let text = unless_missing(fs::read_to_string(path)).map_err(cannot("cannot read"))?.unwrap_or_default();
        let lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let arrived = lines.map(str::to_owned).collect();
        let mut file = File::options().create(true).append(true).open(path).map_err(cannot("cannot open"))?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(cannot("cannot write"))?;
        }
        Ok(Self { path: path.to_owned(), file: Mutex::new(file), arrived })
    }

    pub(super) fn has(&self, path: &str, offset: u64, chunk: &Chunk) -> bool {
        self.arrived.contains(&line(path, offset, chunk))
    }

    /// Returns whether any chunk of a file was received.
    pub(super) fn has_any(&self, file: &RemoteFile) -> bool {
        lines(file).any(|line| self.arrived.contains(&line))
    }

    /// Returns whether all chunks of a file were received.
    pub(super) fn has_all(&self, file: &RemoteFile) -> bool {
        lines(file).all(|line| self.arrived.contains(&line))
    }

    pub(super) fn add(&self, path: &str, offset: u64, chunk: &Chunk) -> Result<()> {
        self.write(&format!("{}\n", line(path, offset, chunk)))
    }

    /// Adds all chunks of a file at once.
    pub(super) fn add_all(&mut self, file: &RemoteFile) -> Result<()> {
        self.write(&lines(file).map(|line| line + "\n").collect::<String>())?;
        self.arrived.extend(lines(file));
        Ok(())
    }

    fn write(&self, lines: &str) -> Result<()> {
        let mut file = store::lock(&self.file);
        Ok(file.write_all(lines.as_bytes()).map_err(store::Error::io("cannot write", &self.path))?)
    }
}

fn lines(file: &RemoteFile) -> impl Iterator<Item = String> {
    file.placed_chunks().map(|(offset, chunk)| line(&file.path, offset, chunk))
}

fn line(path: &str, offset: u64, chunk: &Chunk) -> String {
    format!("{} {offset} {path}", chunk.sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torn_lines_are_ignored() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("journal");
        let chunk = Chunk { sha256: "ab".repeat(32), size_bytes: 1 };
        let journal = Journal::open(&path).expect("new");
        journal.add("a", 0, &chunk).expect("writable");
        journal.add("b", 7, &chunk).expect("writable");
        let text = fs::read_to_string(&path).expect("there");
        fs::write(&path, &text[..text.len() - 1]).expect("writable");
        let journal = Journal::open(&path).expect("there");
        assert!(journal.has("a", 0, &chunk) && !journal.has("b", 7, &chunk) && !journal.has("a", 7, &chunk));
        journal.add("c", 0, &chunk).expect("writable");
        assert!(Journal::open(&path).expect("there").has("c", 0, &chunk));
    }
}
