//! The limit of open files and connections.

use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors that are reserved for files besides those of generations: profiles, logs, and
/// connections for schemas.
pub(crate) const RESERVED: u64 = 256;

/// Raises the limit of descriptors as far as the system allows, and returns the number of
/// connections that may be open: `wanted`, or fewer if there are too few descriptors. Call it once
/// all generations are open, since their files are counted.
pub(super) fn connections_max(wanted: usize) -> usize {
    let descriptors = raise();
    // New generations open as many files before the old ones are closed.
    let num_open = fs::read_dir("/dev/fd").map_or(0, Iterator::count) as u64;
    // If there are very few descriptors, connections get half of them.
    let spare = descriptors.saturating_sub(RESERVED + 2 * num_open).max(descriptors / 2);
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
