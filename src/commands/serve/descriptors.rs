//! The limit of open files and connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use store_proteins::SOURCES_MAX;

/// The files of a source of own data that stay open: four of digests, six of contigs.
const SOURCE_FILES: u64 = 10;

/// Descriptors that are reserved for files: two generations of each kind with all their sources,
/// profiles, logs, and connections for schemas.
pub(crate) const RESERVED: u64 = 256 + 2 * SOURCES_MAX as u64 * SOURCE_FILES;

/// Raises the limit of descriptors as far as the system allows, and returns the number of
/// connections that may be open: `wanted`, or fewer if there are too few descriptors.
pub(super) fn connections_max(wanted: usize) -> usize {
    let descriptors = raise();
    // If there are very few descriptors, connections get half of them.
    let spare = descriptors.saturating_sub(RESERVED).max(descriptors / 2);
    let connections_max = wanted.min(usize::try_from(spare).unwrap_or(usize::MAX)).max(1);
    if connections_max < wanted {
        tracing::warn!(
            "at most {connections_max} connections: the system allows {descriptors} descriptors (ulimit -n)"
        );
    }
    connections_max
}

fn raise() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // `None` means unlimited.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    if raised.is_ok() { maximum.unwrap_or(u64::MAX) } else { current.unwrap_or(u64::MAX) }
}
