//! Removing jobs that have expired, or exceed the space.

use std::time::Duration;

use store::lock;
use time::OffsetDateTime;

use super::folder::Folder;
use super::{Shared, State};
use crate::Result;

/// The pauses between two checks for expired jobs.
const SWEEP_MIN: Duration = Duration::from_secs(1);
const SWEEP_MAX: Duration = Duration::from_mins(1);

impl Shared {
    /// Returns the time when a job that has ended expires.
    pub(super) fn expires(&self, finished: OffsetDateTime) -> OffsetDateTime {
        finished.saturating_add(self.limits.age.try_into().unwrap_or(time::Duration::MAX))
    }

    /// Returns the time until the first job expires, within bounds, since the clock may be set
    /// meanwhile.
    pub(super) fn until_expiry(&self, state: &State) -> Duration {
        let left = state.ended.first().map(|first| self.expires(first) - OffsetDateTime::now_utc());
        let left = left.and_then(|left| Duration::try_from(left.max(time::Duration::ZERO)).ok());
        left.unwrap_or(SWEEP_MAX).clamp(SWEEP_MIN, SWEEP_MAX)
    }
}

/// Removes expired jobs, and some of those that exceed the space. Waiting and running jobs stay.
/// Nothing depends on it, so errors are logged.
pub(super) fn sweep(shared: &Shared) {
    if let Err(error) = try_sweep(shared) {
        tracing::warn!("cannot remove old searches: {error}");
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
