//! The folder of a job.
//!
//! ```text
//! ID/job.json    what is searched
//! ID/run/        the engine is running, or was when the server ended
//! ID/hits.jsonl  the hits, of a job with a result
//! ID/done.json   how it has ended: written last
//! ```
//!
//! A folder without `done.json` waits. Folders and files come into being under other names, which are removed when the jobs are opened.

use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use store::durable;
use time::OffsetDateTime;

use super::order::{JobId, Order};
use crate::search::Found;
use crate::{Result, SearchError};

const LOCK: &str = "LOCK";
const NEW: &str = ".new";
const JOB: &str = "job.json";
const RUN: &str = "run";
const HITS: &str = "hits.jsonl";
const DONE: &str = "done.json";

/// The unit in which the system tells the size of a file on the disk.
const BLOCK_BYTES: u64 = 512;

/// What is kept of an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) order: Order,
    /// The number of proteins that are selected.
    pub(super) count: u64,
    #[serde(with = "time::serde::rfc3339")]
    pub(super) created: OffsetDateTime,
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

/// The folder of a job.
pub(super) struct Folder(PathBuf);

impl Outcome {
    pub(super) fn failed(reason: &str) -> Self {
        Self::Failed(reason.to_owned())
    }
}

/// Takes the jobs of a folder, which is made if it is missing.
pub(super) fn lock(root: &Path) -> Result<File> {
    fs::create_dir_all(root).map_err(SearchError::io("cannot create", root))?;
    let path = root.join(LOCK);
    let lock = File::create(&path).map_err(SearchError::io("cannot create", &path))?;
    durable::try_lock(lock, &path)?.ok_or_else(|| {
        let error = io::Error::new(ErrorKind::ResourceBusy, "another process runs the searches of this folder");
        SearchError::io("cannot use", root)(error)
    })
}

/// Returns the folders of all jobs that have no end, the oldest first, and removes what was left half done. A folder that is damaged is removed, too.
pub(super) fn unfinished(root: &Path) -> Result<Vec<(Folder, Kept)>> {
    let mut unfinished = Vec::new();
    for path in paths(root)?.iter().filter(|path| path.extension().is_some_and(|extension| extension == "new")) {
        durable::remove_folder(path)?;
    }
    for folder in all(root)? {
        durable::remove_folder(&folder.0.join(RUN))?;
        match (folder.kept(), folder.done()) {
            (Ok(Some(_)), Ok(Some(_))) => {}
            (Ok(Some(kept)), Ok(None)) => unfinished.push((folder, kept)),
            _ => durable::remove_folder(&folder.0)?,
        }
    }
    unfinished.sort_by_key(|(_, kept)| kept.created);
    Ok(unfinished)
}

/// Returns the folders of all jobs.
pub(super) fn all(root: &Path) -> Result<Vec<Folder>> {
    let is_job = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().parse::<JobId>().is_ok());
    Ok(paths(root)?.into_iter().filter(is_job).map(Folder).collect())
}

fn paths(root: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(root).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    entries.map_err(SearchError::io("cannot read", root))
}

impl Folder {
    pub(super) fn of(root: &Path, id: JobId) -> Self {
        Self(root.join(id.to_string()))
    }

    /// Makes the folder of a job in the place of one that has failed.
    pub(super) fn create(root: &Path, id: JobId, kept: &Kept) -> Result<()> {
        let folder = Self::of(root, id);
        durable::remove_folder(&folder.0)?;
        let new = root.join(format!("{id}{NEW}"));
        durable::remove_folder(&new)?;
        fs::create_dir(&new).map_err(SearchError::io("cannot create", &new))?;
        durable::write_json(&new.join(JOB), kept)?;
        fs::rename(&new, &folder.0).map_err(SearchError::io("cannot rename", &new))?;
        Ok(durable::sync(root)?)
    }

    pub(super) fn kept(&self) -> Result<Option<Kept>> {
        Ok(durable::read_json(&self.0.join(JOB))?)
    }

    pub(super) fn done(&self) -> Result<Option<Done>> {
        Ok(durable::read_json(&self.0.join(DONE))?)
    }

    pub(super) fn hits(&self) -> Result<Option<BufReader<File>>> {
        let path = self.0.join(HITS);
        durable::unless_missing(File::open(&path))
            .map(|file| file.map(BufReader::new))
            .map_err(SearchError::io("cannot open", &path))
    }

    /// Makes the folder in which the engine runs.
    pub(super) fn begin(&self) -> Result<PathBuf> {
        let run = self.0.join(RUN);
        durable::remove_folder(&run)?;
        fs::create_dir(&run).map_err(SearchError::io("cannot create", &run))?;
        Ok(run)
    }

    /// Creates the file of hits, under another name until it is whole.
    pub(super) fn new_hits(&self) -> Result<File> {
        let path = self.0.join(format!("{HITS}{NEW}"));
        File::create(&path).map_err(SearchError::io("cannot create", &path))
    }

    /// Keeps the hits that were written.
    pub(super) fn keep_hits(&self, file: &File) -> Result<()> {
        let (new, path) = (self.0.join(format!("{HITS}{NEW}")), self.0.join(HITS));
        file.sync_all().and_then(|()| fs::rename(&new, &path)).map_err(SearchError::io("cannot write", &path))
    }

    /// Ends the job.
    pub(super) fn finish(&self, outcome: &Outcome) -> Result<()> {
        durable::remove_folder(&self.0.join(RUN))?;
        let done = Done { outcome: outcome.clone(), finished: OffsetDateTime::now_utc() };
        Ok(durable::write_json(&self.0.join(DONE), &done)?)
    }

    /// Removes the job. Returns whether there was one.
    pub(super) fn remove(&self) -> Result<bool> {
        let is_there = self.0.is_dir();
        durable::remove_folder(&self.0)?;
        Ok(is_there)
    }

    /// Returns how many bytes its files take on the disk, where also the smallest takes a block.
    pub(super) fn size_bytes(&self) -> u64 {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten();
        files.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.blocks() * BLOCK_BYTES).sum()
    }
}
