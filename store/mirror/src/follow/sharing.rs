//! Files that the present generation has already: they are shared, and not fetched.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use sha2::{Digest, Sha256};
use store::Receiving;

use super::journal::Journal;
use crate::Result;
use crate::layout::{RemoteFile, RemoteManifest, hexadecimal};
use crate::publish::LocalGenerations;

const BUFFER_BYTES: usize = 256 << 10;

/// Shares the files that are the same as in the present generation. They must not be written to any
/// more: a file with some received chunks is not shared, unless it was shared before.
pub(super) fn share(
    local: &LocalGenerations,
    receiving: &Receiving,
    manifest: &RemoteManifest,
    journal: &mut Journal,
) -> Result<()> {
    let Some(present) = local.generations.current()? else { return Ok(()) };
    let (present, received) = (local.generations.path(present), receiving.path());
    for file in &manifest.files {
        if journal.has_all(file) {
            continue;
        }
        let was_shared = fs::metadata(received.join(&file.path)).is_ok_and(|metadata| metadata.nlink() > 1);
        let from = present.join(&file.path);
        if (was_shared || !journal.has_any(file)) && is_same(&from, file) {
            receiving.share(&file.path, &from)?;
            journal.add_all(file)?;
        } else if was_shared {
            let path = received.join(&file.path);
            fs::remove_file(&path).map_err(store::Error::io("cannot remove", &path))?;
        }
    }
    Ok(())
}

/// Returns whether a file on the disk equals that of a manifest, chunk by chunk. A file that cannot
/// be read does not.
fn is_same(path: &Path, file: &RemoteFile) -> bool {
    if fs::metadata(path).map_or(0, |metadata| metadata.len()) != file.size_bytes || file.chunks.is_empty() {
        return false;
    }
    let has_all = || -> io::Result<bool> {
        let mut opened = File::open(path)?;
        for chunk in &file.chunks {
            if sha256_of((&mut opened).take(chunk.size_bytes))? != chunk.sha256 {
                return Ok(false);
            }
        }
        Ok(true)
    };
    has_all().unwrap_or(false)
}

fn sha256_of(input: impl Read) -> io::Result<String> {
    let (mut input, mut sha256) = (BufReader::with_capacity(BUFFER_BYTES, input), Sha256::new());
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(hexadecimal(&sha256.finalize()));
        }
        sha256.update(bytes);
        let length = bytes.len();
        input.consume(length);
    }
}
