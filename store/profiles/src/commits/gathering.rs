//! Waiting for further writes before a commit.

use std::time::{Duration, Instant};

const WAIT_MAX: Duration = Duration::from_millis(1);

/// Decides the time for which a commit waits for further writes.
///
/// Clients that wait for an answer before they write again return together, right after a commit.
/// Without waiting, the first of them would get a commit of its own, and the others would wait for
/// it. So a commit waits for as many writes as the last one had, but never long. A single writer
/// never waits.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    num_last: usize,
}

impl Gathering {
    /// Returns the end of the wait for further writes, given that some have been waiting since
    /// `since`.
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
    fn a_commit_waits_for_as_many_writes_as_the_last_one() {
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
