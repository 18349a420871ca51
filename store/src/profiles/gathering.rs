//! How long a commit waits for further writes.

use std::time::{Duration, Instant};

/// The longest that a write waits for company.
const WAIT_MAX: Duration = Duration::from_millis(1);

/// Decides how long a commit waits for further writes.
///
/// Clients that each wait for an answer before they write again come back together, a moment after a commit. The first of them would get a
/// commit of its own, and the others wait for it. So as many are waited for as there were last time, but never long. A single writer is never
/// made to wait.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    /// How many writes the last commit had.
    num_last: usize,
}

impl Gathering {
    /// Returns until when more writes than some that wait since a moment are waited for.
    pub(super) fn deadline(&self, num_waiting: usize, since: Instant) -> Option<Instant> {
        (self.num_last > 1 && num_waiting < self.num_last).then(|| since + WAIT_MAX)
    }

    /// Notes how many writes a commit had.
    pub(super) fn note(&mut self, num_writes: usize) {
        self.num_last = num_writes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_who_came_last_time_are_waited_for() {
        let now = Instant::now();
        let mut gathering = Gathering::default();
        assert_eq!(gathering.deadline(1, now), None);
        gathering.note(1);
        assert_eq!(gathering.deadline(1, now), None);
        gathering.note(3);
        assert_eq!(gathering.deadline(2, now), Some(now + WAIT_MAX));
        assert_eq!(gathering.deadline(3, now), None);
    }
}
