//! Who belongs to which domain, as of now.

use std::sync::Arc;
use std::time::Duration;

use store::{DirectoryGeneration, DomainReference, GenerationName, Generations, Membership, UserReference};

use crate::following::{Following, Served};

/// How long a directory may be used that has a successor which cannot be opened: it may lock accounts that this one lets in.
const OUTDATED_MAX: Duration = Duration::from_secs(5);

/// The directory is outdated, and its successor cannot be opened for the reason given.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the directory is outdated: {0}")]
pub struct Outdated(pub String);

/// Where the directory comes from.
pub trait DirectorySource: Send + Sync + 'static {
    /// Returns the state of the directory that is served now, or `None` where none was ever loaded.
    ///
    /// # Errors
    ///
    /// * It is outdated: nothing should be decided by it any more.
    fn snapshot(&self) -> Result<Option<Arc<dyn DirectorySnapshot>>, Outdated>;
}

/// One state of the directory, in memory.
pub trait DirectorySnapshot: Send + Sync + 'static {
    /// Returns the name of the generation.
    fn generation(&self) -> &str;

    /// Returns how many users and domains it has, all together.
    fn num_records(&self) -> u64;

    /// Tells whether an account is locked. That of a user who is not in the directory is not.
    fn is_locked(&self, user: UserReference) -> bool;

    /// Tells whether there is a domain.
    fn has_domain(&self, domain: &DomainReference) -> bool;

    /// Returns what a user is to a domain.
    fn membership(&self, domain: &DomainReference, user: UserReference) -> Membership;
}

/// The current directory of a folder, and the newer ones as they are published.
pub type LocalDirectory = Following<LocalDirectorySnapshot>;

/// An opened generation.
pub struct LocalDirectorySnapshot {
    /// The generation.
    data: DirectoryGeneration,
    /// Its name as text.
    name: String,
}

impl Served for LocalDirectorySnapshot {
    const WHAT: &'static str = "the directory";

    fn open(generations: &Generations, name: GenerationName) -> store::Result<Self> {
        Ok(Self { data: DirectoryGeneration::open(generations, name)?, name: name.to_string() })
    }

    fn name(&self) -> GenerationName {
        self.data.name()
    }
}

impl DirectorySource for LocalDirectory {
    fn snapshot(&self) -> Result<Option<Arc<dyn DirectorySnapshot>>, Outdated> {
        match self.behind() {
            Some(behind) if behind.since.elapsed() > OUTDATED_MAX => Err(Outdated(behind.problem)),
            _ => Ok(self.current().map(|snapshot| snapshot as Arc<dyn DirectorySnapshot>)),
        }
    }
}

impl DirectorySnapshot for LocalDirectorySnapshot {
    fn generation(&self) -> &str {
        &self.name
    }

    fn num_records(&self) -> u64 {
        let contents = self.data.contents();
        contents.num_users + contents.num_domains
    }

    fn is_locked(&self, user: UserReference) -> bool {
        self.data.is_locked(user)
    }

    fn has_domain(&self, domain: &DomainReference) -> bool {
        self.data.has_domain(domain)
    }

    fn membership(&self, domain: &DomainReference, user: UserReference) -> Membership {
        self.data.membership(domain, user)
    }
}
