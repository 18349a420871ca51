//! The folder of a harvest: what is unfinished is in a folder of its own, and all of it becomes the harvest at once.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::lines::path_of;
use super::report::HarvestReport;
use crate::{Error, Result};

/// The file of the report.
const REPORT: &str = "harvest.json";

const UNFINISHED: &str = "harvest.unfinished";
const LOCK: &str = "harvest.lock";

/// What the unfinished folder has: what was asked for, the answers, the new files, and a file that says that these are all there, or that they were
/// refused.
const REQUEST: &str = "request.json";
const ANSWERS: &str = "answers";
const FILES: &str = "files";
const COMPLETE: &str = "complete";
const REFUSED: &str = "refused";

/// The folder of a harvest.
pub(super) struct Folder {
    to: PathBuf,
    /// Nobody else harvests into the folder.
    _lock: File,
}

/// What a harvest asks for. An unfinished one goes on only with the same.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Request {
    /// The version of mgdex: another may ask in another order, and begins anew.
    pub(super) version: String,
    pub(super) from: String,
    pub(super) api: String,
    pub(super) analyses: String,
    /// The time at which the harvest before began, if there is one to be carried over.
    pub(super) since: Option<String>,
}

/// The request as it is kept.
#[derive(Serialize, Deserialize)]
struct Begun {
    began: String,
    request: Request,
}

impl Folder {
    /// Opens a folder, or makes it.
    pub(super) fn open(to: &Path) -> Result<Self> {
        fs::create_dir_all(to).map_err(Error::io("cannot create", to))?;
        let path = to.join(LOCK);
        let lock = File::create(&path).map_err(Error::io("cannot create", &path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { to: to.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                Err(Error::Refused { problem: format!("another harvest into {} is under way", to.display()) })
            }
            Err(TryLockError::Error(source)) => Err(Error::io("cannot lock", &path)(source)),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.to.join(UNFINISHED).join(name)
    }

    pub(super) fn answers(&self) -> PathBuf {
        self.path(ANSWERS)
    }

    pub(super) fn files(&self) -> PathBuf {
        self.path(FILES)
    }

    /// Returns the report of a finished harvest in a folder.
    pub(super) fn report_of(folder: &Path) -> Result<Option<HarvestReport>> {
        read(&folder.join(REPORT))
    }

    /// Ends a harvest that was killed when nothing was left to do but to put its files in their places. Returns its report.
    pub(super) fn settle(&self) -> Result<Option<HarvestReport>> {
        if !is_there(&self.path(COMPLETE))? {
            return Ok(None);
        }
        self.publish()?;
        Self::report_of(&self.to)
    }

    /// Begins a harvest, or goes on with one. Returns when it began.
    pub(super) fn begin(&self, request: Request, now: String, allow_shrink: bool) -> Result<String> {
        if !allow_shrink && is_there(&self.path(REFUSED))? {
            self.discard()?;
        }
        let path = self.path(REQUEST);
        let begun = match read::<Begun>(&path)? {
            Some(begun) if begun.request == request => begun,
            Some(Begun { request: Request { version, .. }, .. }) if version != request.version => {
                tracing::warn!("the unfinished harvest by mgdex {version} is begun anew");
                self.discard()?;
                Begun { began: now, request }
            }
            Some(Begun { request: Request { from, api, analyses, since, .. }, .. }) => {
                let since = since.map(|since| format!(" --since that of {since}")).unwrap_or_default();
                let problem = format!(
                    "{} has an unfinished harvest --from {from} --api {api} --analyses {analyses}{since}: finish it \
                     with these, or remove {}",
                    self.to.display(),
                    self.to.join(UNFINISHED).display()
                );
                return Err(Error::Refused { problem });
            }
            None => {
                // Without the request, there are no answers, either.
                self.discard()?;
                Begun { began: now, request }
            }
        };
        for folder in [self.answers(), self.files()] {
            fs::create_dir_all(&folder).map_err(Error::io("cannot create", &folder))?;
        }
        write(&path, &begun)?;
        Ok(begun.began)
    }

    /// Writes the report of what was done so far.
    pub(super) fn note(&self, report: &HarvestReport) -> Result<()> {
        write(&self.path(REPORT), report)
    }

    /// Keeps the answers, for who wants the harvest all the same.
    pub(super) fn refuse(&self) -> Result<()> {
        write(&self.path(REFUSED), &())
    }

    /// Puts the files of the harvest in the places of those of the one before, without those that have no lines, which are given by name.
    pub(super) fn finish(&self, report: &HarvestReport, empty: &[&str]) -> Result<()> {
        for name in empty {
            let path = path_of(&self.files(), name);
            fs::remove_file(&path).map_err(Error::io("cannot remove", &path))?;
        }
        write(&self.files().join(REPORT), report)?;
        write(&self.path(COMPLETE), &empty)?;
        self.publish()
    }

    /// From here on, a killed run is ended by the next one.
    fn publish(&self) -> Result<()> {
        for name in read::<Vec<String>>(&self.path(COMPLETE))?.unwrap_or_default() {
            let path = path_of(&self.to, &name);
            ignore_missing(fs::remove_file(&path)).map_err(Error::io("cannot remove", &path))?;
        }
        let files = self.files();
        let listed = match fs::read_dir(&files) {
            Ok(listed) => listed,
            Err(error) if error.kind() == ErrorKind::NotFound => return self.discard(),
            Err(error) => return Err(Error::io("cannot read", &files)(error)),
        };
        let error = |source| Error::io("cannot read", &files)(source);
        let mut names = listed.map(|entry| Ok(entry.map_err(error)?.file_name())).collect::<Result<Vec<_>>>()?;
        // The report comes last: it tells of the files.
        names.sort_by_key(|name| name.as_os_str() == REPORT);
        for name in names {
            let to = self.to.join(&name);
            fs::rename(files.join(&name), &to).map_err(Error::io("cannot move a file to", &to))?;
        }
        sync(&self.to)?;
        self.discard()
    }

    /// Removes what is unfinished, the request first: what is left without one is rubbish.
    fn discard(&self) -> Result<()> {
        let unfinished = self.to.join(UNFINISHED);
        let error = |source| Error::io("cannot remove", &unfinished)(source);
        for path in [self.path(REQUEST), self.answers(), self.path(COMPLETE)] {
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            ignore_missing(removed).map_err(error)?;
        }
        ignore_missing(fs::remove_dir_all(&unfinished)).map_err(error)
    }
}

pub(super) fn is_there(path: &Path) -> Result<bool> {
    path.try_exists().map_err(Error::io("cannot read", path))
}

fn ignore_missing(result: std::io::Result<()>) -> std::io::Result<()> {
    result.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    match fs::read(path) {
        Ok(bytes) => {
            let parsed = serde_json::from_slice(&bytes);
            let unusable = |error| Error::Unusable { name: path.display().to_string(), problem: format!("{error}") };
            parsed.map(Some).map_err(unusable)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("cannot read", path)(error)),
    }
}

/// Writes a file so that it is there as a whole or not at all.
fn write(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|_| Error::Internal("a file has no JSON"))?;
    bytes.push(b'\n');
    let new = path.with_extension("new");
    let written = fs::write(&new, bytes).and_then(|()| File::open(&new)?.sync_all());
    written.and_then(|()| fs::rename(&new, path)).map_err(Error::io("cannot write", path))?;
    sync(path.parent().unwrap_or(path))
}

fn sync(folder: &Path) -> Result<()> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("cannot sync", folder))
}
