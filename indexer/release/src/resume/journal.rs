//! The journal of a run, written as it goes, so that a killed run can be continued.
//!
//! One event a line: the CRC-32 of the JSON in hexadecimal digits, a space, the JSON. The first line that is not whole
//! was not written to its end, and is cut off with all that follows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use indexer::{Error, Result};
use serde::{Deserialize, Serialize};
use store::FileEntry;
use store_proteins::SegmentEntry;

use crate::join::tally::Tally;
use crate::table::Table;

use super::fingerprint::Fingerprint;

const JOURNAL: &str = "journal";

/// The version of the events, of sorted rows and of segments. A run of another version is not continued.
pub(crate) const VERSION: u32 = 3;

/// Something that was done. Its kind is the key of an object around it: with a tag inside, keys of maps could not be numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    Started {
        version: u32,
        inputs: Fingerprint,
        range_proteins: usize,
    },
    /// A lineage was met that the biome table lacks.
    Lineage {
        lineage: String,
    },
    /// A table turned out not to be in order: all ranges are void.
    OutOfOrder {
        table: Table,
    },
    /// The files have the sums that they should have.
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
    /// The rows that were left out on the way.
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
    /// The last of the ranges; the first is that behind the last of those merged before.
    pub(crate) last_range: u32,
    pub(crate) segment: SegmentEntry,
    pub(crate) files: Vec<FileEntry>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Done {
    /// The inputs and the number of proteins in a range, of a run that was started.
    pub(crate) started: Option<(Fingerprint, usize)>,
    /// Lineages that the biome table lacks, in the order in which they were met.
    pub(crate) lineages: Vec<String>,
    pub(crate) out_of_order: BTreeSet<Table>,
    pub(crate) sums: Vec<String>,
    pub(crate) sorted: BTreeMap<String, SortedRows>,
    /// Ranges that were indexed and not merged, by rank.
    pub(crate) ranges: BTreeMap<u32, FinishedRange>,
    /// Ranges that were merged, ascending: all before those that were not.
    pub(crate) merged: Vec<MergedRanges>,
    pub(crate) merged_tally: Tally,
    pub(crate) merged_end: u64,
    /// The run has refused to publish what it has done, and nothing was done since.
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
        let mut whole_bytes = 0;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).map_err(Error::io("cannot read", &path))? > 0
            && let Some(event) = parse(&line)
        {
            done.add(event);
            whole_bytes += line.len() as u64;
            line.clear();
        }
        file.set_len(whole_bytes).map_err(error)?;
        Ok((Self { path, file: Mutex::new(file) }, done))
    }

    /// Writes an event, and waits until it is on the disk.
    pub(crate) fn write(&self, event: &Event) -> Result<()> {
        let write = || {
            let json = serde_json::to_string(event)?;
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
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
                // Of many ranges only the sum is kept, so that memory does not grow with their number.
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

    /// Returns how many proteins are in merged segments: in the end, all that are in the index.
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

/// Returns the event of a line that is whole, its end included.
fn parse(line: &[u8]) -> Option<Event> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (checksum, json) = line.split_once(' ')?;
    let expected = u32::from_str_radix(checksum, 16).ok()?;
    if crc32fast::hash(json.as_bytes()) == expected { serde_json::from_str(json).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::join::range::KEYS_END;

    fn lineage(text: &str) -> Event {
        Event::Lineage { lineage: text.to_owned() }
    }

    #[test]
    fn events_come_back_up_to_the_first_that_is_torn() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (journal, done) = Journal::open(folder.path()).expect("new");
        assert!(done.started.is_none() && done.lineages.is_empty());
        for text in ["root:A", "root:B", "root:C"] {
            journal.write(&lineage(text)).expect("writable");
        }
        let path = folder.path().join(JOURNAL);
        let whole = fs::read(&path).expect("there");
        for cut in 1..40 {
            fs::write(&path, &whole[..whole.len() - cut]).expect("writable");
            let (journal, done) = Journal::open(folder.path()).expect("readable");
            assert_eq!(done.lineages, ["root:A", "root:B"], "{cut} bytes cut");
            journal.write(&lineage("root:D")).expect("writable");
            assert_eq!(Journal::open(folder.path()).expect("readable").1.lineages, ["root:A", "root:B", "root:D"]);
        }
        let mut altered = whole.clone();
        altered[12] ^= 1;
        fs::write(&path, altered).expect("writable");
        assert!(Journal::open(folder.path()).expect("readable").1.lineages.is_empty());
    }

    #[test]
    fn every_event_comes_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (journal, _) = Journal::open(folder.path()).expect("new");
        let mut tally = Tally::default();
        tally.reject(1, indexer::run::Reason::Orphan);
        tally.pass_over(0, indexer::run::PassedOver::Clan);
        let segment = store_proteins::SegmentEntry {
            folder: "part-000000".into(),
            num_docs: 1,
            first: store::ProteinAccession::new(1).expect("valid"),
            last: store::ProteinAccession::new(9).expect("valid"),
        };
        let files = vec![FileEntry { path: "part-000000/a".into(), size_bytes: 7, crc32: 9 }];
        let sorted = SortedRows { name: "biomes".into(), runs: vec!["run".into()], tally: tally.clone() };
        let range = FinishedRange {
            number: 0,
            keys: 0..10,
            segment: Some(segment.clone()),
            files: files.clone(),
            tally: tally.clone(),
        };
        let merged = MergedRanges { last_range: 0, segment, files };
        let inputs = Fingerprint::default();
        for event in [
            Event::Started { version: VERSION, inputs: inputs.clone(), range_proteins: 5 },
            Event::OutOfOrder { table: Table::Biomes },
            Event::Sorted(sorted),
            Event::Range(range.clone()),
            Event::Merged(merged),
            Event::Range(FinishedRange { number: 1, keys: 10..KEYS_END, ..range }),
            lineage("root:A"),
            Event::Refused,
        ] {
            journal.write(&event).expect("writable");
        }
        let mut done = Journal::open(folder.path()).expect("readable").1;
        assert_eq!(done.started, Some((inputs, 5)));
        assert_eq!((done.sorted["biomes"].runs.len(), done.ranges.len(), done.merged.len()), (1, 1, 1));
        assert_eq!((&done.ranges[&1].tally, done.ranges[&1].keys.end), (&tally, KEYS_END));
        assert_eq!((&done.merged_tally, done.merged_end), (&tally, 10), "of merged ranges only the sum is kept");
        assert_eq!((done.first_unmerged(), done.num_ranges()), (1, 2));
        assert_eq!(done.lineages, ["root:A"]);
        assert!(done.is_refused);
        done.add(lineage("root:B"));
        assert!(!done.is_refused, "it goes on");
    }

    fn finished(number: u32, keys: Range<u64>) -> Event {
        let (segment, files, tally) = (None, Vec::new(), Tally::default());
        Event::Range(FinishedRange { number, keys, segment, files, tally })
    }

    fn merged(last_range: u32) -> Event {
        let accession = store::ProteinAccession::new(1).expect("valid");
        let segment = SegmentEntry { folder: "segment".into(), num_docs: 1, first: accession, last: accession };
        Event::Merged(MergedRanges { last_range, segment, files: Vec::new() })
    }

    #[test]
    fn nothing_is_skipped_that_is_not_done() {
        let mut done = Done::default();
        assert_eq!(done.first_key(), 0);
        // Ranges end in any order: those behind one that is not done do not count.
        for (event, expected) in [
            (finished(1, 10..20), 0),
            (finished(0, 0..10), 20),
            (merged(0), 20),
            (merged(1), 20),
            (finished(3, 30..KEYS_END), 20),
            (finished(2, 20..30), KEYS_END),
        ] {
            done.add(event);
            assert_eq!(done.first_key(), expected);
        }
    }

    #[test]
    fn a_table_out_of_order_voids_the_ranges() {
        let mut done = Done::default();
        for event in
            [finished(0, 0..5), finished(1, 5..9), Event::OutOfOrder { table: Table::Pfam }, finished(0, 0..KEYS_END)]
        {
            done.add(event);
        }
        assert_eq!(done.ranges.keys().collect::<Vec<_>>(), [&0]);
        assert!(done.out_of_order.contains(&Table::Pfam));
    }
}
