//! The payloads of rows. For cluster members it is the number of the member (`u64`; the
//! representative is a member too), for both tables of counts the count (`u64`), and for contig
//! names the name (`&str`). The others have the types below.
//!
//! Rows pass through channels and the sorter as bytes, and never leave the folder of the run that
//! wrote them.

use serde::{Deserialize, Serialize};
use store::BiomeOrdinal;

/// A cluster; the key is the representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClusterRow {
    /// The number of proteins in it, or 0 if unknown.
    pub(crate) size: u64,
}

impl ClusterRow {
    pub(crate) const OF_UNKNOWN_SIZE: Self = Self { size: 0 };

    /// Creates the row of a cluster of which only the members are known.
    pub(crate) const fn from_members(num_members: u64) -> Self {
        Self { size: num_members }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SequenceRow<'a> {
    /// True if the gene is complete, or `None` if the source does not say.
    pub(crate) full_length: Option<bool>,
    /// The residues, which were checked.
    #[serde(with = "serde_bytes")]
    pub(crate) residues: &'a [u8],
}

/// The number of occurrences of a protein in a biome; the key is the protein.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BiomeRow {
    pub(crate) biome: BiomeOrdinal,
    pub(crate) count: u64,
}

/// A Pfam hit; the key is the protein. Coordinates are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PfamRow {
    /// The number of the accession.
    pub(crate) family: u64,
    /// Expectation value and score in bits, or `None` if the source has neither.
    pub(crate) scores: Option<(f64, f64)>,
    /// From and to in the profile HMM, or `None` if the source does not say.
    pub(crate) hmm: Option<(u32, u32)>,
    /// From and to of the envelope in the sequence.
    pub(crate) envelope: (u32, u32),
}

/// A locus on a contig; the key is the protein. Start and end are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OccurrenceRow<'a> {
    /// The study's accession, or an empty text if the source does not say.
    pub(crate) study: &'a str,
    pub(crate) assembly: &'a str,
    /// The number of the contig's accession.
    pub(crate) contig: u64,
    /// The contig's name in its assembly, or an empty text if unknown.
    pub(crate) contig_name: &'a str,
    /// The number of nucleotides of the contig, or 0 if unknown.
    pub(crate) contig_length: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) is_reverse: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::batch::{RowBlock, RowOrigin};

    /// Returns a block with one row.
    fn block(payload: &impl Serialize) -> RowBlock {
        let mut block = RowBlock::default();
        block.push(1, RowOrigin::default(), payload);
        block
    }

    #[test]
    fn rows_round_trip() {
        for scores in [None, Some((1e-9, 40.5))] {
            for hmm in [None, Some((1, 77))] {
                let row = PfamRow { family: 5, scores, hmm, envelope: (3, 90) };
                assert_eq!(block(&row).get(0).expect("pushed").decode::<PfamRow>().expect("whole"), row);
            }
        }
        let row = OccurrenceRow {
            study: "ERP1",
            assembly: "",
            contig: 564_781_877,
            contig_name: "ERZ1.1-é",
            contig_length: 5000,
            start: 3,
            end: 1148,
            is_reverse: true,
        };
        let written = block(&row);
        let whole = written.get(0).expect("pushed");
        assert_eq!(whole.decode::<OccurrenceRow<'_>>().expect("whole"), row);
        let cut = crate::read::batch::Row { payload: &whole.payload[..9], ..whole };
        assert!(matches!(cut.decode::<OccurrenceRow<'_>>(), Err(indexer::Error::CorruptSpill)));
        for full_length in [None, Some(false), Some(true)] {
            let row = SequenceRow { full_length, residues: b"MKV" };
            assert_eq!(block(&row).get(0).expect("pushed").decode::<SequenceRow<'_>>().expect("whole"), row);
        }
        let row = BiomeRow { biome: 7, count: 1 << 40 };
        assert_eq!(block(&row).get(0).expect("pushed").decode::<BiomeRow>().expect("whole"), row);
    }
}
