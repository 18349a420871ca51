//! Lines of compressed files.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use indexer::{Error, Result};
use store::durable;

/// Writes lines.
pub(super) struct LineWriter {
    path: PathBuf,
    is_empty: bool,
    encoder: GzEncoder<BufWriter<File>>,
}

/// Reads lines.
pub(super) struct LineReader {
    path: PathBuf,
    decoder: BufReader<MultiGzDecoder<BufReader<File>>>,
    line: String,
}

/// Returns the path of a file of lines in a folder.
pub(super) fn path_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.jsonl.gz"))
}

impl LineWriter {
    pub(super) fn create(folder: &Path, name: &str) -> Result<Self> {
        let path = path_of(folder, name);
        let file = File::create(&path).map_err(Error::io("cannot create", &path))?;
        Ok(Self { path, is_empty: true, encoder: GzEncoder::new(BufWriter::new(file), Compression::default()) })
    }

    pub(super) fn write(&mut self, line: &str) -> Result<()> {
        self.is_empty = false;
        writeln!(self.encoder, "{line}").map_err(Error::io("cannot write", &self.path))
    }

    /// Ends the file, and waits until it is on the disk. Returns whether it has lines.
    pub(super) fn finish(self) -> Result<bool> {
        let file = self.encoder.finish().and_then(|file| Ok(file.into_inner()?));
        file.and_then(|file| file.sync_all()).map_err(Error::io("cannot write", &self.path))?;
        Ok(!self.is_empty)
    }
}

impl LineReader {
    pub(super) fn open(folder: &Path, name: &str) -> Result<Self> {
        let path = path_of(folder, name);
        let file = File::open(&path).map_err(Error::io("cannot open", &path))?;
        Ok(Self::new(path, file))
    }

    /// Opens a file, which is missing if it has no lines.
    pub(super) fn find(folder: &Path, name: &str) -> Result<Option<Self>> {
        let path = path_of(folder, name);
        let file = durable::unless_missing(File::open(&path)).map_err(Error::io("cannot open", &path))?;
        Ok(file.map(|file| Self::new(path, file)))
    }

    fn new(path: PathBuf, file: File) -> Self {
        let decoder = BufReader::new(MultiGzDecoder::new(BufReader::new(file)));
        Self { path, decoder, line: String::new() }
    }

    /// Returns the next line without its end, or `None` after the last one.
    pub(super) fn next(&mut self) -> Result<Option<&str>> {
        self.line.clear();
        self.decoder.read_line(&mut self.line).map_err(Error::io("cannot read", &self.path))?;
        Ok(self.line.strip_suffix('\n'))
    }
}
