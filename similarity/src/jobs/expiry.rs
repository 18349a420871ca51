//! Removing jobs that are old, or more than there is space for.

use store::lock;
use time::OffsetDateTime;

use super::Shared;
use super::folder::Folder;
use crate::Result;

/// Removes what has ended long ago, and some of what takes too much space. What waits or runs stays. Nothing depends on it: a fault is logged.
pub(super) fn sweep(shared: &Shared) {
    if let Err(error) = try_sweep(shared) {
        tracing::warn!("old searches are not removed: {error}");
    }
}

fn try_sweep(shared: &Shared) -> Result<()> {
    let _changing = lock(&shared.changing);
    // A clock that was set back makes nothing older.
    let before = OffsetDateTime::now_utc() - shared.limits.age;
    loop {
        let over = shared.state().ended.pop(before, shared.limits.kept_bytes());
        let Some(id) = over else { return Ok(()) };
        shared.state().forget(id);
        Folder::of(&shared.root, id).remove()?;
    }
}
