//! The resources of jobs: places in the queue, space on the disk, and processor time. Half of the
//! space is for results.

use std::sync::atomic::Ordering;
use std::time::Duration;

use store::available_bytes;

use super::{JobId, JobLimits, Refusal, Shared, Waiting};
use crate::SearchError;

/// The free space below which no new jobs are accepted.
const FREE_BYTES_MIN: u64 = 256 << 20;

/// The free space below which running jobs are stopped. Profiles can be written down to 128 MiB.
const FREE_BYTES_RUNNING_MIN: u64 = 192 << 20;

/// The least number of clients that have room to wait.
const CLIENTS_WAITING_MIN: u64 = 16;

/// A search that has written less is not stopped when others have filled the disk.
const SMALL_BYTES: u64 = 1 << 20;

impl JobLimits {
    /// The most bytes of jobs that have ended.
    pub(super) fn kept_bytes(&self) -> u64 {
        self.disk_bytes / 2
    }

    /// The most bytes of jobs that wait or run.
    pub(super) fn busy_bytes(&self) -> u64 {
        self.disk_bytes - self.kept_bytes()
    }
}

impl Shared {
    /// Refuses a job that has no room to wait.
    pub(super) fn check_room(&self, client: &str, id: JobId, num_bytes: u64) -> std::result::Result<(), Refusal> {
        let JobLimits { num_waiting, num_waiting_of_client, .. } = self.limits;
        let state = self.state();
        if state.running.contains_key(&id) {
            return Err(Refusal::Ending);
        }
        let sum = |waiting: &mut dyn Iterator<Item = &Waiting>| waiting.map(|waiting| waiting.num_bytes).sum::<u64>();
        let bytes_max = self.limits.busy_bytes() / 2;
        let (num, num_of_client) = (state.turns.len(), state.turns.len_of(client));
        let has_room = sum(&mut state.turns.all()) + num_bytes <= bytes_max;
        if num >= num_waiting || !has_room && num > 0 {
            return Err(Refusal::Full(num));
        }
        let of_client = sum(&mut state.turns.of(client)) + num_bytes;
        if num_of_client >= num_waiting_of_client || num_of_client > 0 && of_client > bytes_max / CLIENTS_WAITING_MIN {
            return Err(Refusal::FullOfClient(num_of_client));
        }
        drop(state);
        if !has_room {
            return Err(Refusal::NoSpace);
        }
        let free = available_bytes(&self.root).map_err(SearchError::from)?;
        if free < FREE_BYTES_MIN { Err(Refusal::NoSpace) } else { Ok(()) }
    }

    /// Records the processor time that a running job has used, and the part of it since the last
    /// call. Returns the reason to stop the job, if there is one.
    pub(super) fn reason_to_stop(&self, waiting: &Waiting, used: Duration, more: Duration) -> Option<SearchError> {
        let mut state = self.state();
        if !more.is_zero() {
            state.turns.charge(&waiting.client, more.as_secs_f64());
        }
        let sizes = || state.running.values().map(|running| running.num_bytes.load(Ordering::Relaxed));
        let own = state.running.get(&waiting.id)?.num_bytes.load(Ordering::Relaxed);
        let waiting_bytes: u64 = state.turns.all().map(|waiting| waiting.num_bytes).sum();
        let is_over = waiting_bytes + sizes().sum::<u64>() > self.limits.busy_bytes();
        if is_over && sizes().max() == Some(own) {
            return Some(SearchError::TooMuchOutput(own));
        }
        if own > SMALL_BYTES && available_bytes(&self.root).is_ok_and(|free| free < FREE_BYTES_RUNNING_MIN) {
            return Some(SearchError::NoSpace);
        }
        // One free place for each waiting job is enough.
        let num_stopped = state.running.values().filter(|running| running.stopped.get().is_some()).count();
        let num_others = state.turns.len() - state.turns.len_of(&waiting.client);
        let limit = self.limits.shared_cpu_time;
        (used >= limit && num_others > num_stopped).then_some(SearchError::Crowded(limit))
    }
}
