//! The file of an export: complete or missing, and readable by its owner only.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

use crate::failure::Failure;

const WRITE_BUFFER_BYTES: usize = 128 << 10;

enum Writer<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

/// Writes lines to a temporary file, which is renamed when it is complete and on the disk. Returns the number of lines.
pub(super) fn write(path: &Path, lines: impl Iterator<Item = store::Result<Vec<u8>>>) -> Result<u64, Failure> {
    let failure = |error: io::Error| Failure::Message(format!("cannot write {}: {error}", path.display()));
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        // A device would be replaced by the file.
        return Err(Failure::Message(format!("{} is not a file: `-` writes to standard output", path.display())));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A temporary file is readable by its owner only: profiles are personal data.
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
    /// The extension of the name tells the compression.
    fn new(path: &Path, file: W) -> io::Result<Self> {
        Ok(match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Self::Gzip(GzEncoder::new(file, Compression::default())),
            Some("zst") => Self::Zstd(zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            _ => Self::Plain(file),
        })
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.write_all(bytes),
            Self::Gzip(encoder) => encoder.write_all(bytes),
            Self::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(file) => Ok(file),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}
