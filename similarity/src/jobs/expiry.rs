//! Removing jobs that have expired, or exceed the space.

use store::lock;
use time::OffsetDateTime;

use super::Shared;
use super::folder::Folder;
use crate::Result;

/// Removes expired jobs, and some of those that exceed the space. Waiting and running jobs stay.
/// Nothing depends on it, so errors are logged.
pub(super) fn sweep(shared: &Shared) {
    if let Err(error) = try_sweep(shared) {
        tracing::warn!("old searches are not removed: {error}");
    }
}

fn try_sweep(shared: &Shared) -> Result<()> {
    let _changing = lock(&shared.changing);
    // A clock that was set back makes no job older.
    let before = OffsetDateTime::now_utc() - shared.limits.age;
    loop {
        let over = shared.state().ended.pop(before, shared.limits.kept_bytes());
        let Some(id) = over else { return Ok(()) };
        shared.state().forget(id);
        Folder::of(&shared.root, id).remove()?;
    }
}
