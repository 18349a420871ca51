//! The directory that is served: who belongs to which domain, and who is locked.

use std::sync::Arc;
use std::time::Duration;

use store::{DirectoryGeneration, GenerationName, Generations};

use crate::following::{Following, Served};

/// How long a directory may be used after a newer one was published that cannot be opened: that one may lock accounts.
const OUTDATED_MAX: Duration = Duration::from_secs(5);

/// The directory is outdated, and its successor cannot be opened for the reason given.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the directory is outdated: {0}")]
pub struct Outdated(pub String);

/// The current directory of a folder, and newer ones as they are published.
pub type LocalDirectory = Following<DirectoryGeneration>;

impl Served for DirectoryGeneration {
    const WHAT: &'static str = "the directory";

    fn open(generations: &Generations, name: GenerationName) -> store::Result<Self> {
        Self::open(generations, name)
    }

    fn name(&self) -> GenerationName {
        self.name()
    }
}

impl LocalDirectory {
    /// Returns the directory that is served now, or `None` if none was ever loaded. If it is outdated, nothing should be decided by it.
    pub(crate) fn snapshot(&self) -> Result<Option<Arc<DirectoryGeneration>>, Outdated> {
        match self.behind() {
            Some(behind) if behind.since.elapsed() > OUTDATED_MAX => Err(Outdated(behind.problem)),
            _ => Ok(self.current()),
        }
    }
}
