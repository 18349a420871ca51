//! The folder of the store: `db/` with the database and `store.json`, `LOCK`, and at times `creating-<uuid>/`.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::engine::sled_file;
use crate::generation::durable;
use crate::{Error, Result};

/// The folder of the database.
const DATABASE: &str = "db";

/// The file inside it that says what it is.
const MARKER: &str = "store.json";

/// The engine's file of settings. Without it, it would make another one and find nothing.
const SETTINGS: &str = "conf";

/// The file that is locked as long as the store is open.
const LOCK: &str = "LOCK";

/// Begins the names of folders in which a database is being made, or that are on their way out.
const CREATING_PREFIX: &str = "creating-";

/// What [`Marker::kind`] must be.
const KIND: &str = "mgdex profiles";

/// The format that is written. There is no other yet.
const FORMAT: u32 = 1;

/// The command that gives a store back.
const COMMAND: &str = "mgdex profiles import";

/// The contents of the file that says what a folder is.
#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    /// What it is.
    kind: String,
    /// In which format.
    format: u32,
}

/// The folder of the store, locked against other processes.
#[derive(Debug)]
pub(super) struct Folder {
    /// Its path.
    root: PathBuf,
    /// Locked as long as this lives.
    _lock: File,
}

impl Folder {
    /// Locks a folder, which is made if need be, and removes what was not finished. Nothing is touched in one that holds something else.
    pub(super) fn lock(root: &Path) -> Result<Self> {
        durable::create_folders(root, durable::PRIVATE_FOLDER)?;
        holds_database(root)?;
        let lock_path = root.join(LOCK);
        let lock = File::create(&lock_path).map_err(Error::io("cannot create", &lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::ProfilesLocked { path: root.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(Error::io("cannot lock", &lock_path)(error)),
        }
        for name in names(root)? {
            if name.starts_with(CREATING_PREFIX) {
                let path = root.join(name);
                fs::remove_dir_all(&path).map_err(Error::io("cannot remove", &path))?;
            }
        }
        let folder = Self { root: root.to_owned(), _lock: lock };
        if folder.has_database()? {
            // A store that was open until now: the engine lets go of it a moment later.
            folder.read_marker()?;
            folder.check_files()?;
            sled_file::wait_until_closed(&folder.database())?;
        }
        Ok(folder)
    }

    /// Returns the path.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of the database.
    pub(super) fn database(&self) -> PathBuf {
        self.root.join(DATABASE)
    }

    /// Tells whether there is a database.
    pub(super) fn has_database(&self) -> Result<bool> {
        holds_database(&self.root)
    }

    /// Returns the path of a folder that is removed at the next opening, if it is still there.
    pub(super) fn new_temporary(&self) -> PathBuf {
        self.root.join(format!("{CREATING_PREFIX}{}", Uuid::new_v4()))
    }

    /// Gives a database that was made the place of the one that is there, which must hold nothing. A power cut leaves the new one or none.
    pub(super) fn adopt(&self, created: &Path) -> Result<()> {
        write_marker(created)?;
        super::database::sync_contents(created)?;
        if self.has_database()? {
            durable::rename(&self.root, &self.database(), &self.new_temporary())?;
        }
        durable::rename(&self.root, created, &self.database())
    }

    /// Reads the file that says what the folder is.
    fn read_marker(&self) -> Result<Marker> {
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
        Ok(marker)
    }

    /// Checks that the engine's files are there, since it would make those that are not.
    fn check_files(&self) -> Result<()> {
        for name in [sled_file::FILE, SETTINGS] {
            let length = fs::metadata(self.database().join(name)).map_or(0, |metadata| metadata.len());
            if length == 0 {
                return Err(self.damaged(format!("{DATABASE}/{name} is missing or empty")));
            }
        }
        Ok(())
    }

    /// Returns the error for a folder that is not what it should be.
    pub(super) fn damaged(&self, problem: String) -> Error {
        Error::ProfilesDamaged { path: self.root.clone(), problem }
    }
}

/// Tells whether a folder holds a database; one that holds anything else is an error.
pub(super) fn holds_database(root: &Path) -> Result<bool> {
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

/// Returns the names of what is in a folder.
fn names(root: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(root).map_err(Error::io("cannot read", root))?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    names.collect::<io::Result<_>>().map_err(Error::io("cannot read", root))
}

/// Writes the file that says what a folder is.
fn write_marker(database: &Path) -> Result<()> {
    let marker = Marker { kind: KIND.to_owned(), format: FORMAT };
    let text = serde_json::to_vec(&marker).expect("it consists of a number and a text");
    durable::write(&database.join(MARKER), &text, durable::PRIVATE_FILE)
}
