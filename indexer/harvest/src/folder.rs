//! The folder of a harvest. An unfinished harvest is in a separate folder inside, and its files
//! become the harvest all at once.

use std::fs::{self, DirEntry, File};
use std::path::{Path, PathBuf};

use indexer::{Error, Result};
use store::durable;

use super::lines::path_of;
use super::report::{HarvestReport, REPORT};

const UNFINISHED: &str = "harvest.unfinished";
const LOCK: &str = "harvest.lock";

/// The contents of the folder of an unfinished harvest: the request, the answers, the new files,
/// and a file that marks these as complete or as refused.
const REQUEST: &str = "request.json";
const ANSWERS: &str = "answers";
const FILES: &str = "files";
const COMPLETE: &str = "complete";
const REFUSED: &str = "refused";

/// The folder of a harvest.
pub(super) struct Folder {
    to: PathBuf,
    /// Prevents other harvests into the folder.
    _lock: File,
}

impl Folder {
    /// Opens a folder, or creates it.
    pub(super) fn open(to: &Path) -> Result<Self> {
        fs::create_dir_all(to).map_err(Error::io("cannot create", to))?;
        let path = to.join(LOCK);
        let lock = File::create(&path).map_err(Error::io("cannot create", &path))?;
        let Some(lock) = durable::try_lock(lock, &path)? else {
            return Err(Error::Refused { problem: format!("another harvest into {} is under way", to.display()) });
        };
        Ok(Self { to: to.to_owned(), _lock: lock })
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

    /// Completes a harvest that was killed when only its files were left to be moved. Returns its
    /// report.
    pub(super) fn settle(&self) -> Result<Option<HarvestReport>> {
        if !exists(&self.path(COMPLETE))? {
            return Ok(None);
        }
        self.publish()?;
        HarvestReport::read(&self.to)
    }

    /// Begins a harvest, or continues one with the same request. Returns the report of its
    /// beginning.
    pub(super) fn begin(&self, report: HarvestReport, allow_shrink: bool) -> Result<HarvestReport> {
        if !allow_shrink && exists(&self.path(REFUSED))? {
            self.discard()?;
        }
        let path = self.path(REQUEST);
        let (request, unfinished) = (&report.request, durable::read_json::<HarvestReport>(&path)?);
        let report = match unfinished {
            Some(unfinished) if unfinished.request == *request => unfinished,
            Some(unfinished) if unfinished.request.version == request.version => {
                let problem = format!(
                    "{} has an unfinished harvest {}: finish it with these options, or remove {}",
                    self.to.display(),
                    unfinished.request,
                    self.to.join(UNFINISHED).display()
                );
                return Err(Error::Refused { problem });
            }
            // Another version of mgdex may ask in another order. Without a request, the folder has
            // no answers either.
            unfinished => {
                if let Some(HarvestReport { request, .. }) = unfinished {
                    tracing::warn!("the unfinished harvest by mgdex {} is started again", request.version);
                }
                self.discard()?;
                report
            }
        };
        for folder in [self.answers(), self.files()] {
            fs::create_dir_all(&folder).map_err(Error::io("cannot create", &folder))?;
        }
        durable::write_json(&path, &report)?;
        Ok(report)
    }

    /// Writes the report of a harvest under way.
    pub(super) fn note(&self, report: &HarvestReport) -> Result<()> {
        Ok(durable::write_json(&self.path(REPORT), report)?)
    }

    /// Keeps the answers, so that the harvest can still be accepted.
    pub(super) fn refuse(&self) -> Result<()> {
        Ok(durable::write_json(&self.path(REFUSED), &())?)
    }

    /// Replaces the files of the previous harvest by the new ones. `empty` are the names of files
    /// without lines, which are removed.
    pub(super) fn finish(&self, report: &HarvestReport, empty: &[&str]) -> Result<()> {
        for name in empty {
            let path = path_of(&self.files(), name);
            fs::remove_file(&path).map_err(Error::io("cannot remove", &path))?;
        }
        durable::write_json(&self.files().join(REPORT), report)?;
        durable::write_json(&self.path(COMPLETE), &empty)?;
        self.publish()
    }

    /// From here on, the next run completes a killed one.
    fn publish(&self) -> Result<()> {
        for name in durable::read_json::<Vec<String>>(&self.path(COMPLETE))?.unwrap_or_default() {
            let path = path_of(&self.to, &name);
            durable::unless_missing(fs::remove_file(&path)).map_err(Error::io("cannot remove", &path))?;
        }
        let files = self.files();
        if !exists(&files)? {
            return self.discard();
        }
        let mut names: Vec<_> = durable::entries(&files)?.iter().map(DirEntry::file_name).collect();
        // The report is moved last: it describes the files.
        names.sort_by_key(|name| name.as_os_str() == REPORT);
        for name in names {
            let to = self.to.join(&name);
            fs::rename(files.join(&name), &to).map_err(Error::io("cannot move a file to", &to))?;
        }
        durable::sync(&self.to)?;
        self.discard()
    }

    /// Removes the unfinished harvest, the request first: the rest counts as garbage without it.
    fn discard(&self) -> Result<()> {
        let unfinished = self.to.join(UNFINISHED);
        let error = |source| Error::io("cannot remove", &unfinished)(source);
        for path in [self.path(REQUEST), self.answers(), self.path(COMPLETE)] {
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            durable::unless_missing(removed).map_err(error)?;
        }
        Ok(durable::remove_folder(&unfinished)?)
    }
}

fn exists(path: &Path) -> Result<bool> {
    path.try_exists().map_err(Error::io("cannot read", path))
}
