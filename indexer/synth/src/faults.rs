//! Bad rows: which there are, when one is due, and their list.

use std::fmt::Write;

/// The name of the list in the folder of a release.
pub(crate) const FAULTS_FILE: &str = "faults.tsv";

/// About how many proteins there are for one bad row of each kind…
const INTERVAL: u64 = 2000;

/// …and how many of each kind there are at most, since they are listed in memory.
const NUM_MAX: u64 = 10_000;

/// Why an indexer must reject or report a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultReason {
    /// A second sequence or cluster of an accession.
    DuplicateAccession,
    /// An exact copy of a biome, a Pfam hit or an occurrence.
    DuplicateAnnotation,
    /// Something about an accession without sequence.
    Orphan,
    /// A sequence of other things than residues.
    BadSequence,
    /// A number that cannot be.
    BadNumber,
    /// A lineage with an empty level.
    BadLineage,
    /// A family that cannot be.
    BadFamily,
    /// A place that cannot be.
    BadPlace,
    /// A line of too few columns.
    BadRow,
    /// Something else in place of an accession.
    BadAccession,
    /// A cluster without the sequence of its representative.
    MissingSequence,
    /// No fault, but a clan among families, which is passed over.
    Clan,
}

impl FaultReason {
    /// Returns the name in the list.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DuplicateAccession => "duplicate_accession",
            Self::DuplicateAnnotation => "duplicate_annotation",
            Self::Orphan => "orphan",
            Self::BadSequence => "bad_sequence",
            Self::BadNumber => "bad_number",
            Self::BadLineage => "bad_lineage",
            Self::BadFamily => "bad_family",
            Self::BadPlace => "bad_place",
            Self::BadRow => "bad_row",
            Self::BadAccession => "bad_accession",
            Self::MissingSequence => "missing_sequence",
            Self::Clan => "clan",
        }
    }
}

/// A bad row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: &'static str,
    /// The row, 1-based; of flat files the line. `None` where rows are shuffled.
    pub row: Option<u64>,
    /// Why it is bad.
    pub reason: FaultReason,
    /// The accession in it.
    pub accession: String,
}

/// Returns the list of bad rows with a header line.
pub(crate) fn list(faults: &[Fault]) -> String {
    let mut text = "file\trow\treason\taccession\n".to_owned();
    for Fault { file, row, reason, accession } in faults {
        let row = row.map(|row| row.to_string()).unwrap_or_default();
        writeln!(text, "{file}\t{row}\t{}\t{accession}", reason.name()).expect("memory");
    }
    text
}

/// What is sprinkled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// A second sequence.
    DuplicateSequence,
    /// A second row of a biome.
    DuplicateBiome,
    /// A second row of a hit.
    DuplicateHit,
    /// A second row of an occurrence.
    DuplicatePlace,
    /// A biome of no protein.
    OrphanBiome,
    /// A hit of no protein.
    OrphanHit,
    /// An occurrence of no protein.
    OrphanPlace,
    /// A sequence with another letter.
    BadSequence,
    /// A biome that occurs a negative number of times.
    NegativeCount,
    /// A lineage with an empty level.
    EmptyLevel,
    /// Family 0.
    FamilyZero,
    /// Strand 0.
    StrandZero,
    /// A line of a biome with too few columns.
    ShortBiome,
    /// A line of a hit with too few columns.
    ShortHit,
    /// A line of occurrences with too few columns.
    ShortPlace,
    /// A biome of something that is no accession.
    OddBiome,
    /// A hit of something that is no accession.
    OddHit,
    /// A clan in place of a family.
    ClanHit,
    /// A second row of a cluster.
    DuplicateCluster,
    /// A cluster without sequence.
    MissingSequence,
}

/// The number of [`FaultKind`]s.
const NUM_KINDS: usize = FaultKind::MissingSequence as usize + 1;

/// Tells when a bad row is due.
pub(crate) struct FaultClock {
    /// The distance of two of a kind.
    interval: u64,
    /// The rank from which on the next one of each kind is due.
    next: [u64; NUM_KINDS],
}

impl FaultClock {
    /// Starts the clock for a number of proteins.
    pub(crate) fn new(num_proteins: u64) -> Self {
        // Of few proteins the second half is left for what was due at a protein that was not fit for it.
        let interval = INTERVAL.max(num_proteins / NUM_MAX).min(num_proteins / 2).max(1);
        Self { interval, next: std::array::from_fn(|kind| kind as u64 * interval / NUM_KINDS as u64) }
    }

    /// Tells whether a bad row of a kind is due at a rank that is fit for it, and winds up the clock if it is.
    pub(crate) fn strikes(&mut self, kind: FaultKind, rank: u64) -> bool {
        let next = &mut self.next[kind as usize];
        let is_due = rank >= *next;
        if is_due {
            *next += self.interval;
        }
        is_due
    }
}
