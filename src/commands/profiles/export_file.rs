//! The file of an export: whole or not there, and for its owner's eyes.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// How much is written at once.
const WRITE_BUFFER_BYTES: usize = 128 << 10;

/// A file that is being written, compressed or not.
enum Writer<W: Write> {
    /// As it is.
    Plain(W),
    /// As gzip.
    Gzip(GzEncoder<W>),
    /// As zstd.
    Zstd(zstd::Encoder<'static, W>),
}

/// Writes lines to a file beside, which takes its name when it is whole and on the disk. Returns how many there were.
pub(super) fn write(path: &Path, lines: impl Iterator<Item = store::Result<Vec<u8>>>) -> Result<u64, Failure> {
    let failure = |error: io::Error| Failure::Message(format!("cannot write {}: {error}", path.display()));
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        // A device would be replaced by the file.
        return Err(Failure::Message(format!("{} is no file: `-` writes to standard output", path.display())));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Readable by its owner alone: profiles tell names and addresses.
    let file = NamedTempFile::new_in(folder).map_err(failure)?;
    let buffered = BufWriter::with_capacity(WRITE_BUFFER_BYTES, file);
    let mut writer = Writer::new(path, buffered).map_err(failure)?;
    let mut num_lines = 0;
    for line in lines {
        let mut line = line?;
        line.push(b'\n');
        writer.write_all(&line).map_err(failure)?;
        num_lines += 1;
    }
    let buffered = writer.finish().map_err(failure)?;
    let file = buffered.into_inner().map_err(|error| failure(error.into_error()))?;
    file.as_file().sync_all().map_err(failure)?;
    file.persist(path).map_err(|error| failure(error.error))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failure)?;
    Ok(num_lines)
}

impl<W: Write> Writer<W> {
    /// Compresses as the end of the name says.
    fn new(path: &Path, file: W) -> io::Result<Self> {
        Ok(match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Self::Gzip(GzEncoder::new(file, Compression::default())),
            Some("zst") => Self::Zstd(zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            _ => Self::Plain(file),
        })
    }

    /// Writes all of some bytes.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.write_all(bytes),
            Self::Gzip(encoder) => encoder.write_all(bytes),
            Self::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    /// Ends the stream.
    fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(file) => Ok(file),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}
