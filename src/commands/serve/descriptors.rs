//! How many files and connections the process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// How many descriptors are kept for files: two generations of each kind, the profiles, logs, schemas that are fetched.
const RESERVED: u64 = 256;

/// Raises the limit of descriptors as far as the system allows, and returns how many connections may be open: as many as were asked for, or
/// fewer where the files need what is left.
pub(super) fn connections_max(wanted: usize) -> usize {
    let descriptors = raise();
    // Half of very few is little, but serves.
    let spare = descriptors.saturating_sub(RESERVED).max(descriptors / 2);
    let connections_max = wanted.min(usize::try_from(spare).unwrap_or(usize::MAX)).max(1);
    if connections_max < wanted {
        tracing::warn!(
            "at most {connections_max} connections: the system allows {descriptors} descriptors (ulimit -n)"
        );
    }
    connections_max
}

/// Raises the soft limit to the hard one, and returns it.
fn raise() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // No value stands for no limit.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    if raised.is_ok() { maximum.unwrap_or(u64::MAX) } else { current.unwrap_or(u64::MAX) }
}
