//! What a run has done, written down as it goes, so that a killed run goes on where it was.
//!
//! One event a line: the CRC-32 of the JSON in hexadecimal digits, a space, the JSON. Whatever stands behind the first line that is
//! not whole was not written to its end, and is cut off.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use store::{FileEntry, SegmentEntry};

use super::fingerprint::Fingerprint;
use super::table::Table;
use super::tally::Tally;
use crate::{Error, Result};

/// The journal's file name.
const JOURNAL: &str = "journal";

/// The version of the events. A run of another version is not continued.
pub(super) const VERSION: u32 = 1;

/// Something that was done. Its kind stands around it and not in it: what is tagged from the inside is read without types, and then
/// the keys of maps are no numbers any more.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Event {
    /// The run was started.
    Started {
        /// See [`VERSION`].
        version: u32,
        /// What it reads.
        inputs: Fingerprint,
        /// How many proteins a range has.
        range_proteins: usize,
    },
    /// A lineage was met that the biome table lacks.
    Lineage {
        /// The full lineage.
        lineage: String,
    },
    /// A table turned out not to be in order: all ranges are void.
    OutOfOrder {
        /// The table.
        table: Table,
    },
    /// All files that are to be compared with their sums have them.
    Summed {
        /// Their sums, in their order.
        sums: Vec<String>,
    },
    /// Rows were sorted.
    Sorted(SortedRows),
    /// A range was indexed.
    Range(FinishedRange),
    /// Neighbouring ranges were merged.
    Merged(MergedRanges),
}

/// Rows that were sorted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SortedRows {
    /// What was sorted.
    pub(super) name: String,
    /// The files of the runs, inside the folder of the work.
    pub(super) runs: Vec<PathBuf>,
    /// The rows that were left out on the way.
    pub(super) tally: Tally,
}

/// A range that was indexed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FinishedRange {
    /// The rank, 0-based.
    pub(super) number: u32,
    /// The first key.
    pub(super) start: u64,
    /// The first key behind the range, if it has an end.
    pub(super) end: Option<u64>,
    /// The segment, unless the range has no protein.
    pub(super) segment: Option<SegmentEntry>,
    /// The files of the segment.
    pub(super) files: Vec<FileEntry>,
    /// The rows.
    pub(super) tally: Tally,
}

/// Neighbouring ranges that were merged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MergedRanges {
    /// The last of the ranges; the first is that behind the last of those merged before.
    pub(super) last_range: u32,
    /// The segment.
    pub(super) segment: SegmentEntry,
    /// The files of the segment.
    pub(super) files: Vec<FileEntry>,
}

/// What an earlier run has done.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    /// The inputs and the number of proteins in a range, of a run that was started.
    pub(super) started: Option<(Fingerprint, usize)>,
    /// Lineages that the biome table lacks, in the order in which they were met.
    pub(super) lineages: Vec<String>,
    /// Tables that are not in order.
    pub(super) out_of_order: BTreeSet<Table>,
    /// The sums that files were found to have.
    pub(super) sums: Vec<String>,
    /// Rows that were sorted, by name.
    pub(super) sorted: BTreeMap<String, SortedRows>,
    /// Ranges that were indexed and not merged, by rank.
    pub(super) ranges: BTreeMap<u32, FinishedRange>,
    /// Ranges that were merged, ascending: all before those that were not.
    pub(super) merged: Vec<MergedRanges>,
    /// The rows of the merged ranges.
    pub(super) merged_tally: Tally,
    /// The first key behind the merged ranges, if they have an end.
    pub(super) merged_end: Option<u64>,
}

/// Writes events down.
pub(super) struct Journal {
    /// The file.
    path: PathBuf,
    /// Takes the events.
    file: File,
}

impl Journal {
    /// Opens the journal in a folder, and returns what it says.
    ///
    /// # Errors
    ///
    /// * It cannot be read or written.
    pub(super) fn open(work: &Path) -> Result<(Self, Done)> {
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
        Ok((Self { path, file }, done))
    }

    /// Writes an event, and waits until it is on the disk.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    pub(super) fn write(&mut self, event: &Event) -> Result<()> {
        let mut write = || {
            let json = serde_json::to_string(event)?;
            self.file.write_all(format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes())).as_bytes())?;
            self.file.sync_data()
        };
        write().map_err(Error::io("cannot write", &self.path))
    }
}

impl FinishedRange {
    /// Returns the number of proteins that were indexed.
    pub(super) fn num_docs(&self) -> u64 {
        self.segment.as_ref().map_or(0, |segment| segment.num_docs.into())
    }
}

impl Done {
    /// Takes in an event.
    pub(super) fn add(&mut self, event: Event) {
        match event {
            Event::Started { version, inputs, range_proteins } if version == VERSION => {
                self.started = Some((inputs, range_proteins));
            }
            Event::Started { .. } => {}
            Event::Lineage { lineage } => self.lineages.push(lineage),
            Event::OutOfOrder { table } => {
                self.out_of_order.insert(table);
                self.ranges.clear();
                self.merged.clear();
                (self.merged_tally, self.merged_end) = (Tally::default(), None);
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
                    self.merged_end = range.end;
                    self.merged_tally.add(range.tally);
                }
                self.merged.push(merged);
            }
        }
    }

    /// Returns the numbers of all rows that were read.
    pub(super) fn tally(&self) -> Tally {
        let mut sum = self.merged_tally.clone();
        let sorted = self.sorted.values().map(|sorted| &sorted.tally);
        for tally in sorted.chain(self.ranges.values().map(|range| &range.tally)) {
            sum.add(tally.clone());
        }
        sum
    }

    /// Returns how many proteins are in merged segments: in the end, all that are in the index.
    pub(super) fn num_proteins(&self) -> u64 {
        self.merged.iter().map(|merged| u64::from(merged.segment.num_docs)).sum()
    }

    /// Returns how many ranges were indexed.
    pub(super) fn num_ranges(&self) -> u64 {
        u64::from(self.first_unmerged()) + self.ranges.len() as u64
    }

    /// Returns the rank of the first range that was not merged.
    pub(super) fn first_unmerged(&self) -> u32 {
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

    fn lineage(text: &str) -> Event {
        Event::Lineage { lineage: text.to_owned() }
    }

    #[test]
    fn events_come_back_up_to_the_first_that_is_torn() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (mut journal, done) = Journal::open(folder.path()).expect("new");
        assert!(done.started.is_none() && done.lineages.is_empty());
        for text in ["root:A", "root:B", "root:C"] {
            journal.write(&lineage(text)).expect("writable");
        }
        let path = folder.path().join(JOURNAL);
        let whole = fs::read(&path).expect("there");
        for cut in 1..40 {
            fs::write(&path, &whole[..whole.len() - cut]).expect("writable");
            let (mut journal, done) = Journal::open(folder.path()).expect("readable");
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
        let (mut journal, _) = Journal::open(folder.path()).expect("new");
        let mut tally = Tally::new(2);
        tally.reject(1, crate::run::Reason::Orphan);
        tally.pass_over(0, crate::run::PassedOver::Clan, 3);
        tally.proteins_by_biome.insert(17, 4);
        let segment = store::SegmentEntry {
            folder: "part-000000".into(),
            num_docs: 1,
            first: store::ProteinAccession::new(1).expect("valid"),
            last: store::ProteinAccession::new(9).expect("valid"),
        };
        let files = vec![FileEntry { path: "part-000000/a".into(), size_bytes: 7, crc32: 9 }];
        let sorted = SortedRows { name: "biomes".into(), runs: vec!["run".into()], tally: tally.clone() };
        let range = FinishedRange {
            number: 0,
            start: 0,
            end: Some(10),
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
            Event::Range(FinishedRange { number: 1, start: 10, end: None, ..range }),
            lineage("root:A"),
        ] {
            journal.write(&event).expect("writable");
        }
        let done = Journal::open(folder.path()).expect("readable").1;
        assert_eq!(done.started, Some((inputs, 5)));
        assert_eq!((done.sorted["biomes"].runs.len(), done.ranges.len(), done.merged.len()), (1, 1, 1));
        assert_eq!((&done.ranges[&1].tally, done.ranges[&1].end), (&tally, None));
        assert_eq!((&done.merged_tally, done.merged_end), (&tally, Some(10)), "of merged ranges only the sum is kept");
        assert_eq!((done.first_unmerged(), done.num_ranges()), (1, 2));
        assert_eq!(done.lineages, ["root:A"]);
    }

    #[test]
    fn a_table_out_of_order_voids_the_ranges() {
        let range = |number| {
            let (segment, files, tally) = (None, Vec::new(), Tally::default());
            Event::Range(FinishedRange { number, start: 0, end: None, segment, files, tally })
        };
        let mut done = Done::default();
        for event in [range(0), range(1), Event::OutOfOrder { table: Table::Pfam }, range(0)] {
            done.add(event);
        }
        assert_eq!(done.ranges.keys().collect::<Vec<_>>(), [&0]);
        assert!(done.out_of_order.contains(&Table::Pfam));
    }
}
