//! Publishing the current generations of a data folder.

mod chunks;
mod retention;
mod upload;

use std::collections::HashSet;
use std::time::Duration;

use object_store::{Error as ObjectError, PutMode};
use store::{FileEntry, GenerationKind, GenerationName, Generations, unix_now_s};

use crate::layout::{Chunk, FORMAT, Pointer, RemoteManifest, manifest_path, pointer_path, sha256_text, to_json};
use crate::lease::Lease;
use crate::pace::Pacer;
use crate::remote::{Remote, Version};
use crate::signature::SigningKey;
use crate::{Error, Result};
use chunks::remote_files;
use upload::{Upload, missing, upload};

/// The longest object. Interrupted transfers continue with the first incomplete object.
const CHUNK_BYTES: u64 = 64 << 20;

/// The generations of one kind in a data folder.
#[derive(Clone, Debug)]
pub struct LocalGenerations {
    /// The kind.
    pub kind: GenerationKind,
    /// The folder of its generations.
    pub generations: Generations,
}

/// The settings of a publication.
#[derive(Clone, Debug)]
pub struct PublishConfig {
    /// The number of generations of a kind to keep, including the current one.
    pub keep: usize,
    /// The time for which superseded generations and unneeded objects are kept.
    pub grace: Duration,
    /// The maximum number of bytes uploaded per second, if limited.
    pub rate: Option<u64>,
    /// If set, reports the changes without making them.
    pub is_dry_run: bool,
    /// The longest object.
    pub chunk_bytes: u64,
    /// The key that signs publications.
    pub signing_key: Option<SigningKey>,
    /// If set, no other process publishes to the store, which then need not support conditional
    /// puts.
    pub is_single_publisher: bool,
}

impl Default for PublishConfig {
    fn default() -> Self {
        let grace = Duration::from_hours(24);
        Self {
            keep: 2,
            grace,
            rate: None,
            is_dry_run: false,
            chunk_bytes: CHUNK_BYTES,
            signing_key: None,
            is_single_publisher: false,
        }
    }
}

/// The changes that were made or, in a dry run, would be made.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The generations, each with its kind.
    pub published: Vec<Published>,
    /// The paths of the manifests that were removed.
    pub removed_generations: Vec<String>,
    /// The number of removed objects.
    pub num_removed_objects: usize,
    /// The size of the removed objects.
    pub removed_bytes: u64,
}

/// A generation that was published.
#[derive(Clone, Debug)]
pub struct Published {
    /// The name of the kind.
    pub kind: &'static str,
    /// The generation.
    pub generation: GenerationName,
    /// Its number in the order of publications.
    pub sequence: u64,
    /// `true` if it was current already.
    pub was_current: bool,
    /// The number of uploaded objects.
    pub num_uploaded_objects: usize,
    /// The size of the uploaded objects.
    pub uploaded_bytes: u64,
    /// The size of all objects of the generation.
    pub size_bytes: u64,
}

/// A generation to publish, and the pointer of the store when the run began.
struct Candidate<'a> {
    local: &'a LocalGenerations,
    name: GenerationName,
    files: Vec<FileEntry>,
    before: Option<(Pointer, Version)>,
}

/// Publishes the current generations of a data folder, one after another, and removes generations
/// and objects that are no longer needed.
///
/// If it is killed at any moment, the store keeps the generations that were published before; the
/// next run continues.
///
/// # Errors
///
/// * The generation does not exist or cannot be published.
/// * Another publisher is working, or was during this run.
/// * The store has no conditional puts, and other processes may publish to it.
/// * The store fails.
pub async fn publish(remote: &Remote, locals: &[LocalGenerations], config: &PublishConfig) -> Result<Report> {
    remote.check_writable()?;
    let mut candidates = Vec::new();
    for local in locals {
        if let Some(name) = local.generations.current()? {
            let files = local.generations.published_files(&local.kind, name)?;
            let before = remote.pointer(local.kind.name()).await?;
            candidates.push(Candidate { local, name, files, before });
        }
    }
    if candidates.is_empty() {
        return Err(Error::Nothing);
    }
    if config.is_dry_run {
        return publish_under(remote, None, &candidates, config).await;
    }
    let remote = &remote.with_conditions(config.is_single_publisher).await?;
    let lease = Lease::take(remote).await?;
    let published = publish_under(remote, Some(&lease), &candidates, config).await;
    let released = lease.release().await;
    published.and_then(|report| released.map(|()| report))
}

async fn publish_under(
    remote: &Remote,
    lease: Option<&Lease>,
    candidates: &[Candidate<'_>],
    config: &PublishConfig,
) -> Result<Report> {
    let mut report = Report::default();
    let mut needed = HashSet::new();
    let pacer = Pacer::new(config.rate);
    for candidate in candidates {
        let (published, chunks) = publish_one(remote, lease, candidate, &pacer, config).await?;
        report.published.push(published);
        needed.extend(chunks);
    }
    retention::remove_old(remote, lease, needed, config, &mut report).await?;
    Ok(report)
}

/// Publishes a generation, and returns its chunks, too.
async fn publish_one(
    remote: &Remote,
    lease: Option<&Lease>,
    candidate: &Candidate<'_>,
    pacer: &Pacer,
    config: &PublishConfig,
) -> Result<(Published, HashSet<Chunk>)> {
    let Candidate { local, name, before, .. } = candidate;
    let kind = local.kind.name();
    let current = before.as_ref().map(|(pointer, _)| pointer);
    let folder = local.generations.path(*name);
    if lease.is_some() {
        check_unmoved(remote, kind, before.as_ref()).await?;
    }
    let known = known_manifest(remote, candidate).await?;
    let has_signed = |pointer| config.signing_key.as_ref().is_none_or(|key| key.has_signed(kind, pointer));
    let was_current = known.is_some() && current.is_some_and(has_signed);
    let sequence = current.map_or(Some(1), |pointer| pointer.sequence.checked_add(u64::from(!was_current)));
    let sequence = sequence.ok_or_else(|| Error::refused(&pointer_path(kind), "no number is left after its own"))?;
    let files = match &known {
        Some(known) if was_current => known.files.clone(),
        _ => remote_files(&folder, &candidate.files, config.chunk_bytes).await?,
    };
    let mut manifest = RemoteManifest {
        format: FORMAT,
        kind: kind.to_owned(),
        generation: *name,
        sequence,
        published_unix_s: unix_now_s(),
        previous: current.map(|current| current.generation),
        files,
    };
    let uploads: Vec<Upload> = missing(remote, &folder, &manifest).await?;
    let published = Published {
        kind,
        generation: *name,
        sequence,
        was_current,
        num_uploaded_objects: uploads.len(),
        uploaded_bytes: uploads.iter().map(|upload| upload.chunk.size_bytes).sum(),
        size_bytes: manifest.size_bytes(),
    };
    let chunks = manifest.chunks().map(|(_, _, chunk)| chunk.clone()).collect();
    if let Some(lease) = lease {
        tracing::info!(
            "{kind}/{name}: {} of {} objects to upload, {} bytes",
            uploads.len(),
            manifest.chunks().count(),
            published.uploaded_bytes
        );
        upload(remote, uploads, pacer).await?;
        if !was_current {
            // The upload may have taken longer than the grace period, which begins now.
            manifest.published_unix_s = unix_now_s();
            let is_kept = known.is_some_and(|known| known.files == manifest.files);
            let manifest_sha256 = if let (Some(current), true) = (current, is_kept) {
                // Replicas may be reading it.
                current.manifest_sha256.clone()
            } else {
                let bytes = to_json(&manifest);
                let sha256 = sha256_text(&bytes);
                lease.hold(remote.write(&manifest_path(kind, *name), bytes)).await?;
                sha256
            };
            let (format, generation, signature) = (FORMAT, *name, None);
            let published_unix_s = manifest.published_unix_s;
            let mut next = Pointer { format, sequence, generation, manifest_sha256, published_unix_s, signature };
            next.signature = config.signing_key.as_ref().map(|key| key.sign(kind, &next));
            if next.signature.is_none() && current.is_some_and(|current| current.signature.is_some()) {
                tracing::warn!("{kind}: the last publication was signed, and this one is not");
            }
            switch(remote, lease, kind, before.as_ref(), &next).await?;
        }
    }
    Ok((published, chunks))
}

/// Returns the manifest of a generation that is current in the store. If this run's key has signed
/// it, the files need not be read again. A manifest that is missing or damaged is made again.
async fn known_manifest(remote: &Remote, candidate: &Candidate<'_>) -> Result<Option<RemoteManifest>> {
    let kind = candidate.local.kind.name();
    let is_known = |pointer: &Pointer| pointer.generation == candidate.name;
    let Some((pointer, _)) = candidate.before.as_ref().filter(|(pointer, _)| is_known(pointer)) else {
        return Ok(None);
    };
    let known = match remote.manifest(kind, pointer).await {
        Ok(known) => known,
        Err(Error::Refused { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let files = known.files.iter().map(|file| (&*file.path, file.size_bytes));
    Ok(files.eq(candidate.files.iter().map(|file| (&*file.path, file.size_bytes))).then_some(known))
}

/// Checks that no other publisher has published since this run began.
async fn check_unmoved(remote: &Remote, kind: &str, before: Option<&(Pointer, Version)>) -> Result<()> {
    let now = remote.pointer(kind).await?.map(|(pointer, _)| pointer);
    let is_unmoved = now.as_ref() == before.map(|(pointer, _)| pointer);
    if is_unmoved { Ok(()) } else { Err(Error::Moved { pointer: pointer_path(kind) }) }
}

/// Makes a generation current in the store, unless another publisher has published since this run
/// began.
async fn switch(
    remote: &Remote,
    lease: &Lease,
    kind: &str,
    before: Option<&(Pointer, Version)>,
    next: &Pointer,
) -> Result<()> {
    debug_assert!(before.is_none_or(|(pointer, _)| pointer.sequence < next.sequence), "the number only grows");
    let path = pointer_path(kind);
    let mode = before.map_or(PutMode::Create, |(_, version)| version.clone().into());
    match lease.hold(async { Ok(remote.put(&path, to_json(next), mode).await) }).await? {
        Ok(_) => Ok(()),
        Err(ObjectError::NotImplemented { .. }) => {
            check_unmoved(remote, kind, before).await?;
            lease.hold(remote.write(&path, to_json(next))).await
        }
        Err(ObjectError::Precondition { .. } | ObjectError::AlreadyExists { .. }) => {
            // A write whose answer was lost is repeated, and finds its own result.
            let now = remote.pointer(kind).await?.map(|(pointer, _)| pointer);
            if now.as_ref() == Some(next) { Ok(()) } else { Err(Error::Moved { pointer: path }) }
        }
        Err(error) => Err(Error::remote("write", &path)(error)),
    }
}

#[cfg(test)]
pub(crate) mod tests;
