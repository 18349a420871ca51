//! Cutting files into objects.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};
use store::FileEntry;

use crate::blocking::blocking;
use crate::layout::{Chunk, RemoteFile, hexadecimal};
use crate::{Error, Result};

/// The number of files that are read at the same time.
const FILES_AT_ONCE: usize = 4;

const BUFFER_BYTES: usize = 256 << 10;

/// Reads files, compares them with their checksums, and returns their chunks.
///
/// # Errors
///
/// * A file is damaged.
pub(super) async fn remote_files(folder: &Path, files: &[FileEntry], chunk_bytes: u64) -> Result<Vec<RemoteFile>> {
    let read = |file: &FileEntry| {
        let (folder, file) = (folder.to_owned(), file.clone());
        blocking(move || remote_file(&folder, &file, chunk_bytes))
    };
    let reading: Vec<_> = files.iter().map(read).collect();
    stream::iter(reading).buffered(FILES_AT_ONCE).try_collect().await
}

fn remote_file(folder: &Path, file: &FileEntry, chunk_bytes: u64) -> Result<RemoteFile> {
    let path = folder.join(&file.path);
    let cannot_read = |error: io::Error| Error::Store(store::Error::io("cannot read", &path)(error));
    let mut opened = File::open(&path).map_err(cannot_read)?;
    let (mut chunks, mut crc32, mut left) = (Vec::new(), crc32fast::Hasher::new(), file.size_bytes);
    let mut buffer = vec![0; BUFFER_BYTES];
    while left > 0 {
        let size_bytes = left.min(chunk_bytes);
        let (mut sha256, mut chunk_left) = (Sha256::new(), size_bytes);
        while chunk_left > 0 {
            let length = usize::try_from(chunk_left).unwrap_or(usize::MAX).min(buffer.len());
            opened.read_exact(&mut buffer[..length]).map_err(cannot_read)?;
            sha256.update(&buffer[..length]);
            crc32.update(&buffer[..length]);
            chunk_left -= length as u64;
        }
        chunks.push(Chunk { sha256: hexadecimal(&sha256.finalize()), size_bytes });
        left -= size_bytes;
    }
    if crc32.finalize() != file.crc32 {
        return Err(store::Error::altered(path, "the checksum of the file is wrong").into());
    }
    Ok(RemoteFile { path: file.path.clone(), size_bytes: file.size_bytes, chunks })
}
