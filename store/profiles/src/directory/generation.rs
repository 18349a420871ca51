//! An opened generation.

use std::fs;
use std::path::Path;

use fst::{Map, Streamer};
use store::{Contents, DomainReference, Error, GenerationName, Generations, Manifest, Result, Served, UserReference};

use super::key::{domain_key, is_locked, membership_key, membership_of, user_key};
use super::{DirectoryContents, KEYS, Membership};

/// An opened directory generation, held in memory in a compact form.
///
/// ```
/// use store::{Generations, Origin};
/// use store_profiles::{DirectoryBuilder, DirectoryEntry, DirectoryGeneration};
///
/// let folder = tempfile::tempdir()?;
/// let generations = Generations::new(folder.path());
/// let draft = generations.begin()?;
/// let user = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4".parse()?;
/// let mut builder = DirectoryBuilder::create(&draft)?;
/// builder.add(&DirectoryEntry::User(user, true))?;
/// let origin =
///     Origin { written_by: "doc".into(), finished_unix_s: 0, inputs: Vec::new(), report: serde_json::Value::Null };
/// draft.publish(origin, builder.finish()?, Vec::new())?;
/// let directory = DirectoryGeneration::open_current(&generations)?.expect("it was published");
/// assert!(directory.is_locked(user));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DirectoryGeneration {
    name: GenerationName,
    contents: DirectoryContents,
    keys: Map<Vec<u8>>,
}

impl DirectoryGeneration {
    /// Opens the current generation, or returns `None` if none is published.
    pub fn open_current(generations: &Generations) -> Result<Option<Self>> {
        generations.current()?.map(|name| Self::open(generations, name)).transpose()
    }

    /// Opens a generation, and compares it with its checksum.
    ///
    /// # Errors
    ///
    /// * The generation is torn, damaged, of an unknown format or cannot be read.
    pub fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        let path = generations.path(name);
        let manifest = Manifest::<DirectoryContents>::read(&path)?;
        let keys = read_keys(&path, &manifest)?;
        Ok(Self { name, contents: manifest.contents, keys })
    }

    /// Checks all data of a published generation against its manifest, and returns its contents.
    ///
    /// # Errors
    ///
    /// * A file differs, or cannot be read.
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

    /// Returns the counts of its entries.
    pub fn contents(&self) -> &DirectoryContents {
        &self.contents
    }

    /// Returns whether an account is locked. Unknown users are not locked.
    pub fn is_locked(&self, user: UserReference) -> bool {
        self.keys.get(user_key(user)).is_some_and(is_locked)
    }

    /// Returns whether the directory has a domain.
    pub fn has_domain(&self, domain: &DomainReference) -> bool {
        self.keys.contains_key(domain_key(domain))
    }

    /// Returns whether a user is a member or a manager of a domain.
    pub fn membership(&self, domain: &DomainReference, user: UserReference) -> Membership {
        self.keys.get(membership_key(domain, user)).map(membership_of).unwrap_or_default()
    }
}

impl Served for DirectoryGeneration {
    type Contents = DirectoryContents;

    const WHAT: &'static str = "the directory";

    /// Accounts may be locked in the current one.
    const FALLS_BACK: bool = false;

    fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        Self::open(generations, name)
    }

    fn name(&self) -> GenerationName {
        self.name()
    }
}

/// Reads the keys of a generation, and checks their checksum first.
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

fn altered(generation: &Path, problem: &str) -> Error {
    Error::Altered { path: generation.join(KEYS), problem: problem.to_owned() }
}
