//! Where the lines of the audit log go.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Who may read a file that is made: its owner.
const FILE_MODE: u32 = 0o600;

/// An opened file, or standard output.
pub(super) struct Output {
    /// What takes the bytes.
    writer: Box<dyn Write + Send>,
    /// Whether a part of a line may be at the end.
    is_torn: bool,
    /// The file whose end is to be looked at once more.
    unread: Option<PathBuf>,
}

impl Output {
    /// Writes to something that ends with a whole line.
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        Self { writer: Box::new(writer), is_torn: false, unread: None }
    }

    /// Opens a file to append to, which is made if need be.
    ///
    /// # Errors
    ///
    /// * It cannot be written.
    pub(super) fn to_file(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).mode(FILE_MODE).open(path)?;
        let is_torn = is_torn(&file, path)?;
        Ok(Self { is_torn, unread: Some(path.to_owned()), ..Self::new(file) })
    }

    /// Appends a line in one write, where the system does not split it. What a full disk has cut off ends before the next line.
    pub(super) fn append(&mut self, line: &[u8]) -> io::Result<()> {
        // Lines may have gone to the same file until this became the output.
        if let Some(path) = self.unread.take() {
            self.is_torn = File::open(&path).and_then(|file| is_torn(&file, &path)).unwrap_or(self.is_torn);
        }
        let was_torn = std::mem::replace(&mut self.is_torn, true);
        if was_torn {
            self.writer.write_all(&[b"\n", line].concat())?;
        } else {
            self.writer.write_all(line)?;
        }
        self.writer.flush()?;
        self.is_torn = false;
        Ok(())
    }
}

/// Tells whether the last line of a file was cut off.
fn is_torn(file: &File, path: &Path) -> io::Result<bool> {
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    File::open(path)?.read_exact_at(&mut last, metadata.len() - 1)?;
    Ok(last != *b"\n")
}
