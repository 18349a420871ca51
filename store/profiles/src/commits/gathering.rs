//! Waiting for further writes before a commit.

use std::time::{Duration, Instant};

const WAIT_MAX: Duration = Duration::from_millis(1);

/// Decides how long a commit waits for further writes.
///
/// Clients that wait for an answer before they write again come back together, right after a commit. Without waiting, the first of them
/// would get a commit of its own, and the others would wait for it. So a commit waits for as many writes as the last one had, but never long.
/// A single writer never waits.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    num_last: usize,
}

impl Gathering {
    /// Returns until when to wait for further writes, given that some wait since a moment.
    pub(crate) fn deadline(&self, num_waiting: usize, since: Instant) -> Option<Instant> {
        (self.num_last > 1 && num_waiting < self.num_last).then(|| since + WAIT_MAX)
    }

    pub(crate) fn note(&mut self, num_writes: usize) {
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
