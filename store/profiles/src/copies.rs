//! Copies of profiles that change while a snapshot shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sled::Batch;
use store::{Result, available_bytes};

use super::commits::room;
use super::database::Database;
use super::keys;

const REMOVED_MAX: usize = 256;

/// The time after which a failed removal of copies is repeated.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
pub(super) struct SnapshotHandle {
    pub(super) number: u64,
    /// The last commit that it shows.
    pub(super) commit: u64,
    /// Set when no more copies are made for this snapshot, before any change that would need a
    /// copy.
    pub(super) is_cut: Arc<AtomicBool>,
}

/// The snapshots that have copies, or will have some.
#[derive(Debug)]
pub(super) struct Copies {
    next_number: u64,
    /// A killed process left copies of snapshots before this number.
    leftover_end: Option<u64>,
    live: BTreeMap<u64, SnapshotHandle>,
    /// Snapshots that ended and may still have copies. The lowest are removed first, so that the
    /// remaining copies stand together.
    ended: BTreeSet<u64>,
    /// `true` if copies cannot be removed for now: there was no space, or they could not be read.
    must_wait: bool,
}

impl Copies {
    pub(super) fn open(database: &Database) -> Result<Self> {
        let last = database.last_key(keys::COPY)?;
        let next_number = last.and_then(|key| keys::snapshot_of(&key)).map_or(0, |last| last + 1);
        let leftover_end = (next_number > 0).then_some(next_number);
        Ok(Self { next_number, leftover_end, live: BTreeMap::new(), ended: BTreeSet::new(), must_wait: false })
    }

    /// Begins a snapshot that shows all commits up to the given one.
    pub(super) fn begin(&mut self, commit: u64) -> SnapshotHandle {
        let handle = SnapshotHandle { number: self.next_number, commit, is_cut: Arc::default() };
        self.next_number += 1;
        self.live.insert(handle.number, handle.clone());
        handle
    }

    /// Returns the number and the last commit of each snapshot that needs copies.
    pub(super) fn needed(&self) -> Vec<(u64, u64)> {
        self.live.values().map(|snapshot| (snapshot.number, snapshot.commit)).collect()
    }

    pub(super) fn end(&mut self, number: u64) {
        self.live.remove(&number);
        self.ended.insert(number);
    }

    /// Stops making copies for the live snapshots: the remaining space is for writes.
    pub(super) fn cut(&mut self) {
        for (number, snapshot) in std::mem::take(&mut self.live) {
            snapshot.is_cut.store(true, Ordering::SeqCst);
            self.ended.insert(number);
        }
    }

    /// Abandons the copies of a failed store. They are removed when it is opened again.
    pub(super) fn forget(&mut self) {
        self.leftover_end = None;
        self.ended.clear();
    }

    /// Returns the time for which the committer may be idle before copies must be removed; `None`
    /// if there are none.
    pub(super) fn idle_max(&self) -> Option<Duration> {
        let is_done = self.leftover_end.is_none() && self.ended.is_empty();
        (!is_done).then_some(if self.must_wait { RETRY_INTERVAL } else { Duration::ZERO })
    }

    /// Removes some copies of a snapshot that ended, durably: the engine reuses the space of
    /// removed entries.
    pub(super) fn remove_some(&mut self, database: &Database) -> Result<()> {
        if self.idle_max().is_none() {
            return Ok(());
        }
        self.must_wait = room::is_short(available_bytes(database.path()).unwrap_or(0));
        if self.must_wait {
            return Ok(());
        }
        let (prefix, end) = match (self.leftover_end, self.ended.first()) {
            (Some(end), _) => (keys::COPY.to_vec(), end),
            (None, Some(&number)) => (keys::copies(number), number + 1),
            (None, None) => return Ok(()),
        };
        // Nothing was written yet, so that this failure is not final.
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
