//! The folder of the store: `LOCK`, `db/` with the database and `store.json`, and sometimes
//! `creating-<uuid>/`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use store::engine::sled_file;
use store::{Error, Result, durable};
use uuid::Uuid;

use crate::keys;

const DATABASE: &str = "db";

/// The file of the database folder with its kind and format.
const MARKER: &str = "store.json";

/// The engine's settings. If the file is missing, the engine creates another one and finds no data.
const SETTINGS: &str = "conf";

const LOCK: &str = "LOCK";

/// The prefix of folders in which a database is being created or which are to be removed.
const CREATING_PREFIX: &str = "creating-";

const KIND: &str = "mgdex profiles";

/// The only format so far.
const FORMAT: u32 = 1;

const COMMAND: &str = "mgdex profiles import";

#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    kind: String,
    format: u32,
}

/// The folder of the store, locked against other processes.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    _lock: File,
}

impl Folder {
    /// Locks a folder, creating it if needed, and removes unfinished databases. A folder with other
    /// content is not touched.
    pub(crate) fn lock(root: &Path) -> Result<Self> {
        durable::create_folders(root, durable::PRIVATE_FOLDER)?;
        holds_database(root)?;
        let lock_path = root.join(LOCK);
        let lock = File::create(&lock_path).map_err(Error::io("cannot create", &lock_path))?;
        let lock = durable::try_lock(lock, &lock_path)?;
        let lock = lock.ok_or_else(|| Error::ProfilesLocked { path: root.to_owned() })?;
        for name in names(root)? {
            if name.starts_with(CREATING_PREFIX) {
                durable::remove_folder(&root.join(name))?;
            }
        }
        let folder = Self { root: root.to_owned(), _lock: lock };
        if folder.has_database()? {
            // The engine releases a store a moment after it is closed.
            folder.check_marker()?;
            folder.check_files()?;
            sled_file::wait_until_closed(&folder.database())?;
        }
        Ok(folder)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.root.join(DATABASE)
    }

    pub(crate) fn has_database(&self) -> Result<bool> {
        holds_database(&self.root)
    }

    /// Returns a path for a folder that the next opening removes if it still exists.
    pub(crate) fn new_temporary(&self) -> PathBuf {
        self.root.join(format!("{CREATING_PREFIX}{}", Uuid::new_v4()))
    }

    /// Replaces the database, which must be empty, with a newly created one. A power cut leaves the
    /// new one or none.
    pub(crate) fn adopt(&self, created: &Path) -> Result<()> {
        write_marker(created)?;
        durable::sync_all(created)?;
        if self.has_database()? {
            durable::rename(&self.root, &self.database(), &self.new_temporary())?;
        }
        durable::rename(&self.root, created, &self.database())
    }

    fn check_marker(&self) -> Result<()> {
        let path = self.database().join(MARKER);
        let bytes = fs::read(&path).map_err(Error::io("cannot read", &path))?;
        let marker: Marker = serde_json::from_slice(&bytes)
            .map_err(|error| self.damaged(format!("{DATABASE}/{MARKER} cannot be read: {error}")))?;
        if marker.kind != KIND {
            return Err(self.damaged(format!("{DATABASE}/{MARKER} says that it is of kind {:?}", marker.kind)));
        }
        if marker.format != FORMAT {
            let (path, found) = (self.root.clone(), marker.format);
            return Err(Error::UnknownFormat { path, found, known: FORMAT, command: COMMAND });
        }
        Ok(())
    }

    /// Checks that the engine's files exist: the engine would create missing ones.
    fn check_files(&self) -> Result<()> {
        for name in [sled_file::FILE, SETTINGS] {
            let length = fs::metadata(self.database().join(name)).map_or(0, |metadata| metadata.len());
            if length == 0 {
                return Err(self.damaged(format!("{DATABASE}/{name} is missing or empty")));
            }
        }
        Ok(())
    }

    pub(crate) fn damaged(&self, problem: String) -> Error {
        Error::ProfilesDamaged { path: self.root.clone(), problem }
    }

    /// Identifies a damaged profile by the key of its entry, which may be damaged too.
    pub(crate) fn damaged_profile(&self, key: &[u8]) -> Error {
        let with_key = || format!("with the key {}", key.escape_ascii());
        let name = keys::profile_of(key).map_or_else(with_key, |profile| profile.to_string());
        self.damaged(format!("the profile {name} is damaged"))
    }
}

/// Returns whether a folder has a database. Other content is an error.
pub(crate) fn holds_database(root: &Path) -> Result<bool> {
    let damaged = |problem: String| Error::ProfilesDamaged { path: root.to_owned(), problem };
    let names = names(root)?;
    if names.iter().any(|name| name == DATABASE) {
        let marker = root.join(DATABASE).join(MARKER);
        return match fs::metadata(&marker) {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Err(damaged(format!("{DATABASE}/{MARKER} is missing")))
            }
            Err(error) => Err(Error::io("cannot read", &marker)(error)),
        };
    }
    match names.iter().find(|name| *name != LOCK && !name.starts_with(CREATING_PREFIX)) {
        Some(name) => Err(damaged(format!("it holds {name}, and no {DATABASE}"))),
        None => Ok(false),
    }
}

fn names(root: &Path) -> Result<Vec<String>> {
    Ok(durable::entries(root)?.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

fn write_marker(database: &Path) -> Result<()> {
    let marker = Marker { kind: KIND.to_owned(), format: FORMAT };
    let text = serde_json::to_vec(&marker).expect("it consists of a number and a text");
    durable::write(&database.join(MARKER), &text, durable::PRIVATE_FILE)
}
