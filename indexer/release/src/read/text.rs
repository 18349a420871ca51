//! Lines of the text files of a table, one file after another.

use std::io::Read;

use indexer::lines::{LineBatch, LineReader};
use indexer::{Error, Input, Result};

use super::BytesRead;
use super::layout::{ReleaseFile, TableInput};

pub(super) enum Step {
    /// Some lines of a file, by its position in the run.
    Lines(u16, LineBatch),
    EndOfFile,
    EndOfTable,
}

pub(super) struct TextFiles {
    files: std::vec::IntoIter<ReleaseFile>,
    line_bytes_max: usize,
    current: Option<(ReleaseFile, LineReader<Box<dyn Read + Send>>)>,
    bytes_read: BytesRead,
}

impl TextFiles {
    pub(super) fn open(input: &TableInput, line_bytes_max: usize, bytes_read: &BytesRead) -> Result<Self> {
        for file in &input.files {
            std::fs::File::open(&file.path).map_err(|source| Error::reading(file.name(), 0, source))?;
        }
        let (files, bytes_read) = (input.files.clone().into_iter(), BytesRead::clone(bytes_read));
        Ok(Self { files, line_bytes_max, current: None, bytes_read })
    }

    pub(super) fn next(&mut self) -> Result<Step> {
        let (file, reader) = if let Some(current) = &mut self.current {
            current
        } else {
            let Some(file) = self.files.next() else { return Ok(Step::EndOfTable) };
            let opened = Input::Path(file.path.clone()).open(&self.bytes_read, file.sum.as_ref());
            let opened = opened.map_err(|source| Error::reading(file.name(), 0, source))?;
            self.current.insert((file, LineReader::with_limit(opened, self.line_bytes_max)))
        };
        let lines = reader.next_batch().map_err(|source| Error::reading(file.name(), reader.num_lines(), source))?;
        let position = file.position;
        if lines.is_none() {
            self.current = None;
        }
        Ok(lines.map_or(Step::EndOfFile, |lines| Step::Lines(position, lines)))
    }
}
