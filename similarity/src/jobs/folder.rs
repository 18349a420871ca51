//! The folder of a job.
//!
//! ```text
//! ID/job.json      where it searches, and who has asked for it
//! ID/query.json    for what
//! ID/run/          the engine is running, or was when the server ended
//! ID/hits.jsonl    the hits, of a job with a result
//! ID/hits.offsets  where each of them begins, in 8 bytes, the lowest first
//! ID/done.json     how it has ended: written last
//! ```
//!
//! A folder without `done.json` waits, and one that has failed keeps no query. All are readable by their owner alone. Folders and files come into being under
//! other names, which are removed when the jobs are opened.

use std::collections::HashMap;
use std::fs::{self, DirBuilder, DirEntry, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use store::durable;
use time::OffsetDateTime;
use uuid::Uuid;

use super::asker::Asked;
use super::ended::End;
use super::order::{JobId, Scope};
use crate::search::Found;
use crate::{Query, QueryKind, Result, SearchError};

const LOCK: &str = "LOCK";
pub(super) const NEW: &str = ".new";
const JOB: &str = "job.json";
const QUERY: &str = "query.json";
const RUN: &str = "run";
pub(super) const HITS: &str = "hits.jsonl";
const DONE: &str = "done.json";

/// The space of one who has asked for a job, in memory, too.
const ASKED_BYTES: u64 = 1 << 10;

/// The unit in which the system tells the size of a file on the disk.
const BLOCK_BYTES: u64 = 512;

/// Permissions: what is searched for may be unpublished.
const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// What is kept of an order beside its query, which may be long.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) scope: Scope,
    pub(super) query_length: usize,
    pub(super) query_kind: QueryKind,
    /// The number of proteins that are selected.
    pub(super) count: u64,
    /// The askers, the first one first. There is always one.
    #[serde(default)]
    pub(super) asked: Vec<Asked>,
}

/// The only asker of a job as earlier versions kept him.
#[derive(Deserialize)]
struct KeptEarlier {
    #[serde(default)]
    client: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

/// How a job has ended.
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
    /// Those that have no end, the oldest first.
    pub(super) unfinished: Vec<(JobId, Kept)>,
    /// The others, with when they have ended, or were asked for last.
    pub(super) ended: Vec<(JobId, OffsetDateTime, End)>,
    pub(super) asked: HashMap<Uuid, JobId>,
}

/// The folder of a job.
pub(super) struct Folder(pub(super) PathBuf);

impl Kept {
    /// Returns the client in whose turn the job runs, and whose share of the space it takes.
    pub(super) fn client(&self) -> &str {
        &self.asked[0].client
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

/// Takes the jobs of a folder, which is made if it is missing.
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

/// Returns all jobs, and removes what was left half done. A folder that is damaged is removed, too.
pub(super) fn all(root: &Path) -> Result<All> {
    let mut all = All::default();
    // Of what earlier versions have written, others could read much.
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
                all.asked.extend(kept.asked.iter().map(|asked| (asked.id, id)));
                if let Some(done) = done {
                    folder.forget_failed(&done.outcome)?;
                    let (time, end) = folder.end(&kept, Some(&done));
                    all.ended.push((id, time, end));
                } else {
                    all.unfinished.push((id, kept));
                }
            }
            _ => durable::remove_folder(&folder.0)?,
        }
    }
    all.unfinished.sort_by_key(|(_, kept)| kept.asked[0].created);
    Ok(all)
}

/// Takes away what others may do with a file, or with a folder and all that is in it.
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

/// Returns how many bytes a file, or a folder with all that is in it, takes on the disk, where also the smallest takes a block.
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

    /// Makes a folder that becomes that of a job when it is renamed, in the place of one that has failed.
    pub(super) fn prepare(root: &Path, id: JobId, kept: &Kept, query: &Query) -> Result<Self> {
        durable::remove_folder(&Self::of(root, id).0)?;
        let new = root.join(format!("{id}{NEW}"));
        durable::remove_folder(&new)?;
        create_folder(&new)?;
        durable::write_private_json(&new.join(QUERY), query)?;
        let folder = Self(new);
        folder.keep(kept)?;
        Ok(folder)
    }

    pub(super) fn keep(&self, kept: &Kept) -> Result<()> {
        Ok(durable::write_private_json(&self.0.join(JOB), kept)?)
    }

    pub(super) fn rename(&self) -> Result<()> {
        fs::rename(&self.0, self.0.with_extension("")).map_err(SearchError::io("cannot rename", &self.0))
    }

    pub(super) fn kept(&self) -> Result<Option<Kept>> {
        let path = self.0.join(JOB);
        let Some(mut kept) = durable::read_json::<Kept>(&path)? else { return Ok(None) };
        if kept.asked.is_empty() {
            let Some(KeptEarlier { client, created }) = durable::read_json(&path)? else { return Ok(None) };
            let id = self.0.file_name().and_then(|name| name.to_str()?.parse().ok()).unwrap_or_default();
            kept.asked.push(Asked { id, client, name: String::new(), created, digest: None });
        }
        Ok(Some(kept))
    }

    pub(super) fn done(&self) -> Result<Option<Done>> {
        Ok(durable::read_json(&self.0.join(DONE))?)
    }

    pub(super) fn query(&self) -> Result<Option<Query>> {
        Ok(durable::read_json(&self.0.join(QUERY))?)
    }

    /// Makes the folder in which the engine runs.
    pub(super) fn begin(&self) -> Result<PathBuf> {
        let run = self.0.join(RUN);
        durable::remove_folder(&run)?;
        create_folder(&run)?;
        Ok(run)
    }

    /// Removes what a run has left, of which there may be some hits.
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

    /// Removes what a job that has failed was looking for. It is given again when it is tried again.
    fn forget_failed(&self, outcome: &Outcome) -> Result<()> {
        if outcome.has_failed() { self.remove_file(QUERY) } else { Ok(()) }
    }

    fn remove_file(&self, name: &str) -> Result<()> {
        let removed = durable::unless_missing(fs::remove_file(self.0.join(name)));
        removed.map(drop).map_err(SearchError::io("cannot remove files in", &self.0))
    }

    /// Returns the end of the job, which has failed if it is not there, with when that was, or when it was asked for last.
    pub(super) fn end(&self, kept: &Kept, done: Option<&Done>) -> (OffsetDateTime, End) {
        let finished = done.map_or_else(OffsetDateTime::now_utc, |done| done.finished);
        let has_failed = done.is_none_or(|done| done.outcome.has_failed());
        let num_bytes = self.size_bytes() + kept.asked.len() as u64 * ASKED_BYTES;
        let time = kept.asked.iter().fold(finished, |time, asked| time.max(asked.created));
        (time, End { client: kept.client().to_owned(), has_failed, num_bytes })
    }

    pub(super) fn remove(&self) -> Result<()> {
        Ok(durable::remove_folder(&self.0)?)
    }

    pub(super) fn size_bytes(&self) -> u64 {
        size_bytes(&self.0)
    }
}
