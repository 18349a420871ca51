//! Reading all profiles as of one moment.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;

use sled::IVec;
use store::{Error, Result, available_bytes};

use super::commits::committer::Message;
use super::commits::room;
use super::commits::shared::Shared;
use super::copies::SnapshotHandle;
use super::database::Entry;
use super::keys;
use super::record::{Damaged, Record};

/// All profiles as of one moment, ordered by reference, whatever is written meanwhile.
///
/// A profile that has not changed since is read from its record. If it has changed, the committer
/// made a copy; without a copy, the profile was created later. Erased profiles are omitted.
pub struct ProfileSnapshot {
    shared: Arc<Shared>,
    committer: Sender<Message>,
    handle: SnapshotHandle,
    last: Option<IVec>,
    /// The entries that were read ahead.
    entries: VecDeque<Entry>,
    /// The number of erasing commits when `entries` were read.
    num_erasing_commits: u64,
    is_over: bool,
}

impl ProfileSnapshot {
    pub(super) fn new(shared: Arc<Shared>, committer: Sender<Message>, handle: SnapshotHandle) -> Self {
        let (entries, num_erasing_commits) = (VecDeque::new(), 0);
        Self { shared, committer, handle, last: None, entries, num_erasing_commits, is_over: false }
    }

    fn read(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            self.shared.durability.check()?;
            let database = &self.shared.database;
            let num_erasing_commits = self.shared.num_erasing_commits.load(Ordering::SeqCst);
            let Some((key, record)) = self.entries.pop_front() else {
                self.num_erasing_commits = num_erasing_commits;
                self.entries = database.entries_after(keys::PROFILE, self.last.as_deref())?.into();
                let Some((last, _)) = self.entries.back() else { return Ok(None) };
                self.last = Some(last.clone());
                continue;
            };
            if num_erasing_commits != self.num_erasing_commits && database.get(&key)?.is_none() {
                continue;
            }
            if let Some(line) = self.shown(&key, &record)? {
                return Ok(Some(line));
            }
            let reference = keys::profile_of(&key).ok_or_else(|| self.damaged(&key))?;
            let Some(copy) = database.get(&keys::copy(self.handle.number, reference))? else {
                if self.handle.is_cut.load(Ordering::SeqCst) {
                    return Err(room::error(database.path(), available_bytes(database.path())?));
                }
                continue;
            };
            return match self.shown(&key, &copy)? {
                Some(line) => Ok(Some(line)),
                None => Err(self.damaged(&key)),
            };
        }
    }

    /// Returns the line of a record, unless it is newer than the snapshot.
    fn shown(&self, key: &[u8], record: &[u8]) -> Result<Option<Vec<u8>>> {
        let Record { commit, line } = Record::read(record).map_err(|Damaged| self.damaged(key))?;
        Ok((commit <= self.handle.commit).then(|| line.to_vec()))
    }

    fn damaged(&self, key: &[u8]) -> Error {
        self.shared.folder.damaged_profile(key)
    }
}

impl Iterator for ProfileSnapshot {
    /// A line of an export: a [`Profile`](crate::Profile) in JSON, without a line feed. The
    /// iterator continues after a damaged profile, and ends after any other error.
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.read().transpose();
        self.is_over = !matches!(next, Some(Ok(_) | Err(Error::ProfilesDamaged { .. })));
        next
    }
}

impl Drop for ProfileSnapshot {
    fn drop(&mut self) {
        // If the store has been closed, the copies are removed when it is opened again.
        let _ = self.committer.send(Message::EndSnapshot(self.handle.number));
    }
}
