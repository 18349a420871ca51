//! The copies that are made of profiles which change while a snapshot shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sled::Batch;

use super::database::Database;
use super::{keys, room};
use crate::{Result, available_bytes};

/// How many copies are removed at a time.
const REMOVED_MAX: usize = 256;

/// How long copies that cannot be removed wait for the next attempt.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// A snapshot that has begun.
#[derive(Clone, Debug)]
pub(super) struct BegunSnapshot {
    /// Its number.
    pub(super) number: u64,
    /// The last commit that it shows.
    pub(super) commit: u64,
    /// Set when no further copies are made for it, before anything changes that it would need one of.
    pub(super) is_cut: Arc<AtomicBool>,
}

/// The snapshots that have copies, or will have.
#[derive(Debug)]
pub(super) struct Copies {
    /// The number of the next snapshot.
    next: u64,
    /// Copies of snapshots before this one were left by a process that was killed.
    leftover_end: Option<u64>,
    /// The snapshots that are being read, by number.
    live: BTreeMap<u64, BegunSnapshot>,
    /// Those that ended and may still have copies. The lowest are removed first, so that what is left stands together.
    ended: BTreeSet<u64>,
    /// Whether some could not be removed for now: there was no room, or they could not be read.
    must_wait: bool,
}

impl Copies {
    /// Starts with those that are in a database already.
    pub(super) fn of(database: &Database) -> Result<Self> {
        let last = database.last_key(keys::COPY)?;
        let next = last.and_then(|key| keys::snapshot_of(&key)).map_or(0, |last| last + 1);
        let leftover_end = (next > 0).then_some(next);
        Ok(Self { next, leftover_end, live: BTreeMap::new(), ended: BTreeSet::new(), must_wait: false })
    }

    /// Begins a snapshot of all up to a commit.
    pub(super) fn begin(&mut self, commit: u64) -> BegunSnapshot {
        let begun = BegunSnapshot { number: self.next, commit, is_cut: Arc::default() };
        self.next += 1;
        self.live.insert(begun.number, begun.clone());
        begun
    }

    /// Returns number and last commit of the snapshots that need copies.
    pub(super) fn needed(&self) -> Vec<(u64, u64)> {
        self.live.values().map(|snapshot| (snapshot.number, snapshot.commit)).collect()
    }

    /// Ends a snapshot.
    pub(super) fn end(&mut self, number: u64) {
        self.live.remove(&number);
        self.ended.insert(number);
    }

    /// Makes no further copies for those who read now: the disk is for those who write.
    pub(super) fn cut(&mut self) {
        for (number, snapshot) in std::mem::take(&mut self.live) {
            snapshot.is_cut.store(true, Ordering::SeqCst);
            self.ended.insert(number);
        }
    }

    /// Gives up on all copies, of a store that failed. They are removed after it was opened again.
    pub(super) fn forget(&mut self) {
        self.leftover_end = None;
        self.ended.clear();
    }

    /// Returns how long nothing may be done while there are copies to be removed.
    pub(super) fn idle_max(&self) -> Option<Duration> {
        let is_done = self.leftover_end.is_none() && self.ended.is_empty();
        (!is_done).then_some(if self.must_wait { RETRY_INTERVAL } else { Duration::ZERO })
    }

    /// Removes some copies of a snapshot that ended. That is durable before more is done: the engine writes over what it takes for removed.
    pub(super) fn remove_some(&mut self, database: &Database) -> Result<()> {
        if self.idle_max().is_none() {
            return Ok(());
        }
        self.must_wait = room::is_short(available_bytes(database.path()).unwrap_or_default());
        if self.must_wait {
            return Ok(());
        }
        let (prefix, end) = match (self.leftover_end, self.ended.first()) {
            (Some(end), _) => (keys::COPY.to_vec(), end),
            (None, Some(&number)) => (keys::copies(number), number + 1),
            (None, None) => return Ok(()),
        };
        // Nothing was written yet: only a failed write is final.
        let Ok(found) = database.keys(&prefix, REMOVED_MAX) else {
            self.must_wait = true;
            return Ok(());
        };
        let removed: Vec<_> =
            found.iter().take_while(|key| keys::snapshot_of(key).is_some_and(|number| number < end)).collect();
        if removed.len() < REMOVED_MAX {
            match self.leftover_end.take() {
                Some(_) => {}
                None => drop(self.ended.pop_first()),
            }
        }
        if removed.is_empty() {
            return Ok(());
        }
        let mut batch = Batch::default();
        for key in removed {
            batch.remove(key);
        }
        database.apply(batch)?;
        database.make_durable()
    }
}
