//! Fetching a generation.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use metrics::counter;
use object_store::path::Path;
use object_store::{Error as ObjectError, ObjectStoreExt};
use sha2::{Digest, Sha256};
use store::{Receiving, available_bytes};

use super::journal::Journal;
use super::{FETCHED_BYTES, Follower};
use crate::blocking::blocking;
use crate::layout::{Chunk, Pointer, RemoteManifest, hexadecimal};
use crate::publish::Shelf;
use crate::{Error, Result};

/// Objects that are fetched at the same time.
const FETCHES_AT_ONCE: usize = 4;

/// What is written to the disk at once.
const WRITE_BYTES: usize = 1 << 20;

/// What must be left on the disk besides a new generation.
const MARGIN_BYTES: u64 = 64 << 20;

/// A chunk that has not arrived, and its file.
struct Piece {
    file: PathBuf,
    path: String,
    offset: u64,
    chunk: Chunk,
}

impl Follower {
    /// Fetches a generation and makes it current. What has arrived before is not fetched again.
    pub(super) async fn fetch(&self, pointer: &Pointer) -> Result<()> {
        let manifest = self.remote.manifest(self.shelf.kind.name(), pointer).await?;
        let Shelf { kind, generations } = self.shelf.clone();
        let (receiving, journal, pieces) = blocking(move || {
            let receiving = generations.receive(&kind, manifest.generation)?;
            let journal = Journal::open(&receiving.journal_path())?;
            let missing_bytes: u64 = missing(&manifest, &journal).map(|(.., chunk)| chunk.size_bytes).sum();
            let copied = manifest.files.iter().map(|file| (&*file.path, file.size_bytes));
            let needed_bytes = missing_bytes + kind.copied_bytes(copied) + MARGIN_BYTES;
            let available_bytes = available_bytes(&receiving.path())?;
            if available_bytes < needed_bytes {
                let (path, generation) = (generations.root().to_owned(), manifest.generation.to_string());
                return Err(Error::NoRoom { path, generation, available_bytes, needed_bytes });
            }
            let pieces = pieces(&receiving, &manifest, &journal)?;
            Ok((receiving, journal, (manifest.generation, manifest.size_bytes(), missing_bytes, pieces)))
        })
        .await?;
        let (generation, size_bytes, missing_bytes, pieces) = pieces;
        self.state.begin(generation, size_bytes - missing_bytes, size_bytes);
        tracing::info!(
            "{}/{generation}: {} objects are fetched, {missing_bytes} of {size_bytes} bytes",
            self.shelf.kind.name(),
            pieces.len()
        );
        let fetching = stream::iter(pieces).map(|piece| self.fetch_piece(piece, &journal));
        fetching.buffer_unordered(FETCHES_AT_ONCE).try_collect::<()>().await?;
        blocking(move || Ok(receiving.publish()?)).await?;
        Ok(())
    }

    /// Fetches a chunk. It counts once its SHA-256 is right.
    async fn fetch_piece(&self, piece: Piece, journal: &Journal) -> Result<()> {
        let Piece { file, path, offset, chunk } = piece;
        let object = chunk.path();
        let failed = || Error::remote("read", &object);
        let got = match self.remote.objects.get(&Path::from(&*object)).await {
            Err(ObjectError::NotFound { .. }) => {
                return Err(Error::refused(&object, format!("it is missing ({path})")));
            }
            got => got.map_err(failed())?,
        };
        let opened = blocking(move || {
            let opened = File::options().write(true).open(&file).map_err(store::Error::io("cannot open", &file))?;
            Ok((Arc::new(opened), file))
        });
        let (file, full_path) = opened.await?;
        let mut bytes = got.into_stream();
        let (mut sha256, mut num_read, mut unwritten) = (Sha256::new(), 0_u64, Vec::new());
        loop {
            let part = bytes.try_next().await.map_err(failed())?;
            let is_last = part.is_none();
            if let Some(part) = part {
                self.pacer.pass(part.len()).await;
                counter!(FETCHED_BYTES, "kind" => self.shelf.kind.name()).increment(part.len() as u64);
                self.state.fetched(part.len() as u64);
                sha256.update(&part);
                num_read += part.len() as u64;
                if num_read > chunk.size_bytes {
                    return Err(Error::refused(
                        &object,
                        format!("it is longer than the {} bytes published ({path})", chunk.size_bytes),
                    ));
                }
                unwritten.extend_from_slice(&part);
            }
            if unwritten.len() >= WRITE_BYTES || is_last && !unwritten.is_empty() {
                let (file, part) = (Arc::clone(&file), std::mem::take(&mut unwritten));
                let (at, full_path) = (offset + num_read - part.len() as u64, full_path.clone());
                let written = blocking(move || {
                    Ok(file.write_all_at(&part, at).map_err(store::Error::io("cannot write", &full_path))?)
                });
                written.await?;
            }
            if is_last {
                break;
            }
        }
        if num_read != chunk.size_bytes {
            return Err(Error::refused(&object, format!("it has {num_read} of {} bytes ({path})", chunk.size_bytes)));
        }
        if hexadecimal(&sha256.finalize()) != chunk.sha256 {
            return Err(Error::refused(&object, format!("it was altered: its SHA-256 is another ({path})")));
        }
        journal.add(&path, offset, &chunk)
    }
}

/// Returns the chunks that have not arrived.
fn missing<'a>(manifest: &'a RemoteManifest, journal: &'a Journal) -> impl Iterator<Item = (&'a str, u64, &'a Chunk)> {
    let chunks = manifest.chunks().map(|(file, offset, chunk)| (&*file.path, offset, chunk));
    chunks.filter(|(path, offset, chunk)| !journal.has(path, *offset, chunk))
}

/// Makes all files of a generation in their full length, and returns what they lack.
fn pieces(receiving: &Receiving, manifest: &RemoteManifest, journal: &Journal) -> Result<Vec<Piece>> {
    for file in &manifest.files {
        receiving.open(&file.path, file.size_bytes)?;
    }
    let folder = receiving.path();
    let pieces = missing(manifest, journal).map(|(path, offset, chunk)| {
        let (file, path, chunk) = (folder.join(path), path.to_owned(), chunk.clone());
        Piece { file, path, offset, chunk }
    });
    Ok(pieces.collect())
}
