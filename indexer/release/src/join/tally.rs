//! Numbers of rows, kept for each range so that a continued run has those of ranges that are
//! already done.

use std::collections::BTreeMap;

use indexer::run::{Notes, PassedOver, Reason, RejectedRow};
use serde::{Deserialize, Serialize};

use crate::read::{LeftOut, RowOrigin};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowTally {
    pub(crate) num_read: u64,
    /// Rows that are in the index.
    pub(crate) num_accepted: u64,
    /// Good rows that are not in the index.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) passed_over: BTreeMap<PassedOver, u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) rejected: BTreeMap<Reason, u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// The rows of each file, by its position in the run. Files after the last one have no rows.
    files: Vec<RowTally>,
    pub(crate) notes: Notes,
}

impl Tally {
    pub(crate) fn read(&mut self, file: u16, num_rows: u64) {
        self.file(file).num_read += num_rows;
    }

    /// Counts a row that was left out. A bad row is not counted as such, but returned, because it
    /// must still be listed.
    pub(crate) fn leave_out<'a>(&mut self, origin: RowOrigin, left_out: &'a LeftOut) -> Option<&'a RejectedRow> {
        let file = origin.file();
        self.read(file, 1);
        match left_out {
            LeftOut::Rejected(row) => return Some(row),
            LeftOut::PassedOver(why) => *self.file(file).passed_over.entry(*why).or_default() += 1,
            LeftOut::Used => self.accept(file),
        }
        None
    }

    pub(crate) fn accept(&mut self, file: u16) {
        self.file(file).num_accepted += 1;
    }

    /// Takes back that a row was accepted, since it turned out to be bad.
    pub(crate) fn withdraw(&mut self, file: u16) {
        self.file(file).num_accepted -= 1;
    }

    pub(crate) fn pass_over(&mut self, file: u16, why: PassedOver) {
        *self.file(file).passed_over.entry(why).or_default() += 1;
    }

    pub(crate) fn reject(&mut self, file: u16, reason: Reason) {
        *self.file(file).rejected.entry(reason).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (position, other) in (0..).zip(other.files) {
            let file = self.file(position);
            file.num_read += other.num_read;
            file.num_accepted += other.num_accepted;
            add_counts(&mut file.passed_over, other.passed_over);
            add_counts(&mut file.rejected, other.rejected);
        }
        self.notes.add(other.notes);
    }

    pub(crate) fn files(&self) -> &[RowTally] {
        &self.files
    }

    /// Returns the number of bad rows that count towards the limit.
    pub(crate) fn num_towards_limit(&self) -> u64 {
        let rejected = self.files.iter().flat_map(|file| &file.rejected);
        rejected.filter(|(reason, _)| reason.counts_towards_limit()).map(|(_, num)| num).sum()
    }

    fn file(&mut self, position: u16) -> &mut RowTally {
        let position = usize::from(position);
        if self.files.len() <= position {
            self.files.resize(position + 1, RowTally::default());
        }
        &mut self.files[position]
    }
}

fn add_counts<K: Ord>(sums: &mut BTreeMap<K, u64>, counts: BTreeMap<K, u64>) {
    for (key, count) in counts {
        *sums.entry(key).or_default() += count;
    }
}
