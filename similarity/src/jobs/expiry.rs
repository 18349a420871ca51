//! Removing jobs that are old, or more than there is space for.

use time::OffsetDateTime;

use super::Shared;
use super::folder::{self, Folder};
use crate::Result;

/// Removes what has ended long ago, and the oldest of what takes too much space. What waits or runs stays. Nothing depends on it: a fault is logged.
pub(super) fn sweep(shared: &Shared) {
    if let Err(error) = try_sweep(shared) {
        tracing::warn!("old searches are not removed: {error}");
    }
}

fn try_sweep(shared: &Shared) -> Result<()> {
    let now = OffsetDateTime::now_utc();
    let mut ended: Vec<(OffsetDateTime, u64, Folder)> = Vec::new();
    for folder in folder::all(&shared.root)? {
        // One without an end waits or runs.
        if let Some(done) = folder.done()? {
            ended.push((done.finished, folder.size_bytes(), folder));
        }
    }
    ended.sort_by_key(|(finished, ..)| std::cmp::Reverse(*finished));
    let mut kept_bytes = 0;
    for (finished, size_bytes, folder) in ended {
        kept_bytes += size_bytes;
        // A clock that was set back makes nothing older.
        if now - finished > shared.limits.age || kept_bytes > shared.limits.kept_bytes {
            let state = shared.state();
            // It may just have been ordered again.
            if folder.done()?.is_some() {
                folder.remove()?;
            }
            drop(state);
        }
    }
    Ok(())
}
