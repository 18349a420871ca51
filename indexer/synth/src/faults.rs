//! Bad rows: their kinds, their schedule, and the list of them.

use std::fmt::Write;

use strum::IntoStaticStr;

use crate::SynthPlan;

/// The name of the list in the folder of a release.
pub(crate) const FAULTS_FILE: &str = "faults.tsv";

/// There is about one bad row of each kind per this number of proteins…
const INTERVAL: u64 = 2000;

/// …but no more than this of each kind, since they are listed in memory.
const NUM_MAX: u64 = 10_000;

/// The reason why an indexer must reject or report a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FaultReason {
    /// A second sequence or cluster with the same accession.
    DuplicateAccession,
    /// An exact copy of a biome, Pfam hit or locus.
    DuplicateAnnotation,
    /// A row of an accession without a sequence.
    Orphan,
    /// A sequence with a character that is not a residue.
    BadSequence,
    /// A number out of range.
    BadNumber,
    /// A lineage with an empty level.
    BadLineage,
    /// A family that cannot exist.
    BadFamily,
    /// A locus that cannot exist.
    #[strum(serialize = "bad_place")]
    BadLocus,
    /// A line with too few columns.
    BadRow,
    /// Text that is not an accession.
    BadAccession,
    /// A cluster whose representative has no sequence.
    MissingSequence,
    /// A Pfam clan among families, which is not an error: indexers pass over it.
    Clan,
}

impl FaultReason {
    /// Returns the name in the list.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A bad row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of the file.
    pub file: &'static str,
    /// The row of a Parquet file, or the first line in a flat file, 1-based. `None` if rows are
    /// shuffled.
    pub row: Option<u64>,
    /// The reason why the row is bad.
    pub reason: FaultReason,
    /// The accession in the row.
    pub accession: String,
}

/// Returns the list of bad rows, with a header line.
pub(crate) fn list(faults: &[Fault]) -> String {
    let mut text = "file\trow\treason\taccession\n".to_owned();
    for Fault { file, row, reason, accession } in faults {
        let row = row.map(|row| row.to_string()).unwrap_or_default();
        writeln!(text, "{file}\t{row}\t{}\t{accession}", reason.name()).expect("memory");
    }
    text
}

/// A kind of bad rows: its place in the schedule, and the reason. An orphan belongs to no protein,
/// and an odd row has a text that is not an accession.
#[derive(Clone, Copy)]
pub(crate) struct FaultKind {
    place: usize,
    pub(crate) reason: FaultReason,
}

impl FaultKind {
    pub(crate) const DUPLICATE_SEQUENCE: Self = Self { place: 0, reason: FaultReason::DuplicateAccession };
    pub(crate) const DUPLICATE_BIOME: Self = Self { place: 1, reason: FaultReason::DuplicateAnnotation };
    pub(crate) const DUPLICATE_HIT: Self = Self { place: 2, reason: FaultReason::DuplicateAnnotation };
    pub(crate) const DUPLICATE_LOCUS: Self = Self { place: 3, reason: FaultReason::DuplicateAnnotation };
    pub(crate) const ORPHAN_BIOME: Self = Self { place: 4, reason: FaultReason::Orphan };
    pub(crate) const ORPHAN_HIT: Self = Self { place: 5, reason: FaultReason::Orphan };
    pub(crate) const ORPHAN_LOCUS: Self = Self { place: 6, reason: FaultReason::Orphan };
    pub(crate) const BAD_SEQUENCE: Self = Self { place: 7, reason: FaultReason::BadSequence };
    pub(crate) const NEGATIVE_COUNT: Self = Self { place: 8, reason: FaultReason::BadNumber };
    pub(crate) const EMPTY_LEVEL: Self = Self { place: 9, reason: FaultReason::BadLineage };
    pub(crate) const FAMILY_ZERO: Self = Self { place: 10, reason: FaultReason::BadFamily };
    pub(crate) const STRAND_ZERO: Self = Self { place: 11, reason: FaultReason::BadLocus };
    pub(crate) const SHORT_BIOME: Self = Self { place: 12, reason: FaultReason::BadRow };
    pub(crate) const SHORT_HIT: Self = Self { place: 13, reason: FaultReason::BadRow };
    pub(crate) const SHORT_LOCUS: Self = Self { place: 14, reason: FaultReason::BadRow };
    pub(crate) const ODD_BIOME: Self = Self { place: 15, reason: FaultReason::BadAccession };
    pub(crate) const ODD_HIT: Self = Self { place: 16, reason: FaultReason::BadAccession };
    pub(crate) const CLAN_HIT: Self = Self { place: 17, reason: FaultReason::Clan };
    pub(crate) const DUPLICATE_CLUSTER: Self = Self { place: 18, reason: FaultReason::DuplicateAccession };
    pub(crate) const MISSING_SEQUENCE: Self = Self { place: 19, reason: FaultReason::MissingSequence };
}

const NUM_KINDS: usize = FaultKind::MISSING_SEQUENCE.place + 1;

pub(crate) struct FaultSchedule {
    interval: u64,
    /// The rank from which the next bad row of each kind is due.
    next: [u64; NUM_KINDS],
}

impl FaultSchedule {
    pub(crate) fn new(plan: &SynthPlan) -> Self {
        // In small releases, the second half makes up for proteins of the first half that were
        // unsuitable.
        let interval = INTERVAL.max(plan.num_proteins / NUM_MAX).min(plan.num_proteins / 2).max(1);
        let first = |kind| if plan.faults { kind as u64 * interval / NUM_KINDS as u64 } else { u64::MAX };
        Self { interval, next: std::array::from_fn(first) }
    }

    /// Returns whether a bad row of a kind is due at a suitable rank, and schedules the next one if
    /// so.
    pub(crate) fn is_due(&mut self, kind: FaultKind, rank: u64) -> bool {
        let next = &mut self.next[kind.place];
        let is_due = rank >= *next;
        if is_due {
            *next += self.interval;
        }
        is_due
    }
}
