//! What the payload of a row is, for each table.
//!
//! Rows go through channels and through the sorter in this form, and never leave the process that wrote them. Readers are of this
//! program too, so that a payload that cannot be read is a fault of the disk.

use store::{BiomeOrdinal, PfamAccession, Strand};

/// A payload is not what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damaged;

/// The size of a cluster; the key is its representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClusterRow {
    /// How many proteins the cluster has, the representative included.
    pub(crate) size: u64,
}

/// A member of a cluster; the key is the representative, which is a member too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemberRow {
    /// The number of the member's accession.
    pub(crate) member: u64,
}

/// A sequence; the key is the protein.
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
    /// The biome.
    pub(crate) biome: BiomeOrdinal,
    /// The number of times.
    pub(crate) count: u64,
}

/// A Pfam hit; the key is the protein. Positions are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PfamRow {
    /// The family.
    pub(crate) family: PfamAccession,
    /// Expectation value and score in bits, or `None` where the source has neither.
    pub(crate) scores: Option<(f64, f64)>,
    /// Where the match starts and ends in the profile HMM, or `None` where the source does not say.
    pub(crate) hmm: Option<(u32, u32)>,
    /// Where the envelope starts and ends in the sequence.
    pub(crate) envelope: (u32, u32),
}

/// A place on a contig; the key is the protein. Positions are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OccurrenceRow<'a> {
    /// The study's accession, or an empty text where the source does not say.
    pub(crate) study: &'a str,
    /// The assembly's accession.
    pub(crate) assembly: &'a str,
    /// The number of the contig's accession.
    pub(crate) contig: u64,
    /// The contig's name in its assembly, or an empty text where it is not known.
    pub(crate) contig_name: &'a str,
    /// Where the gene starts.
    pub(crate) start: u32,
    /// Where the gene ends.
    pub(crate) end: u32,
    /// The strand of the gene.
    pub(crate) strand: Strand,
}

/// A number of occurrences; the key is the protein.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountRow {
    /// The number of times.
    pub(crate) count: u64,
}

/// The name of a contig; the key is the number of the contig's accession.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContigNameRow<'a> {
    /// The name in its assembly.
    pub(crate) name: &'a str,
}

impl ClusterRow {
    /// Appends the payload.
    pub(crate) fn put(self, out: &mut Vec<u8>) {
        put_u64(out, self.size);
    }

    /// Reads a payload.
    pub(crate) fn take(mut payload: &[u8]) -> Result<Self, Damaged> {
        Ok(Self { size: take_u64(&mut payload)? })
    }
}

impl MemberRow {
    /// Appends the payload.
    pub(crate) fn put(self, out: &mut Vec<u8>) {
        put_u64(out, self.member);
    }

    /// Reads a payload.
    pub(crate) fn take(mut payload: &[u8]) -> Result<Self, Damaged> {
        Ok(Self { member: take_u64(&mut payload)? })
    }
}

impl<'a> SequenceRow<'a> {
    /// Appends the payload.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        out.push(match self.full_length {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        });
        out.extend(self.residues);
    }

    /// Reads a payload.
    pub(crate) fn take(payload: &'a [u8]) -> Result<Self, Damaged> {
        let (&completeness, residues) = payload.split_first().ok_or(Damaged)?;
        let full_length = match completeness {
            0 => None,
            1 => Some(false),
            2 => Some(true),
            _ => return Err(Damaged),
        };
        Ok(Self { full_length, residues })
    }
}

impl BiomeRow {
    /// Appends the payload.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_u32(out, self.biome);
        put_u64(out, self.count);
    }

    /// Reads a payload.
    pub(crate) fn take(mut payload: &[u8]) -> Result<Self, Damaged> {
        Ok(Self { biome: take_u32(&mut payload)?, count: take_u64(&mut payload)? })
    }
}

impl PfamRow {
    /// Appends the payload.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_u64(out, self.family.0);
        put_u32(out, self.envelope.0);
        put_u32(out, self.envelope.1);
        out.push(u8::from(self.scores.is_some()) | u8::from(self.hmm.is_some()) << 1);
        if let Some((evalue, bit_score)) = self.scores {
            put_u64(out, evalue.to_bits());
            put_u64(out, bit_score.to_bits());
        }
        if let Some((start, end)) = self.hmm {
            put_u32(out, start);
            put_u32(out, end);
        }
    }

    /// Reads a payload.
    pub(crate) fn take(mut payload: &[u8]) -> Result<Self, Damaged> {
        let bytes = &mut payload;
        let family = PfamAccession(take_u64(bytes)?);
        let envelope = (take_u32(bytes)?, take_u32(bytes)?);
        let [flags] = take_array(bytes)?;
        let scores = if flags & 1 == 0 {
            None
        } else {
            Some((f64::from_bits(take_u64(bytes)?), f64::from_bits(take_u64(bytes)?)))
        };
        let hmm = if flags & 2 == 0 { None } else { Some((take_u32(bytes)?, take_u32(bytes)?)) };
        Ok(Self { family, scores, hmm, envelope })
    }
}

impl<'a> OccurrenceRow<'a> {
    /// Appends the payload.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_u64(out, self.contig);
        put_u32(out, self.start);
        put_u32(out, self.end);
        out.push(u8::from(self.strand == Strand::Reverse));
        for text in [self.study, self.assembly] {
            put_text(out, text);
        }
        out.extend(self.contig_name.as_bytes());
    }

    /// Reads a payload.
    pub(crate) fn take(mut payload: &'a [u8]) -> Result<Self, Damaged> {
        let bytes = &mut payload;
        let contig = take_u64(bytes)?;
        let (start, end) = (take_u32(bytes)?, take_u32(bytes)?);
        let [is_reverse] = take_array(bytes)?;
        let (study, assembly) = (take_text(bytes)?, take_text(bytes)?);
        let contig_name = text(bytes)?;
        let strand = if is_reverse == 0 { Strand::Forward } else { Strand::Reverse };
        Ok(Self { study, assembly, contig, contig_name, start, end, strand })
    }
}

impl CountRow {
    /// Appends the payload.
    pub(crate) fn put(self, out: &mut Vec<u8>) {
        put_u64(out, self.count);
    }

    /// Reads a payload.
    pub(crate) fn take(mut payload: &[u8]) -> Result<Self, Damaged> {
        Ok(Self { count: take_u64(&mut payload)? })
    }
}

impl<'a> ContigNameRow<'a> {
    /// Appends the payload.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.name.as_bytes());
    }

    /// Reads a payload.
    pub(crate) fn take(payload: &'a [u8]) -> Result<Self, Damaged> {
        Ok(Self { name: text(payload)? })
    }
}

/// Appends a number.
fn put_u64(out: &mut Vec<u8>, value: u64) {
    out.extend(value.to_le_bytes());
}

/// Appends a number.
fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_le_bytes());
}

/// Appends a text of at most 65,535 bytes, behind its length.
fn put_text(out: &mut Vec<u8>, text: &str) {
    let length = u16::try_from(text.len()).expect("readers refuse longer accessions");
    out.extend(length.to_le_bytes());
    out.extend(text.as_bytes());
}

/// Takes as many bytes as the array has.
fn take_array<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Damaged> {
    let (taken, rest) = bytes.split_first_chunk().ok_or(Damaged)?;
    *bytes = rest;
    Ok(*taken)
}

/// Takes a number.
fn take_u64(bytes: &mut &[u8]) -> Result<u64, Damaged> {
    take_array(bytes).map(u64::from_le_bytes)
}

/// Takes a number.
fn take_u32(bytes: &mut &[u8]) -> Result<u32, Damaged> {
    take_array(bytes).map(u32::from_le_bytes)
}

/// Takes a text behind its length.
fn take_text<'a>(bytes: &mut &'a [u8]) -> Result<&'a str, Damaged> {
    let length = u16::from_le_bytes(take_array(bytes)?);
    let (taken, rest) = bytes.split_at_checked(length.into()).ok_or(Damaged)?;
    *bytes = rest;
    text(taken)
}

/// Returns bytes as text.
fn text(bytes: &[u8]) -> Result<&str, Damaged> {
    std::str::from_utf8(bytes).map_err(|_| Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(put: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out);
        out
    }

    #[test]
    fn rows_come_back() {
        for scores in [None, Some((1e-9, 40.5))] {
            for hmm in [None, Some((1, 77))] {
                let row = PfamRow { family: PfamAccession(5), scores, hmm, envelope: (3, 90) };
                assert_eq!(PfamRow::take(&written(|out| row.put(out))), Ok(row));
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
        let bytes = written(|out| row.put(out));
        assert_eq!(OccurrenceRow::take(&bytes), Ok(row));
        assert_eq!(OccurrenceRow::take(&bytes[..19]), Err(Damaged));
        for full_length in [None, Some(false), Some(true)] {
            let row = SequenceRow { full_length, residues: b"MKV" };
            assert_eq!(SequenceRow::take(&written(|out| row.put(out))), Ok(row));
        }
        let row = BiomeRow { biome: 7, count: 1 << 40 };
        assert_eq!(BiomeRow::take(&written(|out| row.put(out))), Ok(row));
    }
}
