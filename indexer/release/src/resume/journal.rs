//! The journal of a run, written during the run, so that a killed run can be continued.
//!
//! One event per line: the CRC-32 of the JSON in hexadecimal digits, a space, the JSON. The first
//! incomplete line and all lines after it are cut off.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use indexer::{Error, Result};
use serde::{Deserialize, Serialize};
use store::{FileEntry, lock};
use store_proteins::SegmentEntry;

use crate::join::tally::Tally;
use crate::table::Table;

use super::fingerprint::Fingerprint;

const JOURNAL: &str = "journal";

/// The version of the events, of sorted rows and of segments. A run of another version is not
/// continued.
pub(crate) const VERSION: u32 = 3;

/// A piece of finished work. The kind is the key of an enclosing object: with an internal tag, keys
/// of maps could not be numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    Started {
        version: u32,
        inputs: Fingerprint,
        range_proteins: usize,
    },
    /// A lineage occurred that the biome table lacks.
    Lineage {
        lineage: String,
    },
    /// A table turned out not to be in order: all ranges are void.
    OutOfOrder {
        table: Table,
    },
    /// The files have the expected sums.
    Summed {
        sums: Vec<String>,
    },
    Sorted(SortedRows),
    Range(FinishedRange),
    Merged(MergedRanges),
    /// The run was refused as suspicious and published nothing. The user may still allow it.
    Refused,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SortedRows {
    pub(crate) name: String,
    /// The files of the runs, inside the folder of the work.
    pub(crate) runs: Vec<PathBuf>,
    /// The rows that were left out during sorting.
    pub(crate) tally: Tally,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FinishedRange {
    pub(crate) number: u32,
    pub(crate) keys: Range<u64>,
    /// The segment, unless the range has no protein.
    pub(crate) segment: Option<SegmentEntry>,
    pub(crate) files: Vec<FileEntry>,
    pub(crate) tally: Tally,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MergedRanges {
    /// The last of the ranges; the first follows the last of those merged before.
    pub(crate) last_range: u32,
    pub(crate) segment: SegmentEntry,
    pub(crate) files: Vec<FileEntry>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Done {
    /// The inputs and the number of proteins in a range of a started run.
    pub(crate) started: Option<(Fingerprint, usize)>,
    /// Lineages that the biome table lacks, in the order of their first occurrence.
    pub(crate) lineages: Vec<String>,
    pub(crate) out_of_order: BTreeSet<Table>,
    pub(crate) sums: Vec<String>,
    pub(crate) sorted: BTreeMap<String, SortedRows>,
    /// Ranges that were indexed and not merged, by rank.
    pub(crate) ranges: BTreeMap<u32, FinishedRange>,
    /// Ranges that were merged, ascending: they precede all ranges that were not.
    pub(crate) merged: Vec<MergedRanges>,
    pub(crate) merged_tally: Tally,
    pub(crate) merged_end: u64,
    /// Set if the run has refused to publish its work, and nothing was done since.
    pub(crate) is_refused: bool,
}

pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    pub(crate) fn open(work: &Path) -> Result<(Self, Done)> {
        let path = work.join(JOURNAL);
        let error = |error| Error::io("cannot open", &path)(error);
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(error)?;
        let mut done = Done::default();
        let mut complete_bytes = 0;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).map_err(Error::io("cannot read", &path))? > 0
            && let Some(event) = parse(&line)
        {
            done.add(event);
            complete_bytes += line.len() as u64;
            line.clear();
        }
        file.set_len(complete_bytes).map_err(error)?;
        Ok((Self { path, file: Mutex::new(file) }, done))
    }

    /// Writes an event, and waits until it is on the disk.
    pub(crate) fn write(&self, event: &Event) -> Result<()> {
        let write = || {
            let json = serde_json::to_string(event)?;
            let mut file = lock(&self.file);
            file.write_all(format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes())).as_bytes())?;
            file.sync_data()
        };
        write().map_err(Error::io("cannot write", &self.path))
    }
}

impl FinishedRange {
    pub(crate) fn num_docs(&self) -> u64 {
        self.segment.as_ref().map_or(0, |segment| segment.num_docs.into())
    }
}

impl Done {
    pub(crate) fn add(&mut self, event: Event) {
        self.is_refused = matches!(event, Event::Refused);
        match event {
            Event::Started { version, inputs, range_proteins } if version == VERSION => {
                self.started = Some((inputs, range_proteins));
            }
            Event::Started { .. } | Event::Refused => {}
            Event::Lineage { lineage } => self.lineages.push(lineage),
            Event::OutOfOrder { table } => {
                self.out_of_order.insert(table);
                self.ranges.clear();
                self.merged.clear();
                (self.merged_tally, self.merged_end) = (Tally::default(), 0);
            }
            Event::Summed { sums } => self.sums = sums,
            Event::Sorted(sorted) => {
                self.sorted.insert(sorted.name.clone(), sorted);
            }
            Event::Range(range) => {
                self.ranges.insert(range.number, range);
            }
            Event::Merged(merged) => {
                // Only the sum of many ranges is kept, so that memory does not grow with their
                // number.
                let unmerged = self.ranges.split_off(&(merged.last_range + 1));
                for range in std::mem::replace(&mut self.ranges, unmerged).into_values() {
                    self.merged_end = range.keys.end;
                    self.merged_tally.add(range.tally);
                }
                self.merged.push(merged);
            }
        }
    }

    pub(crate) fn tally(&self) -> Tally {
        let mut sum = self.merged_tally.clone();
        let sorted = self.sorted.values().map(|sorted| &sorted.tally);
        for tally in sorted.chain(self.ranges.values().map(|range| &range.tally)) {
            sum.add(tally.clone());
        }
        sum
    }

    /// Returns the number of proteins in merged segments: at the end, all proteins in the index.
    pub(crate) fn num_proteins(&self) -> u64 {
        self.merged.iter().map(|merged| u64::from(merged.segment.num_docs)).sum()
    }

    pub(crate) fn num_ranges(&self) -> u64 {
        u64::from(self.first_unmerged()) + self.ranges.len() as u64
    }

    pub(crate) fn has_range(&self, number: u32, keys: &Range<u64>) -> bool {
        number < self.first_unmerged() || self.ranges.get(&number).is_some_and(|known| known.keys == *keys)
    }

    /// Returns the first key of the first range that was not indexed, or `KEYS_END` if all were.
    pub(crate) fn first_key(&self) -> u64 {
        let unmerged = (self.first_unmerged()..).map_while(|number| self.ranges.get(&number));
        unmerged.last().map_or(self.merged_end, |range| range.keys.end)
    }

    pub(crate) fn first_unmerged(&self) -> u32 {
        self.merged.last().map_or(0, |merged| merged.last_range + 1)
    }
}

/// Returns the event of a complete line, including its end.
fn parse(line: &[u8]) -> Option<Event> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (checksum, json) = line.split_once(' ')?;
    let expected = u32::from_str_radix(checksum, 16).ok()?;
    if crc32fast::hash(json.as_bytes()) == expected { serde_json::from_str(json).ok() } else { None }
}

#[cfg(test)]
mod tests;
