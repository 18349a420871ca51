//! The copies that are made of profiles which change while a snapshot shows them.

use std::collections::{BTreeMap, VecDeque};

use super::database::Database;
use super::opening::remove_copies;
use super::{keys, room};
use crate::Result;

/// The snapshots that have copies, or will have.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The number of the next one.
    next: u64,
    /// The last commit that each one shows, by number.
    live: BTreeMap<u64, u64>,
    /// Those that ended and may still have copies.
    ended: VecDeque<u64>,
}

impl Copies {
    /// Begins a snapshot of all up to a commit, and returns its number.
    pub(super) fn begin(&mut self, commit: u64) -> u64 {
        let number = self.next;
        self.next += 1;
        self.live.insert(number, commit);
        number
    }

    /// Returns the last commit that each snapshot shows, by number.
    pub(super) fn live(&self) -> &BTreeMap<u64, u64> {
        &self.live
    }

    /// Ends a snapshot.
    pub(super) fn end(&mut self, number: u64) {
        self.live.remove(&number);
        self.ended.push_back(number);
    }

    /// Tells whether there is something to be removed.
    pub(super) fn has_ended(&self) -> bool {
        !self.ended.is_empty()
    }

    /// Removes some copies of a snapshot that ended. It matters to nobody when that is on the disk.
    pub(super) fn remove_some(&mut self, database: &Database) -> Result<()> {
        let Some(number) = self.ended.pop_front() else { return Ok(()) };
        // Without room they stay until the store is opened again.
        if !room::is_short(room::available_bytes(database.path())?) && remove_copies(database, &keys::copies(number))? {
            self.ended.push_front(number);
        }
        Ok(())
    }
}
