//! The payloads of rows. Those of clusters are the size of the cluster (`u64`), those of cluster members the number of the member
//! (`u64`, the representative is a member too), those of both tables of counts the count (`u64`), and those of contig names the name
//! (`&str`). The others have the types below.
//!
//! Rows go through channels and through the sorter as bytes, and never leave the folder of the run that wrote them.

use store::{BiomeOrdinal, PfamAccession, Strand};

/// A value of a payload. Numbers take as many bytes as they have, texts stand behind their length.
pub(crate) trait Payload<'a>: Sized {
    fn encode(&self, out: &mut Vec<u8>);

    /// Takes the value from the front of the bytes, or returns `None` if they are not what was encoded.
    fn decode(bytes: &mut &'a [u8]) -> Option<Self>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SequenceRow<'a> {
    /// Whether the gene is complete, or `None` where the source does not say.
    pub(crate) full_length: Option<bool>,
    /// The residues, which were checked.
    pub(crate) residues: &'a [u8],
}

/// How often a protein was found in a biome; the key is the protein.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BiomeRow {
    pub(crate) biome: BiomeOrdinal,
    pub(crate) count: u64,
}

/// A Pfam hit; the key is the protein. Coordinates are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PfamRow {
    pub(crate) family: PfamAccession,
    /// Expectation value and score in bits, or `None` where the source has neither.
    pub(crate) scores: Option<(f64, f64)>,
    /// From and to in the profile HMM, or `None` where the source does not say.
    pub(crate) hmm: Option<(u32, u32)>,
    /// From and to of the envelope in the sequence.
    pub(crate) envelope: (u32, u32),
}

/// A locus on a contig; the key is the protein. Start and end are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OccurrenceRow<'a> {
    /// The study's accession, or an empty text where the source does not say.
    pub(crate) study: &'a str,
    pub(crate) assembly: &'a str,
    /// The number of the contig's accession.
    pub(crate) contig: u64,
    /// The contig's name in its assembly, or an empty text where it is not known.
    pub(crate) contig_name: &'a str,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) strand: Strand,
}

impl<'a> Payload<'a> for SequenceRow<'a> {
    fn encode(&self, out: &mut Vec<u8>) {
        (self.full_length, self.residues).encode(out);
    }

    fn decode(bytes: &mut &'a [u8]) -> Option<Self> {
        let (full_length, residues) = Payload::decode(bytes)?;
        Some(Self { full_length, residues })
    }
}

impl Payload<'_> for BiomeRow {
    fn encode(&self, out: &mut Vec<u8>) {
        (self.biome, self.count).encode(out);
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let (biome, count) = Payload::decode(bytes)?;
        Some(Self { biome, count })
    }
}

impl Payload<'_> for PfamRow {
    fn encode(&self, out: &mut Vec<u8>) {
        ((self.family.0, self.envelope), (self.scores, self.hmm)).encode(out);
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let ((family, envelope), (scores, hmm)) = Payload::decode(bytes)?;
        Some(Self { family: PfamAccession(family), scores, hmm, envelope })
    }
}

impl<'a> Payload<'a> for OccurrenceRow<'a> {
    fn encode(&self, out: &mut Vec<u8>) {
        ((self.contig, self.strand == Strand::Reverse), (self.start, self.end)).encode(out);
        (self.study, (self.assembly, self.contig_name)).encode(out);
    }

    fn decode(bytes: &mut &'a [u8]) -> Option<Self> {
        let ((contig, is_reverse), (start, end)) = Payload::decode(bytes)?;
        let (study, (assembly, contig_name)) = Payload::decode(bytes)?;
        let strand = if is_reverse { Strand::Reverse } else { Strand::Forward };
        Some(Self { study, assembly, contig, contig_name, start, end, strand })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

impl Payload<'_> for u64 {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(Self::from_le_bytes)
    }
}

impl Payload<'_> for u32 {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(Self::from_le_bytes)
    }
}

impl Payload<'_> for f64 {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(Self::from_le_bytes)
    }
}

impl Payload<'_> for bool {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(|[byte]| byte != 0)
    }
}

impl<'a> Payload<'a> for &'a [u8] {
    fn encode(&self, out: &mut Vec<u8>) {
        u32::try_from(self.len()).expect("sources refuse longer texts").encode(out);
        out.extend(*self);
    }

    fn decode(bytes: &mut &'a [u8]) -> Option<Self> {
        let length = u32::decode(bytes)?;
        bytes.split_off(..length as usize)
    }
}

impl<'a> Payload<'a> for &'a str {
    fn encode(&self, out: &mut Vec<u8>) {
        self.as_bytes().encode(out);
    }

    fn decode(bytes: &mut &'a [u8]) -> Option<Self> {
        std::str::from_utf8(Payload::decode(bytes)?).ok()
    }
}

impl<'a, T: Payload<'a>> Payload<'a> for Option<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.is_some().encode(out);
        if let Some(value) = self {
            value.encode(out);
        }
    }

    fn decode(bytes: &mut &'a [u8]) -> Option<Self> {
        if bool::decode(bytes)? { T::decode(bytes).map(Some) } else { Some(None) }
    }
}

impl<'a, T: Payload<'a>, U: Payload<'a>> Payload<'a> for (T, U) {
    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out);
        self.1.encode(out);
    }

    fn decode(bytes: &mut &'a [u8]) -> Option<Self> {
        Some((T::decode(bytes)?, U::decode(bytes)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::read::block::{RowBlock, RowOrigin};

    /// Returns a block with one row.
    fn block<'a>(payload: &impl Payload<'a>) -> RowBlock {
        let mut block = RowBlock::default();
        block.push(1, RowOrigin::default(), payload);
        block
    }

    #[test]
    fn rows_come_back() {
        for scores in [None, Some((1e-9, 40.5))] {
            for hmm in [None, Some((1, 77))] {
                let row = PfamRow { family: PfamAccession(5), scores, hmm, envelope: (3, 90) };
                assert_eq!(block(&row).get(0).expect("pushed").decode::<PfamRow>().expect("whole"), row);
            }
        }
        let row = OccurrenceRow {
            study: "ERP1",
            assembly: "",
            contig: 564_781_877,
            contig_name: "ERZ1.1-é",
            start: 3,
            end: 1148,
            strand: Strand::Reverse,
        };
        let written = block(&row);
        let whole = written.get(0).expect("pushed");
        assert_eq!(whole.decode::<OccurrenceRow<'_>>().expect("whole"), row);
        let cut = crate::release::read::block::Row { payload: &whole.payload[..9], ..whole };
        assert!(matches!(cut.decode::<OccurrenceRow<'_>>(), Err(crate::Error::Spill)));
        for full_length in [None, Some(false), Some(true)] {
            let row = SequenceRow { full_length, residues: b"MKV" };
            assert_eq!(block(&row).get(0).expect("pushed").decode::<SequenceRow<'_>>().expect("whole"), row);
        }
        let row = BiomeRow { biome: 7, count: 1 << 40 };
        assert_eq!(block(&row).get(0).expect("pushed").decode::<BiomeRow>().expect("whole"), row);
    }
}
