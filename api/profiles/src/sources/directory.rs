//! The directory that is served: the members of domains, and the locked users.

use std::sync::Arc;
use std::time::Duration;

use api_http::following::Following;
use store::Lag;
use store_profiles::DirectoryGeneration;

/// The longest use of a directory after a newer one was published that cannot be opened: the newer
/// one may lock accounts.
const OUTDATED_MAX: Duration = Duration::from_secs(5);

/// The longest use of a directory while a newer one is fetched from elsewhere, if no attempt fails.
const FETCHING_MAX: Duration = Duration::from_mins(1);

/// The directory is outdated, and its successor cannot be opened for the given public reason.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the directory is outdated: {0}")]
pub struct Outdated(pub &'static str);

/// The current directory of a folder, and newer ones as they are published.
pub type LocalDirectory = Following<DirectoryGeneration>;

/// Returns the directory that is served now, or `None` if none was ever loaded.
///
/// # Errors
///
/// * It is outdated: no decision should be based on it.
pub fn current_directory(served: &LocalDirectory) -> Result<Option<Arc<DirectoryGeneration>>, Outdated> {
    match (served.update_failure(), served.current()) {
        (Some(failure), _) if failure.since.elapsed() > OUTDATED_MAX => Err(Outdated(failure.problem.kind())),
        (_, Some(directory)) => served.origin().lag().and_then(overdue).map_or(Ok(Some(directory)), Err),
        // It is not known which users are locked.
        (Some(failure), None) => Err(Outdated(failure.problem.kind())),
        (_, None) if served.origin().is_followed() => Err(Outdated("it has not been fetched yet")),
        (_, None) => Ok(None),
    }
}

/// Returns an error if a newer directory is published but cannot be fetched. While the object store
/// is unreachable, newer ones are unknown, and the present directory counts.
fn overdue(Lag { since, failed }: Lag) -> Option<Outdated> {
    match failed {
        Some((since, problem)) if since.elapsed() > OUTDATED_MAX => Some(Outdated(problem.kind())),
        _ if since.elapsed() > FETCHING_MAX => Some(Outdated("a newer one was not fetched within a minute")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use api_http::DataOrigin;
    use store::{ErrorSummary, FollowState, Generations};
    use tempfile::TempDir;

    use super::*;
    use crate::tests::directory;

    #[test]
    fn directories_are_used_until_a_newer_one_is_overdue() {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).expect("the machine is up");
        let overdue = |since, failed_since: Option<u64>| {
            let failed = failed_since.map(|seconds| (ago(seconds), ErrorSummary::new("altered", "")));
            overdue(Lag { since: ago(since), failed }).map(|Outdated(problem)| problem)
        };
        assert!(overdue(59, None).is_none() && overdue(59, Some(4)).is_none());
        assert!(overdue(61, None).is_some() && overdue(61, Some(4)).is_some());
        assert_eq!(overdue(7, Some(6)), Some("altered"));
    }

    #[test]
    fn followed_directories_must_be_fetched_before_use() {
        let folder = TempDir::new().expect("a temporary folder");
        drop(directory(folder.path()));
        let followed = |name: &str| {
            let origin = DataOrigin::Followed(Arc::<FollowState>::default());
            LocalDirectory::open_from(Generations::new(folder.path().join(name)), origin).expect("whole")
        };
        assert!(current_directory(&followed("directory")).is_ok_and(|directory| directory.is_some()));
        assert!(current_directory(&followed("nothing")).is_err(), "nobody knows yet who is locked");
        let loaded = LocalDirectory::open(Generations::new(folder.path().join("nothing"))).expect("nothing");
        assert!(current_directory(&loaded).is_ok_and(|none| none.is_none()));
    }
}
