//! Numbers of rows, kept for each range so that a run that goes on has those of the part that was done before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::block::RowPlace;
use super::range::SliceCounts;
use crate::run::{Notes, PassedOver, Reason};

/// What became of the rows of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RowTally {
    /// Rows that were read, as their reader has counted them.
    pub(super) num_read: u64,
    /// Rows that are in the index.
    pub(super) num_accepted: u64,
    /// Good rows that are not in the index, by why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) passed_over: BTreeMap<PassedOver, u64>,
    /// Rows that are in the rejects file, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) rejected: BTreeMap<Reason, u64>,
}

/// What became of all rows of a part of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// The rows of each file, by its position in the run.
    files: Vec<RowTally>,
    /// What is worth telling.
    pub(super) notes: Notes,
    /// How many proteins, indexed or not, each biome has, by ordinal.
    pub(super) proteins_by_biome: BTreeMap<u32, u64>,
}

impl Tally {
    /// Starts at nothing for that many files.
    pub(super) fn new(num_files: usize) -> Self {
        Self { files: vec![RowTally::default(); num_files], ..Self::default() }
    }

    /// Counts a row that is in the index.
    pub(super) fn accept(&mut self, place: RowPlace) {
        self.file(place.file()).num_accepted += 1;
    }

    /// Counts good rows of a file that are not in the index.
    pub(super) fn pass_over(&mut self, file: u16, why: PassedOver, num_rows: u64) {
        *self.file(file).passed_over.entry(why).or_default() += num_rows;
    }

    /// Counts a bad row.
    pub(super) fn reject(&mut self, file: u16, reason: Reason) {
        *self.file(file).rejected.entry(reason).or_default() += 1;
    }

    /// Counts rows that were read outside of any range.
    pub(super) fn read_rows(&mut self, file: u16, num_rows: u64) {
        self.file(file).num_read += num_rows;
    }

    /// Counts what a reader has read.
    pub(super) fn read(&mut self, counts: SliceCounts) {
        for (file, num) in counts.num_read {
            self.file(file).num_read += num;
        }
        for (file, num) in counts.num_clan_rows {
            self.pass_over(file, PassedOver::Clan, num);
        }
        for (biome, num) in counts.proteins_by_biome {
            *self.proteins_by_biome.entry(biome).or_default() += num;
        }
    }

    /// Adds the numbers of another part.
    pub(super) fn add(&mut self, other: Self) {
        for (position, other) in (0..).zip(other.files) {
            let file = self.file(position);
            file.num_read += other.num_read;
            file.num_accepted += other.num_accepted;
            for (why, num) in other.passed_over {
                *file.passed_over.entry(why).or_default() += num;
            }
            for (reason, num) in other.rejected {
                *file.rejected.entry(reason).or_default() += num;
            }
        }
        self.notes.add(other.notes);
        for (biome, num) in other.proteins_by_biome {
            *self.proteins_by_biome.entry(biome).or_default() += num;
        }
    }

    /// Returns the numbers of each file.
    pub(super) fn files(&self) -> &[RowTally] {
        &self.files
    }

    /// Returns how many bad rows count towards the limit.
    pub(super) fn num_towards_limit(&self) -> u64 {
        let rejected = self.files.iter().flat_map(|file| &file.rejected);
        rejected.filter(|(reason, _)| reason.counts_towards_limit()).map(|(_, num)| num).sum()
    }

    /// Returns the numbers of a file.
    fn file(&mut self, position: u16) -> &mut RowTally {
        let position = usize::from(position);
        if self.files.len() <= position {
            self.files.resize(position + 1, RowTally::default());
        }
        &mut self.files[position]
    }
}
