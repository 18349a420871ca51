//! The directory that is served: who belongs to which domain, and who is locked.

use std::sync::Arc;
use std::time::Duration;

use store::DirectoryGeneration;

use crate::Lag;
use crate::following::Following;

/// How long a directory may be used after a newer one was published that cannot be opened: that one may lock accounts.
const OUTDATED_MAX: Duration = Duration::from_secs(5);

/// How long a directory may be used while a newer one is fetched from elsewhere, if no attempt fails.
const FETCHING_MAX: Duration = Duration::from_mins(1);

/// The directory is outdated, and its successor cannot be opened for the reason given, as strangers are told.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the directory is outdated: {0}")]
pub struct Outdated(pub &'static str);

/// The current directory of a folder, and newer ones as they are published.
pub type LocalDirectory = Following<DirectoryGeneration>;

impl LocalDirectory {
    /// Returns the directory that is served now, or `None` if none was ever loaded. If it is outdated, nothing should be decided by it.
    pub(crate) fn snapshot(&self) -> Result<Option<Arc<DirectoryGeneration>>, Outdated> {
        match (self.behind(), self.current()) {
            (Some(behind), _) if behind.since.elapsed() > OUTDATED_MAX => Err(Outdated(behind.problem.kind())),
            (_, Some(directory)) => self.unless_overdue(directory).map(Some),
            // Nobody knows who is locked.
            (Some(behind), None) => Err(Outdated(behind.problem.kind())),
            (_, None) if self.origin().is_followed() => Err(Outdated("it was not fetched yet")),
            (_, None) => Ok(None),
        }
    }

    /// Returns a directory unless a newer one is known that does not come. One that nobody can know of, as the place where it would be is away, does
    /// not count.
    fn unless_overdue(&self, directory: Arc<DirectoryGeneration>) -> Result<Arc<DirectoryGeneration>, Outdated> {
        match self.origin().lag() {
            Some(Lag { failed: Some((since, problem)), .. }) if since.elapsed() > OUTDATED_MAX => {
                Err(Outdated(problem))
            }
            Some(Lag { since, .. }) if since.elapsed() > FETCHING_MAX => {
                Err(Outdated("a newer one was not fetched within a minute"))
            }
            _ => Ok(directory),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use store::Generations;
    use tempfile::TempDir;

    use super::*;
    use crate::profiles::tests::directory;
    use crate::{DataOrigin, ReplicaStatus};

    /// Knows of something newer since so many seconds, and cannot fetch it since so many.
    struct Late(u64, Option<u64>);

    impl ReplicaStatus for Late {
        fn progress(&self) -> Option<String> {
            None
        }

        fn problem(&self) -> Option<&'static str> {
            None
        }

        fn asked(&self) -> Option<Instant> {
            None
        }

        fn lag(&self) -> Option<Lag> {
            let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).expect("the machine is up");
            let failed = self.1.map(|seconds| (ago(seconds), "altered"));
            Some(Lag { since: ago(self.0), failed })
        }
    }

    #[test]
    fn a_directory_is_used_until_a_newer_one_fails_to_come_for_too_long() {
        let folder = TempDir::new().expect("a temporary folder");
        drop(directory(folder.path()));
        let outdated = |since, failed_since| {
            let generations = Generations::new(folder.path().join("directory"));
            let origin = DataOrigin::Followed(Arc::new(Late(since, failed_since)));
            LocalDirectory::open_from(generations, origin).expect("whole").snapshot().map(drop)
        };
        assert!(outdated(59, None).is_ok() && outdated(59, Some(4)).is_ok());
        assert!(outdated(61, None).is_err() && outdated(61, Some(4)).is_err());
        assert_eq!(outdated(7, Some(6)).map_err(|Outdated(problem)| problem), Err("altered"));
        let empty = Generations::new(folder.path().join("nothing"));
        let loaded = LocalDirectory::open(empty.clone()).expect("nothing");
        assert!(loaded.snapshot().is_ok_and(|none| none.is_none()));
        let followed =
            LocalDirectory::open_from(empty, DataOrigin::Followed(Arc::new(Late(1, None)))).expect("nothing");
        assert!(followed.snapshot().is_err(), "nobody knows yet who is locked");
    }
}
