//! An opened generation.

use std::fs;
use std::path::Path;

use fst::{Map, Streamer};

use super::key::{domain_key, is_locked, membership_key, membership_of, user_key};
use super::{DirectoryContents, KEYS, Membership};
use crate::{Contents, DomainReference, Error, GenerationName, Generations, Manifest, Result, UserReference};

/// A directory generation that can be asked. It is held in memory, compactly.
pub struct DirectoryGeneration {
    /// Its name.
    name: GenerationName,
    /// What is in it.
    contents: DirectoryContents,
    /// The flags of each key.
    keys: Map<Vec<u8>>,
}

impl DirectoryGeneration {
    /// Opens the current generation, or returns `None` where none was ever published.
    ///
    /// # Errors
    ///
    /// * See [`DirectoryGeneration::open`].
    pub fn open_current(generations: &Generations) -> Result<Option<Self>> {
        generations.current()?.map(|name| Self::open(generations, name)).transpose()
    }

    /// Opens a generation, and compares it with its checksum.
    ///
    /// # Errors
    ///
    /// * It is torn, damaged, of an unknown format or cannot be read.
    pub fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        let path = generations.path(name);
        let manifest = Manifest::<DirectoryContents>::read(&path)?;
        let keys = read_keys(&path, &manifest)?;
        Ok(Self { name, contents: manifest.contents, keys })
    }

    /// Reads all data of a published generation and compares them with what was published. Returns what is in it.
    ///
    /// # Errors
    ///
    /// * Something differs, or cannot be read.
    pub fn verify_published(generations: &Generations, name: GenerationName) -> Result<DirectoryContents> {
        let path = generations.path(name);
        let manifest = Manifest::<DirectoryContents>::read(&path)?;
        manifest.verify_files(&path)?;
        let keys = read_keys(&path, &manifest)?;
        let mut counted = DirectoryContents::default();
        let mut entries = keys.stream();
        while let Some((key, flags)) = entries.next() {
            counted.count(key, flags).ok_or_else(|| altered(&path, "it has keys of an unknown kind"))?;
        }
        if counted == manifest.contents {
            Ok(counted)
        } else {
            Err(altered(&path, "its entries are not those published"))
        }
    }

    /// Returns the name.
    pub fn name(&self) -> GenerationName {
        self.name
    }

    /// Returns what is in it.
    pub fn contents(&self) -> &DirectoryContents {
        &self.contents
    }

    /// Tells whether an account is locked. That of a user who is not in the directory is not.
    pub fn is_locked(&self, user: UserReference) -> bool {
        self.keys.get(user_key(user)).is_some_and(is_locked)
    }

    /// Tells whether there is a domain.
    pub fn has_domain(&self, domain: &DomainReference) -> bool {
        self.keys.contains_key(domain_key(domain))
    }

    /// Returns what a user is to a domain.
    pub fn membership(&self, domain: &DomainReference, user: UserReference) -> Membership {
        self.keys.get(membership_key(domain, user)).map(membership_of).unwrap_or_default()
    }
}

/// Reads the keys of a generation, once, and compares them with their checksum before they are looked at.
fn read_keys(generation: &Path, manifest: &Manifest<DirectoryContents>) -> Result<Map<Vec<u8>>> {
    let Some(file) = manifest.files.iter().find(|file| file.path == KEYS) else {
        let (path, problem) = (generation.to_owned(), format!("it has no {KEYS}"));
        return Err(Error::Torn { path, problem, command: DirectoryContents::COMMAND });
    };
    let path = generation.join(KEYS);
    let bytes = fs::read(&path).map_err(Error::io("cannot read", &path))?;
    if crc32fast::hash(&bytes) != file.crc32 {
        return Err(altered(generation, "the checksum of the file is wrong"));
    }
    Map::new(bytes).map_err(Error::index(&path))
}

/// Returns the error of keys that are not those that were published.
fn altered(generation: &Path, problem: &str) -> Error {
    Error::Altered { path: generation.join(KEYS), problem: problem.to_owned() }
}
