//! The jobs that have ended, in the order in which they are removed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use time::OffsetDateTime;

use super::order::JobId;

/// The time when a job has ended or was last requested, and the job.
type Key = (OffsetDateTime, JobId);

/// The jobs that have ended.
#[derive(Debug, Default)]
pub(super) struct EndedJobs {
    /// All jobs, the earliest first.
    jobs: BTreeMap<Key, EndedJob>,
    times: HashMap<JobId, OffsetDateTime>,
    /// The jobs that have failed.
    failed: BTreeSet<Key>,
    /// The jobs with a result of each client, and their total size in bytes.
    by_client: HashMap<String, (u64, BTreeSet<Key>)>,
    num_bytes: u64,
}

/// A job that has ended.
#[derive(Clone, Debug)]
pub(super) struct EndedJob {
    pub(super) client: String,
    pub(super) has_failed: bool,
    /// Its size in bytes.
    pub(super) num_bytes: u64,
}

impl EndedJobs {
    pub(super) fn push(&mut self, id: JobId, time: OffsetDateTime, end: EndedJob) {
        let key = (time, id);
        self.times.insert(id, time);
        if end.has_failed {
            self.failed.insert(key);
        } else {
            let (num_bytes, keys) = self.by_client.entry(end.client.clone()).or_default();
            *num_bytes += end.num_bytes;
            keys.insert(key);
        }
        self.num_bytes += end.num_bytes;
        self.jobs.insert(key, end);
    }

    /// Removes a job, and returns whether it existed.
    pub(super) fn remove(&mut self, id: JobId) -> bool {
        self.times.get(&id).copied().is_some_and(|time| self.take((time, id)).is_some())
    }

    fn take(&mut self, key: Key) -> Option<JobId> {
        let end = self.jobs.remove(&key)?;
        self.times.remove(&key.1);
        self.num_bytes -= end.num_bytes;
        self.failed.remove(&key);
        if !end.has_failed
            && let Some((num_bytes, keys)) = self.by_client.get_mut(&end.client)
        {
            *num_bytes -= end.num_bytes;
            keys.remove(&key);
            if keys.is_empty() {
                self.by_client.remove(&end.client);
            }
        }
        Some(key.1)
    }

    /// Returns the time when the first job has ended or was last requested.
    pub(super) fn first(&self) -> Option<OffsetDateTime> {
        self.jobs.keys().next().map(|(time, _)| *time)
    }

    /// Removes the job that has ended first, if that was before a time. If all jobs exceed the
    /// space, removes the first one that has failed, otherwise the first one of the client with the
    /// largest total size, so that no client displaces the jobs of others.
    pub(super) fn pop(&mut self, before: OffsetDateTime, bytes_max: u64) -> Option<JobId> {
        let is_over = self.num_bytes > bytes_max;
        let old = self.jobs.keys().next().filter(|(time, _)| *time < before);
        let failed = || self.failed.first().filter(|_| is_over);
        let largest = || self.by_client.values().filter(|_| is_over).max_by_key(|(num_bytes, _)| num_bytes);
        let key = old.or_else(failed).or_else(|| largest()?.1.first()).copied()?;
        self.take(key)
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> JobId {
        Uuid::from_u128(number).to_string().parse().expect("an identifier")
    }

    fn of(client: &str, num_bytes: u64) -> EndedJob {
        EndedJob { client: client.to_owned(), has_failed: false, num_bytes }
    }

    #[test]
    fn earliest_ended_jobs_are_removed_first() {
        let start = OffsetDateTime::UNIX_EPOCH;
        let mut ended = EndedJobs::default();
        // The clock was set back after the first of them.
        for (number, hours, num_bytes) in [(3, 2, 30), (1, 0, 10), (2, 1, 20)] {
            ended.push(id(number), start + hours * Duration::HOUR, of("a", num_bytes));
        }
        assert_eq!((ended.first(), ended.pop(start, 60)), (Some(start), None));
        assert_eq!(ended.pop(start + Duration::SECOND, 60), Some(id(1)));
        ended.push(id(4), start, of("a", 5));
        assert!(ended.remove(id(2)) && !ended.remove(id(2)));
        assert_eq!((ended.pop(start, 35), ended.pop(start, 34), ended.pop(start, 30)), (None, Some(id(4)), None));
        assert_eq!((ended.pop(start, 29), ended.pop(start, 0), ended.first()), (Some(id(3)), None, None));
    }

    #[test]
    fn lack_of_space_removes_failures_and_then_the_largest_client() {
        let start = OffsetDateTime::UNIX_EPOCH;
        let mut ended = EndedJobs::default();
        let ends = [of("a", 40), of("b", 10), of("c", 30), of("c", 30), EndedJob { has_failed: true, ..of("b", 5) }];
        for (number, end) in (0_u8..).zip(ends) {
            ended.push(id(number.into()), start + Duration::seconds(number.into()), end);
        }
        let popped: Vec<_> = std::iter::from_fn(|| ended.pop(start, 0)).collect();
        assert_eq!(popped, [4, 2, 0, 3, 1].map(id));
        assert!(
            ended.by_client.is_empty() && ended.failed.is_empty() && ended.times.is_empty() && ended.num_bytes == 0
        );
    }
}
