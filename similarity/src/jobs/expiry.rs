//! Removing jobs that are old, or more than there is space for.

use std::collections::BTreeMap;

use time::OffsetDateTime;

use super::folder::Folder;
use super::order::JobId;
use super::{Shared, locked};
use crate::Result;

/// The jobs that have ended, the first one first.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// The bytes that each takes.
    jobs: BTreeMap<(OffsetDateTime, JobId), u64>,
    num_bytes: u64,
}

impl Ended {
    pub(super) fn push(&mut self, id: JobId, finished: OffsetDateTime, num_bytes: u64) {
        self.jobs.insert((finished, id), num_bytes);
        self.num_bytes += num_bytes;
    }

    pub(super) fn remove(&mut self, id: JobId) {
        let removed = self.jobs.extract_if(.., |(_, job), _| *job == id);
        self.num_bytes -= removed.map(|(_, num_bytes)| num_bytes).sum::<u64>();
    }

    /// Returns when the first one has ended.
    pub(super) fn first(&self) -> Option<OffsetDateTime> {
        self.jobs.keys().next().map(|(finished, _)| *finished)
    }

    /// Takes the job that has ended first, if that was before a time, or if all take more bytes than they may.
    fn pop(&mut self, before: OffsetDateTime, bytes_max: u64) -> Option<JobId> {
        let entry = self.jobs.first_entry()?;
        let (finished, id) = *entry.key();
        if finished >= before && self.num_bytes <= bytes_max {
            return None;
        }
        self.num_bytes -= entry.remove();
        Some(id)
    }
}

/// Removes what has ended long ago, and the first of what takes too much space. What waits or runs stays. Nothing depends on it: a fault is logged.
pub(super) fn sweep(shared: &Shared) {
    if let Err(error) = try_sweep(shared) {
        tracing::warn!("old searches are not removed: {error}");
    }
}

fn try_sweep(shared: &Shared) -> Result<()> {
    let _changing = locked(&shared.changing);
    // A clock that was set back makes nothing older.
    let before = OffsetDateTime::now_utc() - shared.limits.age;
    loop {
        let over = shared.state().ended.pop(before, shared.limits.kept_bytes);
        let Some(id) = over else { return Ok(()) };
        Folder::of(&shared.root, id).remove()?;
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_first_to_end_go_first() {
        let id = |number: u128| Uuid::from_u128(number).to_string().parse().expect("an identifier");
        let start = OffsetDateTime::UNIX_EPOCH;
        let mut ended = Ended::default();
        // The clock was set back after the first of them.
        for (number, hours, num_bytes) in [(3, 2, 30), (1, 0, 10), (2, 1, 20)] {
            ended.push(id(number), start + hours * Duration::HOUR, num_bytes);
        }
        assert_eq!((ended.first(), ended.pop(start, 60)), (Some(start), None));
        assert_eq!(ended.pop(start + Duration::SECOND, 60), Some(id(1)));
        ended.push(id(4), start, 5);
        ended.remove(id(2));
        ended.remove(id(2));
        assert_eq!((ended.pop(start, 35), ended.pop(start, 34), ended.pop(start, 30)), (None, Some(id(4)), None));
        assert_eq!((ended.pop(start, 29), ended.pop(start, 0), ended.first()), (Some(id(3)), None, None));
    }
}
