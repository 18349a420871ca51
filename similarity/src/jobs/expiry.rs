//! Removing jobs that are old, or more than there is space for.

use std::collections::VecDeque;

use time::OffsetDateTime;

use super::folder::Folder;
use super::order::JobId;
use super::{Shared, locked};
use crate::Result;

/// The jobs that have ended, in this order.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// When each has ended, and the bytes that it takes.
    jobs: VecDeque<(JobId, OffsetDateTime, u64)>,
    num_bytes: u64,
}

impl Ended {
    pub(super) fn new(jobs: Vec<(JobId, OffsetDateTime, u64)>) -> Self {
        Self { num_bytes: jobs.iter().map(|(.., num_bytes)| num_bytes).sum(), jobs: jobs.into() }
    }

    pub(super) fn push(&mut self, id: JobId, finished: OffsetDateTime, num_bytes: u64) {
        self.jobs.push_back((id, finished, num_bytes));
        self.num_bytes += num_bytes;
    }

    pub(super) fn remove(&mut self, id: JobId) {
        if let Some(position) = self.jobs.iter().position(|(job, ..)| *job == id) {
            let removed = self.jobs.remove(position);
            self.num_bytes -= removed.map_or(0, |(.., num_bytes)| num_bytes);
        }
    }

    /// Takes the job that has ended first, if that was before a time, or if all take more bytes than they may.
    fn pop(&mut self, before: OffsetDateTime, bytes_max: u64) -> Option<JobId> {
        let (id, finished, _) = *self.jobs.front()?;
        let is_over = finished < before || self.num_bytes > bytes_max;
        is_over.then(|| self.remove(id)).map(|()| id)
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
        let mut ended = Ended::new(vec![(id(1), start, 10), (id(2), start + Duration::HOUR, 20)]);
        ended.push(id(3), start + 2 * Duration::HOUR, 30);
        assert_eq!(ended.pop(start, 60), None);
        assert_eq!(ended.pop(start + Duration::SECOND, 60), Some(id(1)));
        ended.push(id(4), start, 5);
        assert_eq!(ended.pop(start, 54), Some(id(2)));
        ended.remove(id(3));
        ended.remove(id(3));
        assert_eq!((ended.pop(start, 5), ended.pop(start, 4), ended.pop(start, 0)), (None, Some(id(4)), None));
    }
}
