//! Fetching a generation.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use metrics::counter;
use sha2::{Digest, Sha256};
use store::{Receiving, available_bytes};

use super::journal::Journal;
use super::sharing::share;
use super::{FETCHED_BYTES, Follower};
use crate::blocking::blocking;
use crate::layout::{Chunk, Pointer, RemoteManifest, hexadecimal};
use crate::pace::LeastSpeed;
use crate::publish::LocalGenerations;
use crate::{Error, Result};

/// The number of objects fetched at the same time.
const FETCHES_AT_ONCE: usize = 4;

/// The number of bytes written to the disk at once.
const WRITE_BYTES: usize = 1 << 20;

/// A chunk that was not received yet, and its file.
struct Piece {
    file: PathBuf,
    path: String,
    offset: u64,
    chunk: Chunk,
}

/// The parts of a generation that were not received yet.
struct Outstanding {
    journal: Journal,
    room: Arc<Room>,
    pieces: Vec<Piece>,
    missing_bytes: u64,
    size_bytes: u64,
}

/// The disk to which a generation is fetched.
struct Room {
    folder: PathBuf,
    generation: String,
    /// The space that must stay free in addition to the fetched files: for copies of them, and for
    /// other writers.
    spare_bytes: u64,
}

impl Follower {
    /// Fetches a generation and makes it current. Parts that were received before are not fetched
    /// again. If the disk is too full, they are removed.
    pub(super) async fn fetch(&self, pointer: &Pointer) -> Result<()> {
        let manifest = Arc::new(self.remote.manifest(self.local.kind.name(), pointer).await?);
        let (own, margin_bytes, fetching) = (self.local.clone(), self.config.margin_bytes, Arc::clone(&manifest));
        let (receiving, outstanding) = blocking(move || {
            let receiving = own.generations.receive(&own.kind, fetching.generation)?;
            match prepare(&own, &receiving, &fetching, margin_bytes) {
                Ok(outstanding) => Ok((receiving, outstanding)),
                Err(error) => Err(give_back(receiving, error)),
            }
        })
        .await?;
        let Outstanding { journal, room, pieces, missing_bytes, size_bytes } = outstanding;
        self.state.begin(pointer.generation, size_bytes - missing_bytes, size_bytes);
        tracing::info!(
            "{}/{}: {} objects to fetch, {missing_bytes} of {size_bytes} bytes",
            self.local.kind.name(),
            pointer.generation,
            pieces.len()
        );
        let fetching = stream::iter(pieces).map(|piece| self.fetch_piece(piece, &journal, &room));
        let fetched = fetching.buffer_unordered(FETCHES_AT_ONCE).try_collect::<()>().await;
        blocking(move || match fetched {
            Ok(()) => {
                debug_assert!(is_whole(&manifest, &receiving), "a replica serves one whole generation");
                Ok(receiving.publish().map(drop)?)
            }
            Err(error) => Err(give_back(receiving, error)),
        })
        .await
    }

    /// Fetches a chunk. It counts once its SHA-256 is valid.
    async fn fetch_piece(&self, piece: Piece, journal: &Journal, room: &Arc<Room>) -> Result<()> {
        let Piece { file, path, offset, chunk } = piece;
        let object = chunk.path();
        let refused = |problem: String| Error::refused(&object, format_args!("{problem} ({path})"));
        let mut bytes = self.remote.open_object(&object).await?.into_stream();
        let opened = blocking(move || {
            let opened = File::options().write(true).open(&file).map_err(store::Error::io("cannot open", &file))?;
            Ok((Arc::new(opened), file))
        });
        let (file, full_path) = opened.await?;
        let (mut sha256, mut num_read, mut unwritten) = (Sha256::new(), 0_u64, Vec::new());
        let mut speed = LeastSpeed::new();
        loop {
            let part = speed.wait(bytes.try_next()).await.map_err(Error::remote("read", &object))?;
            let part = part.map_err(Error::remote("read", &object))?;
            let is_last = part.is_none();
            if let Some(part) = part {
                speed.count(part.len());
                self.pacer.pass(part.len()).await;
                counter!(FETCHED_BYTES, "kind" => self.local.kind.name()).increment(part.len() as u64);
                self.state.fetched(part.len() as u64);
                sha256.update(&part);
                num_read += part.len() as u64;
                if num_read > chunk.size_bytes {
                    return Err(refused(format!("it is longer than the {} bytes published", chunk.size_bytes)));
                }
                unwritten.extend_from_slice(&part);
            }
            if unwritten.len() >= WRITE_BYTES || is_last && !unwritten.is_empty() {
                let (file, part, room) = (Arc::clone(&file), std::mem::take(&mut unwritten), Arc::clone(room));
                let (at, full_path) = (offset + num_read - part.len() as u64, full_path.clone());
                let written = blocking(move || {
                    room.check(part.len() as u64)?;
                    Ok(file.write_all_at(&part, at).map_err(store::Error::io("cannot write", &full_path))?)
                });
                written.await?;
            }
            if is_last {
                break;
            }
        }
        if num_read != chunk.size_bytes {
            return Err(refused(format!("it has {num_read} of {} bytes", chunk.size_bytes)));
        }
        if hexadecimal(&sha256.finalize()) != chunk.sha256 {
            return Err(refused("it was altered: its SHA-256 differs".to_owned()));
        }
        journal.add(&path, offset, &chunk)
    }
}

impl Room {
    /// Refuses to write `num_bytes` if others would lack the space.
    fn check(&self, num_bytes: u64) -> Result<()> {
        let available_bytes = available_bytes(&self.folder)?;
        let needed_bytes = num_bytes.saturating_add(self.spare_bytes);
        if available_bytes >= needed_bytes {
            return Ok(());
        }
        let (path, generation) = (self.folder.clone(), self.generation.clone());
        Err(Error::NoRoom { path, generation, available_bytes, needed_bytes })
    }
}

/// Finds the missing parts of a generation, and creates all its files in their full length.
fn prepare(
    local: &LocalGenerations,
    receiving: &Receiving,
    manifest: &RemoteManifest,
    margin_bytes: u64,
) -> Result<Outstanding> {
    let mut journal = Journal::open(&receiving.journal_path())?;
    share(local, receiving, manifest, &mut journal)?;
    let copied_bytes = local.kind.copied_bytes(manifest.files.iter().map(|file| (&*file.path, file.size_bytes)));
    let room = Room {
        folder: local.generations.root().to_owned(),
        generation: manifest.generation.to_string(),
        spare_bytes: margin_bytes.saturating_add(copied_bytes),
    };
    let missing_bytes = missing(manifest, &journal).map(|(.., chunk)| chunk.size_bytes).sum();
    room.check(missing_bytes)?;
    for file in &manifest.files {
        receiving.open(&file.path, file.size_bytes)?;
    }
    let folder = receiving.path();
    let pieces = missing(manifest, &journal).map(|(path, offset, chunk)| {
        let (file, path, chunk) = (folder.join(path), path.to_owned(), chunk.clone());
        Piece { file, path, offset, chunk }
    });
    let pieces = pieces.collect();
    Ok(Outstanding { journal, room: Arc::new(room), pieces, missing_bytes, size_bytes: manifest.size_bytes() })
}

/// Removes the received parts if the disk is too full. Returns the reason why the generation is not
/// received now.
fn give_back(receiving: Receiving, error: Error) -> Error {
    match error.is_no_room().then(|| receiving.discard()) {
        Some(Err(failed)) => failed.into(),
        _ => error,
    }
}

/// Returns whether all chunks of a generation were received, as its journal says.
fn is_whole(manifest: &RemoteManifest, receiving: &Receiving) -> bool {
    Journal::open(&receiving.journal_path()).is_ok_and(|journal| missing(manifest, &journal).next().is_none())
}

/// Returns the chunks that were not received yet.
fn missing<'a>(manifest: &'a RemoteManifest, journal: &'a Journal) -> impl Iterator<Item = (&'a str, u64, &'a Chunk)> {
    let chunks = manifest.chunks().map(|(file, offset, chunk)| (&*file.path, offset, chunk));
    chunks.filter(|(path, offset, chunk)| !journal.has(path, *offset, chunk))
}
