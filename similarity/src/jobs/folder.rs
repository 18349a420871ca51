//! The folder of a job.
//!
//! ```text
//! ID/job.json      the selection, and the requesters
//! ID/query.json    the query
//! ID/run/          the engine is running, or was when the server ended
//! ID/hits.jsonl    the hits, of a job with a result
//! ID/hits.offsets  the offset of each of them, in 8 bytes, the lowest first
//! ID/done.json     the end of the job, written last
//! ```
//!
//! A folder without `done.json` waits, and one that has failed has no query. All are readable only
//! by their owner. Folders and files are created under other names, which are removed when the jobs
//! are opened.

use std::collections::HashMap;
use std::fs::{self, DirBuilder, DirEntry, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use store::durable;
use time::OffsetDateTime;
use uuid::Uuid;

use super::ended_jobs::EndedJob;
use super::order::{JobId, Scope};
use super::requester::Requester;
use crate::search::Found;
use crate::{Query, QueryKind, Result, SearchError};

const LOCK: &str = "LOCK";
pub(super) const NEW: &str = ".new";
const JOB: &str = "job.json";
const QUERY: &str = "query.json";
const RUN: &str = "run";
pub(super) const HITS: &str = "hits.jsonl";
const DONE: &str = "done.json";

/// The space for a requester of a job, on the disk and in memory.
const REQUESTER_BYTES: u64 = 1 << 10;

/// The unit in which the system reports the size of a file on the disk.
const BLOCK_BYTES: u64 = 512;

/// Permissions: queries may be unpublished.
const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// The stored data of an order, except its query, which may be long.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredOrder {
    pub(super) scope: Scope,
    pub(super) query_length: usize,
    pub(super) query_kind: QueryKind,
    /// The number of proteins that are selected.
    pub(super) count: u64,
    /// The requesters, the first one first. There is always at least one.
    #[serde(rename = "asked", default)]
    pub(super) requesters: Vec<Requester>,
}

/// The only requester of a job, as earlier versions stored it.
#[derive(Deserialize)]
struct EarlierRequester {
    #[serde(default)]
    client: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

/// The end of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) outcome: Outcome,
    #[serde(with = "time::serde::rfc3339")]
    pub(super) finished: OffsetDateTime,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Found(Found),
    Failed(String),
}

/// The jobs of a folder.
#[derive(Default)]
pub(super) struct All {
    /// Those without an end, the oldest first.
    pub(super) unfinished: Vec<(JobId, StoredOrder)>,
    /// The others, each with the time of its end or its last request.
    pub(super) ended: Vec<(JobId, OffsetDateTime, EndedJob)>,
    pub(super) requests: HashMap<Uuid, JobId>,
}

/// The folder of a job.
pub(super) struct Folder(pub(super) PathBuf);

impl StoredOrder {
    /// Returns the client in whose turn the job runs, and whose share of the space it uses.
    pub(super) fn client(&self) -> &str {
        &self.requesters[0].client
    }
}

impl Outcome {
    pub(super) fn failed(reason: &str) -> Self {
        Self::Failed(reason.to_owned())
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

/// Locks the jobs of a folder, which is created if it is missing.
pub(super) fn lock(root: &Path) -> Result<File> {
    let made = DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(root);
    made.map_err(SearchError::io("cannot create", root))?;
    let path = root.join(LOCK);
    let lock = create(&path).map_err(SearchError::io("cannot create", &path))?;
    durable::try_lock(lock, &path)?.ok_or_else(|| {
        let error = io::Error::new(ErrorKind::ResourceBusy, "another process runs the searches of this folder");
        SearchError::io("cannot use", root)(error)
    })
}

/// Returns all jobs, and removes unfinished files. A damaged folder is removed too. One that cannot
/// be read now is left for the next time.
pub(super) fn all(root: &Path) -> Result<All> {
    let mut all = All::default();
    // Earlier versions wrote files that others could read.
    if let Err(error) = make_private(root) {
        tracing::warn!("searches in {} may be readable by other users of this machine: {error}", root.display());
    }
    for path in paths(root)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(NEW) {
            durable::remove_folder(&path)?;
        }
        let Ok(id) = name.parse() else { continue };
        let folder = Folder(path);
        durable::remove_folder(&folder.0.join(RUN))?;
        match (folder.kept(), folder.done()) {
            (Ok(Some(kept)), Ok(done)) => {
                all.requests.extend(kept.requesters.iter().map(|requester| (requester.id, id)));
                if let Some(done) = done {
                    folder.forget_failed(&done.outcome)?;
                    let (time, end) = folder.end(&kept, Some(&done));
                    all.ended.push((id, time, end));
                } else {
                    all.unfinished.push((id, kept));
                }
            }
            (Err(error), _) | (_, Err(error)) if !matches!(error, SearchError::Store(store::Error::Altered { .. })) => {
                tracing::error!("search {id} is not shown: {error}");
            }
            _ => folder.remove()?,
        }
    }
    all.unfinished.sort_by_key(|(_, kept)| kept.requesters[0].created);
    Ok(all)
}

/// Removes the permissions of others for a file, or for a folder and its contents.
fn make_private(path: &Path) -> io::Result<()> {
    let Some(metadata) = durable::unless_missing(path.symlink_metadata())? else { return Ok(()) };
    let mode = if metadata.is_dir() { FOLDER_MODE } else { FILE_MODE };
    if !metadata.is_symlink() && metadata.permissions().mode() & 0o777 != mode {
        fs::set_permissions(path, Permissions::from_mode(mode))?;
    }
    let entries = if metadata.is_dir() { Some(fs::read_dir(path)?) } else { None };
    entries.into_iter().flatten().try_for_each(|entry| make_private(&entry?.path()))
}

pub(super) fn create(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(true).mode(FILE_MODE).open(path)
}

fn create_folder(path: &Path) -> Result<()> {
    DirBuilder::new().mode(FOLDER_MODE).create(path).map_err(SearchError::io("cannot create", path))
}

/// Returns the size of a file, or of a folder with its contents, on the disk, where even the
/// smallest takes a block.
fn size_bytes(path: &Path) -> u64 {
    let within = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| size_bytes(&entry.path()));
    within.sum::<u64>() + path.symlink_metadata().map_or(0, |metadata| metadata.blocks() * BLOCK_BYTES)
}

fn paths(root: &Path) -> Result<Vec<PathBuf>> {
    if !root.is_dir() {
        return Ok(Vec::new());
    }
    Ok(durable::entries(root)?.iter().map(DirEntry::path).collect())
}

impl Folder {
    pub(super) fn of(root: &Path, id: JobId) -> Self {
        Self(root.join(id.to_string()))
    }

    /// Creates a folder that becomes that of a job when it is renamed, replacing a failed one.
    pub(super) fn prepare(root: &Path, id: JobId, kept: &StoredOrder, query: &Query) -> Result<Self> {
        Self::of(root, id).remove()?;
        let new = root.join(format!("{id}{NEW}"));
        create_folder(&new)?;
        durable::write_private_json(&new.join(QUERY), query)?;
        let folder = Self(new);
        folder.keep(kept)?;
        Ok(folder)
    }

    pub(super) fn keep(&self, kept: &StoredOrder) -> Result<()> {
        Ok(durable::write_private_json(&self.0.join(JOB), kept)?)
    }

    pub(super) fn rename(&self) -> Result<()> {
        fs::rename(&self.0, self.0.with_extension("")).map_err(SearchError::io("cannot rename", &self.0))
    }

    pub(super) fn kept(&self) -> Result<Option<StoredOrder>> {
        let path = self.0.join(JOB);
        let Some(mut kept) = durable::read_json::<StoredOrder>(&path)? else { return Ok(None) };
        if kept.requesters.is_empty() {
            let Some(EarlierRequester { client, created }) = durable::read_json(&path)? else { return Ok(None) };
            let id = self.0.file_name().and_then(|name| name.to_str()?.parse().ok()).unwrap_or_default();
            kept.requesters.push(Requester { id, client, name: String::new(), created, digest: None });
        }
        Ok(Some(kept))
    }

    pub(super) fn done(&self) -> Result<Option<Done>> {
        Ok(durable::read_json(&self.0.join(DONE))?)
    }

    pub(super) fn query(&self) -> Result<Option<Query>> {
        Ok(durable::read_json(&self.0.join(QUERY))?)
    }

    /// Creates the folder in which the engine runs.
    pub(super) fn begin(&self) -> Result<PathBuf> {
        let run = self.0.join(RUN);
        durable::remove_folder(&run)?;
        create_folder(&run)?;
        Ok(run)
    }

    /// Removes the leftovers of a run, which may include some hits.
    pub(super) fn clear(&self) -> Result<()> {
        durable::remove_folder(&self.0.join(RUN))?;
        self.remove_file(&format!("{HITS}{NEW}"))
    }

    /// Ends the job.
    pub(super) fn finish(&self, outcome: Outcome) -> Result<Done> {
        self.clear()?;
        let done = Done { outcome, finished: OffsetDateTime::now_utc() };
        durable::write_private_json(&self.0.join(DONE), &done)?;
        self.forget_failed(&done.outcome)?;
        Ok(done)
    }

    /// Removes the query of a failed job. It is sent again when the job is tried again.
    fn forget_failed(&self, outcome: &Outcome) -> Result<()> {
        if outcome.has_failed() { self.remove_file(QUERY) } else { Ok(()) }
    }

    fn remove_file(&self, name: &str) -> Result<()> {
        let removed = durable::unless_missing(fs::remove_file(self.0.join(name)));
        removed.map(drop).map_err(SearchError::io("cannot remove files in", &self.0))
    }

    /// Returns the end of the job, with the time of its end or its last request. A job without
    /// `done` has failed.
    pub(super) fn end(&self, kept: &StoredOrder, done: Option<&Done>) -> (OffsetDateTime, EndedJob) {
        let finished = done.map_or_else(OffsetDateTime::now_utc, |done| done.finished);
        let has_failed = done.is_none_or(|done| done.outcome.has_failed());
        let num_bytes = self.size_bytes() + kept.requesters.len() as u64 * REQUESTER_BYTES;
        let time = kept.requesters.iter().fold(finished, |time, requester| time.max(requester.created));
        (time, EndedJob { client: kept.client().to_owned(), has_failed, num_bytes })
    }

    /// Renames the folder, so that nobody sees a part of it while it is removed. If this process is
    /// killed, the rest is removed when the jobs are opened. Returns the new path.
    pub(super) fn set_aside(&self) -> Result<PathBuf> {
        let aside = self.0.with_added_extension(NEW.trim_start_matches('.'));
        durable::remove_folder(&aside)?;
        let renamed = durable::unless_missing(fs::rename(&self.0, &aside));
        if renamed.map_err(SearchError::io("cannot rename", &self.0))?.is_some() {
            durable::sync(self.0.parent().unwrap_or(&aside))?;
        }
        Ok(aside)
    }

    pub(super) fn remove(&self) -> Result<()> {
        Ok(durable::remove_folder(&self.set_aside()?)?)
    }

    pub(super) fn size_bytes(&self) -> u64 {
        size_bytes(&self.0)
    }
}
