//! The state of a replica that follows an object store, for monitoring and the services.

use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use crate::{ErrorSummary, GenerationName, lock};

/// The state of a replica that fetches generations from an object store: its progress, problems and
/// lag.
#[derive(Debug, Default)]
pub struct FollowState(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    fetching: Option<Fetching>,
    /// The reason why the store cannot be read.
    unreachable: Option<ErrorSummary>,
    /// The reason why the newest generation was not taken over.
    failure: Option<ErrorSummary>,
    /// The time of the last successful read of the store.
    reached: Option<Instant>,
    /// The time at which a publication became known that is newer than the last one taken over.
    newer_since: Option<Instant>,
    /// The time at which attempts to take it over began to fail.
    failed_since: Option<Instant>,
}

/// The lag of a replica.
#[derive(Clone, Debug)]
pub struct Lag {
    /// The time at which a newer publication became known.
    pub since: Instant,
    /// The time at which attempts to take it over began to fail, and the reason of the last
    /// failure.
    pub failed: Option<(Instant, ErrorSummary)>,
}

#[derive(Clone, Copy, Debug)]
struct Fetching {
    generation: GenerationName,
    fetched_bytes: u64,
    size_bytes: u64,
}

impl FollowState {
    /// Describes the generation that is being fetched, and the fetched part of it.
    pub fn progress(&self) -> Option<String> {
        self.lock().fetching.map(|fetching| fetching.to_string())
    }

    /// Returns the time of the last successful read of the store.
    pub fn reached_at(&self) -> Option<Instant> {
        self.lock().reached
    }

    /// Returns the reason why no newer generation was taken over.
    pub fn problem(&self) -> Option<ErrorSummary> {
        let inner = self.lock();
        inner.failure.clone().or_else(|| inner.unreachable.clone())
    }

    /// Returns the lag of this replica, or `None` if it has the newest known publication.
    pub fn lag(&self) -> Option<Lag> {
        let inner = self.lock();
        Some(Lag { since: inner.newer_since?, failed: inner.failed_since.zip(inner.failure.clone()) })
    }

    /// Records that a newer publication is known.
    pub fn knows_newer(&self) {
        let mut inner = self.lock();
        if inner.newer_since.is_none() {
            // The generation rejected before was not a newer one.
            (inner.newer_since, inner.failed_since) = (Some(Instant::now()), None);
        }
    }

    /// Records that a generation is being fetched.
    pub fn begin(&self, generation: GenerationName, fetched_bytes: u64, size_bytes: u64) {
        self.lock().fetching = Some(Fetching { generation, fetched_bytes, size_bytes });
    }

    /// Records that bytes were fetched.
    pub fn fetched(&self, num_bytes: u64) {
        if let Some(fetching) = &mut self.lock().fetching {
            fetching.fetched_bytes += num_bytes;
        }
    }

    /// Records that the newest generation is current.
    pub fn in_step(&self) {
        let mut inner = self.lock();
        (inner.fetching, inner.failure, inner.newer_since, inner.failed_since) = (None, None, None, None);
    }

    /// Records the reason why a generation was not taken over, and returns whether the problem is
    /// new.
    pub fn failed(&self, problem: ErrorSummary) -> bool {
        let mut inner = self.lock();
        inner.fetching = None;
        inner.failed_since.get_or_insert_with(Instant::now);
        inner.failure.replace(problem) != inner.failure
    }

    /// Records the reason why the store cannot be read, and returns whether the kind of the problem
    /// is new.
    pub fn unreachable(&self, problem: ErrorSummary) -> bool {
        let kind = problem.kind();
        self.lock().unreachable.replace(problem).is_none_or(|before| before.kind() != kind)
    }

    /// Records that the store was read, and returns the reason of the failures before.
    pub fn reached(&self) -> Option<ErrorSummary> {
        let mut inner = self.lock();
        inner.reached = Some(Instant::now());
        inner.unreachable.take()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.0)
    }
}

impl fmt::Display for Fetching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { generation, fetched_bytes, size_bytes } = self;
        write!(
            f,
            "fetching generation {generation}: {} of {} MB",
            fetched_bytes / 1_000_000,
            size_bytes.div_ceil(1_000_000)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(text: &str) -> ErrorSummary {
        ErrorSummary::new("a kind", text)
    }

    #[test]
    fn progress_is_in_megabytes() {
        let state = FollowState::default();
        assert_eq!(state.progress(), None);
        state.begin("gen-00000000-0000-0000-0000-000000000007".parse().expect("a name"), 12_000_000, 79_000_001);
        state.fetched(1_500_000);
        let expected = "fetching generation gen-00000000-0000-0000-0000-000000000007: 13 of 80 MB";
        assert_eq!(state.progress().as_deref(), Some(expected));
        state.in_step();
        assert_eq!(state.progress(), None);
    }

    #[test]
    fn lag_lasts_from_a_newer_publication_until_it_is_taken_over() {
        let state = FollowState::default();
        // A rejected generation is not always newer.
        state.failed(summary("older"));
        assert!(state.lag().is_none());
        state.knows_newer();
        let known = state.lag().expect("known");
        assert!(known.failed.is_none());
        state.failed(summary("x"));
        state.knows_newer();
        state.failed(summary("y"));
        let lag = state.lag().expect("known");
        let (failed_since, problem) = lag.failed.expect("it has failed");
        assert!(lag.since == known.since && failed_since >= lag.since && problem == summary("y"));
        state.unreachable(summary("away"));
        assert!(state.lag().is_some());
        state.in_step();
        assert!(state.lag().is_none());
    }

    #[test]
    fn a_problem_is_new_once() {
        let state = FollowState::default();
        assert!(state.failed(summary("x")) && !state.failed(summary("x")) && state.failed(summary("y")));
        assert!(state.unreachable(summary("away")) && !state.unreachable(summary("away, once more")));
        assert!(state.unreachable(ErrorSummary::new("another kind", "away")));
        assert_eq!(state.problem(), Some(summary("y")));
        state.in_step();
        assert!(state.reached_at().is_none());
        assert_eq!(state.reached().map(|summary| summary.kind()), Some("another kind"));
        assert!(state.problem().is_none() && state.reached_at().is_some());
    }
}
