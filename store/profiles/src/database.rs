//! The database, and making it durable.

pub(super) mod files;

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustix::fs::Dir;
use sled::{Batch, Db, IVec};
use store::engine::{Closing, catch_panics, sled_file};
use store::{Error, Result, durable, lock};

use self::files::{read_to_end, remove_unfinished_snapshots, sync_file_system};
use super::commits::commit_mark::CommitMark;
use super::record::RECORD_BYTES_MAX;
use super::watch::Watch;

const CACHE_BYTES: u64 = 256 << 20;

/// The engine writes its file in segments of this size, the largest it supports.
pub(super) const SEGMENT_BYTES: usize = 16 << 20;

/// More than the engine stores in addition to a value: key, lengths, and a share of the page's
/// header.
const OVERHEAD_BYTES: usize = 256;

/// The most entries of a page before the engine splits it.
const PAGE_ENTRIES_MAX: usize = 17;

// The engine writes a page of more than a quarter of a segment into a file of its own, which it
// never syncs.
const _: () = assert!(PAGE_ENTRIES_MAX * (RECORD_BYTES_MAX + OVERHEAD_BYTES) < SEGMENT_BYTES / 4);

/// The folder of those files. It is empty, except when the engine merges two pages of the largest
/// profiles.
const LARGE_PAGES: &str = "blobs";

/// The number of entries read at a time: 22 MiB of the largest profiles.
const WALK_ENTRIES: usize = 100;

pub(super) type SyncFile = Box<dyn Fn(&File) -> io::Result<()> + Send + Sync>;

pub(super) type Entry = (IVec, IVec);

pub(super) struct Database {
    path: PathBuf,
    /// Wakes threads that wait for a failed write. It also owns the engine's database, so it ends
    /// before the database is dropped.
    waker: Option<Watch>,
    db: Closing<Db>,
    /// The engine's file, opened a second time. The system reports a failed write to each handle
    /// once.
    file: File,
    /// The folder of large pages. A commit opens nothing: the process may have no descriptor left.
    large_pages: Mutex<Dir>,
    sync: SyncFile,
    pub(super) mark: CommitMark,
}

impl Database {
    /// Opens a database, or creates it.
    ///
    /// The engine's flush passes all data to the system, but does not wait for the disk. So the
    /// data of a killed process are synced before the engine sees them: otherwise the engine might
    /// base a snapshot on data that a power cut removes. The data that the engine wrote to recover
    /// are synced afterwards.
    pub(super) fn open(path: &Path, sync: SyncFile) -> Result<Self> {
        if path.try_exists().map_err(Error::io("cannot read", path))? {
            remove_unfinished_snapshots(path)?;
            durable::sync_all(path)?;
            read_to_end(&path.join(sled_file::FILE))?;
        }
        let config = sled::Config::new()
            .path(path)
            .segment_size(SEGMENT_BYTES)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None)
            .use_compression(false);
        let db = Closing::new(catch_panics(path, || config.open().map_err(|error| engine_error(path, error)))?);
        let watched = (*db).clone();
        let waker = Watch::start("profiles-waker", path, move || wake_failed_flush(&watched))?;
        let file_path = path.join(sled_file::FILE);
        let file = File::open(&file_path).map_err(Error::io("cannot open", &file_path))?;
        let large_pages = path.join(LARGE_PAGES);
        let opened = File::open(&large_pages).and_then(|folder| Ok(Dir::new(folder)?));
        let large_pages = Mutex::new(opened.map_err(Error::io("cannot open", &large_pages))?);
        let mark = CommitMark::open(path)?;
        let database = Self { path: path.to_owned(), waker: Some(waker), db, file, large_pages, sync, mark };
        database.with(|db| db.flush())?;
        durable::sync_all(path)?;
        Ok(database)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn get(&self, key: &[u8]) -> Result<Option<IVec>> {
        self.with(|db| db.get(key))
    }

    /// Returns the first keys that begin with a prefix, ascending.
    pub(super) fn keys(&self, prefix: &[u8], limit: usize) -> Result<Vec<IVec>> {
        self.with(|db| db.scan_prefix(prefix).keys().take(limit).collect())
    }

    pub(super) fn last_key(&self, prefix: &[u8]) -> Result<Option<IVec>> {
        self.with(|db| db.scan_prefix(prefix).keys().next_back().transpose())
    }

    /// Returns up to [`WALK_ENTRIES`] entries whose keys begin with a prefix, ascending, from the
    /// first one or from the one after a key.
    pub(super) fn entries_after(&self, prefix: &[u8], after: Option<&[u8]>) -> Result<Vec<Entry>> {
        let first = after.map_or(Bound::Included(prefix), Bound::Excluded);
        self.with(|db| {
            let entries = db.range::<&[u8], _>((first, Bound::Unbounded)).take(WALK_ENTRIES);
            let with_prefix =
                |entry: &sled::Result<Entry>| entry.as_ref().map_or(true, |(key, _)| key.starts_with(prefix));
            entries.take_while(with_prefix).collect()
        })
    }

    /// Visits all entries whose keys begin with a prefix, ascending.
    pub(super) fn walk(&self, prefix: &[u8], mut visit: impl FnMut(&[u8], &[u8]) -> Result<()>) -> Result<()> {
        let mut last: Option<IVec> = None;
        loop {
            let entries = self.entries_after(prefix, last.as_deref())?;
            let Some((key, _)) = entries.last() else { return Ok(()) };
            last = Some(key.clone());
            for (key, value) in &entries {
                visit(key, value)?;
            }
        }
    }

    /// Applies a batch atomically. It can be read at once, and is on the disk after
    /// [`Database::make_durable`].
    pub(super) fn apply(&self, batch: Batch) -> Result<()> {
        self.with(|db| db.apply_batch(batch))
    }

    pub(super) fn make_durable(&self) -> Result<()> {
        self.with(|db| db.flush())?;
        self.sync_large_pages()?;
        (self.sync)(&self.file).map_err(Error::io("cannot sync", &self.path))
    }

    /// Syncs pages that have files of their own. They are so rare that syncing the whole file
    /// system for them is acceptable.
    fn sync_large_pages(&self) -> Result<()> {
        let mut folder = lock(&self.large_pages);
        folder.rewind();
        let is_page = |name: &CStr| name != c"." && name != c"..";
        // A folder that cannot be read may have such pages.
        if folder.by_ref().any(|entry| entry.map_or(true, |entry| is_page(entry.file_name()))) {
            let synced = folder.fd().and_then(sync_file_system);
            synced.map_err(|error| Error::io("cannot sync", &self.path.join(LARGE_PAGES))(error.into()))?;
        }
        Ok(())
    }

    /// Calls the engine. It panics on some damaged files. After a failed write in one of its
    /// threads every call fails, which readers may notice before the committer does.
    fn with<T>(&self, ask: impl FnOnce(&Db) -> sled::Result<T>) -> Result<T> {
        let answer = catch_panics(&self.path, || ask(&self.db).map_err(|error| engine_error(&self.path, error)));
        answer.map_err(|error| match error {
            Error::Io { .. } if self.db.context.global_error().is_err() => Error::ProfilesFailed(error.to_string()),
            error => error,
        })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Closing flushes too, but without the waker it might hang.
        let _ = self.with(|db| db.flush());
        self.waker = None;
    }
}

/// Wakes a flush that waits for a failed write: some of the engine's writers record a failure
/// without waking anyone.
fn wake_failed_flush(db: &Db) {
    if db.context.global_error().is_err() {
        let _ = db.flush();
    }
}

fn engine_error(path: &Path, error: sled::Error) -> Error {
    match error {
        sled::Error::Io(error) => Error::io("cannot read or write", path)(error),
        error => {
            // The engine appends an empty backtrace.
            let problem = error.to_string();
            let problem = problem.split(" backtrace").next().unwrap_or_default().to_owned();
            Error::Altered { path: path.to_owned(), problem }
        }
    }
}
