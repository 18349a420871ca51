//! The file of an export: complete or missing, and readable by its owner only.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

use crate::failure::Failure;

const WRITE_BUFFER_BYTES: usize = 128 << 10;

/// Lines without their line feeds.
pub(super) type Lines<'a> = &'a mut dyn Iterator<Item = Result<Vec<u8>, Failure>>;

/// Writes lines to a temporary file, compressed according to the extension, and renames it when it
/// is complete and on the disk. Returns the number of lines.
pub(super) fn write(path: &Path, lines: Lines<'_>) -> Result<u64, Failure> {
    let failure = |error: io::Error| Failure::Message(format!("cannot write {}: {error}", path.display()));
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        // The file would replace a device.
        return Err(Failure::Message(format!("{} is not a file: `-` writes to standard output", path.display())));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A temporary file is readable by its owner only: profiles are personal data.
    let file = NamedTempFile::new_in(folder).map_err(failure)?;
    let buffered = BufWriter::with_capacity(WRITE_BUFFER_BYTES, file);
    let (buffered, num_lines) = match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => {
            let (encoder, num) = write_lines(GzEncoder::new(buffered, Compression::default()), lines, failure)?;
            (encoder.finish().map_err(failure)?, num)
        }
        Some("zst") => {
            let encoder = zstd::Encoder::new(buffered, zstd::DEFAULT_COMPRESSION_LEVEL).map_err(failure)?;
            let (encoder, num) = write_lines(encoder, lines, failure)?;
            (encoder.finish().map_err(failure)?, num)
        }
        _ => write_lines(buffered, lines, failure)?,
    };
    let file = buffered.into_inner().map_err(|error| failure(error.into_error()))?;
    file.as_file().sync_all().map_err(failure)?;
    file.persist(path).map_err(|error| failure(error.error))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failure)?;
    Ok(num_lines)
}

/// Writes lines, and returns the writer and the number of lines.
fn write_lines<W: Write>(
    mut writer: W,
    lines: Lines<'_>,
    failure: impl Fn(io::Error) -> Failure,
) -> Result<(W, u64), Failure> {
    let mut num_lines = 0;
    for line in lines {
        let mut line = line?;
        line.push(b'\n');
        writer.write_all(&line).map_err(&failure)?;
        num_lines += 1;
    }
    Ok((writer, num_lines))
}
