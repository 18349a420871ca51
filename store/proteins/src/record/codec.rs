//! The bytes of a stored record, format version 2, or 3 if it has a name.
//!
//! ```text
//! version      1 byte
//! name         length in bytes (varint) and text, then the description likewise (version 3 only)
//! facts        varint   cluster size * 4 + (0 unknown, 1 partial, 2 full length)
//! biomes       varint   number of biomes, then for each: ordinal, count (varints)
//! Pfam hits    varint   number of hits, then for each: family (varint), e-value and bit score (see `number`),
//!                       HMM start, HMM end, envelope start, envelope end (varints)
//! sequence     varint   length in residues, then their code words (see `residues`)
//! occurrences  varint   number of occurrences, then for each: flags (1 byte), study, assembly (unless as previously),
//!                       contig (see `label`), contig name (see `store_context`; unless it is the contig), start (varint),
//!                       end - start (signed)
//! checksum     4 bytes  CRC-32 of the accession's number (8 bytes, little endian) and all bytes above, little endian
//! ```

use store::{PfamAccession, ProteinAccession};
use store_context::contig_name::{put_contig_name, take_contig_name};

use super::bytes::{Bytes, RecordError, put_signed, put_varint};
use super::label::{put_label, take_label};
use super::{BiomeCount, Occurrence, PfamHit, Record, RecordParts, Strand, number, residues};

const VERSION: u8 = 2;
const NAMED_VERSION: u8 = 3;

const CHECKSUM_BYTES: usize = 4;
const FLAG_REVERSE: u8 = 1;
const FLAG_SAME_STUDY: u8 = 1 << 1;
const FLAG_SAME_ASSEMBLY: u8 = 1 << 2;
/// The name of the contig is its accession.
const FLAG_UNNAMED: u8 = 1 << 3;
/// The name of the contig begins with the accession of the assembly, which is omitted.
const FLAG_NAME_HAS_ASSEMBLY: u8 = 1 << 4;

impl Record {
    /// The highest cluster size that can be stored.
    pub const CLUSTER_SIZE_MAX: u64 = u64::MAX >> 2;

    /// Returns whether a text is a sequence: not empty, and only `A` to `Z`, `*` and `-`.
    pub fn is_sequence(text: &[u8]) -> bool {
        !text.is_empty() && residues::are_residues(text)
    }

    /// Appends the stored form of the record of a protein.
    ///
    /// # Panics
    ///
    /// * The sequence has letters other than those of [`Record::is_sequence`], or the cluster is
    ///   larger than [`Record::CLUSTER_SIZE_MAX`].
    pub fn encode(&self, accession: ProteinAccession, out: &mut Vec<u8>) {
        assert!(self.cluster_size <= Self::CLUSTER_SIZE_MAX, "cluster size {} cannot be stored", self.cluster_size);
        assert!(residues::are_residues(self.sequence.as_bytes()), "not a sequence: {}", self.sequence);
        let start = out.len();
        if self.name.is_empty() && self.description.is_empty() {
            out.push(VERSION);
        } else {
            out.push(NAMED_VERSION);
            for text in [&self.name, &self.description] {
                put_varint(out, text.len() as u64);
                out.extend(text.as_bytes());
            }
        }
        put_varint(out, self.cluster_size << 2 | completeness(self.full_length));
        put_varint(out, self.biomes.len() as u64);
        for entry in &self.biomes {
            put_varint(out, entry.biome.into());
            put_varint(out, entry.count);
        }
        put_varint(out, self.pfam_hits.len() as u64);
        for hit in &self.pfam_hits {
            put_varint(out, hit.family.0);
            number::put_pair(out, [hit.evalue, hit.bit_score]);
            for coordinate in [hit.hmm_start, hit.hmm_end, hit.env_start, hit.env_end] {
                put_varint(out, coordinate.into());
            }
        }
        put_varint(out, self.sequence.len() as u64);
        residues::encode(self.sequence.as_bytes(), out);
        put_varint(out, self.occurrences.len() as u64);
        let mut previous: Option<&Occurrence> = None;
        for occurrence in &self.occurrences {
            put_occurrence(out, occurrence, previous);
            previous = Some(occurrence);
        }
        let checksum = checksum(accession, &out[start..]);
        out.extend(checksum.to_le_bytes());
    }

    /// Decodes the stored form of the record of a protein, which [`Record::encode`] wrote for this
    /// accession.
    pub fn decode(accession: ProteinAccession, stored: &[u8]) -> Result<Self, RecordError> {
        Self::decode_parts(accession, stored, RecordParts::ALL)
    }

    /// Decodes parts of a record like [`Record::decode`]. The others are empty.
    pub fn decode_parts(accession: ProteinAccession, stored: &[u8], parts: RecordParts) -> Result<Self, RecordError> {
        let (version, mut bytes) = checked(accession, stored)?;
        let mut names: [String; 2] = Default::default();
        if version == NAMED_VERSION {
            let read = [take_text(&mut bytes)?, take_text(&mut bytes)?];
            if parts.has_any(RecordParts::NAME) {
                names = read;
            }
        }
        let [name, description] = names;
        let (full_length, cluster_size) = take_facts(&mut bytes)?;
        let mut record = Self { name, description, full_length, cluster_size, ..Self::default() };
        for _ in 0..bytes.length()? {
            let entry = BiomeCount { biome: bytes.varint_u32()?, count: bytes.varint()? };
            record.biomes.extend(parts.has_any(RecordParts::BIOMES).then_some(entry));
        }
        for _ in 0..bytes.length()? {
            let hit = take_pfam_hit(&mut bytes)?;
            record.pfam_hits.extend(parts.has_any(RecordParts::PFAM_HITS).then_some(hit));
        }
        if !parts.has_any(RecordParts::SEQUENCE | RecordParts::OCCURRENCES) {
            return Ok(record);
        }
        let length_aa = take_length(&mut bytes)?;
        let (sequence, size_bytes) = residues::decode(bytes.0, length_aa)?;
        bytes.take(size_bytes)?;
        if parts.has_any(RecordParts::SEQUENCE) {
            record.sequence = sequence;
        }
        if !parts.has_any(RecordParts::OCCURRENCES) {
            return Ok(record);
        }
        for _ in 0..bytes.length()? {
            let occurrence = take_occurrence(&mut bytes, record.occurrences.last())?;
            record.occurrences.push(occurrence);
        }
        if bytes.0.is_empty() { Ok(record) } else { Err(RecordError::Value("bytes after the end")) }
    }

    /// Decodes only the residues, and replaces the content of a buffer with them.
    pub(crate) fn decode_residues(
        accession: ProteinAccession,
        stored: &[u8],
        sequence: &mut Vec<u8>,
    ) -> Result<(), RecordError> {
        let (version, mut bytes) = checked(accession, stored)?;
        if version == NAMED_VERSION {
            for _ in 0..2 {
                let length = bytes.length()?;
                bytes.take(length)?;
            }
        }
        take_facts(&mut bytes)?;
        for _ in 0..2 * bytes.length()? {
            bytes.varint()?;
        }
        for _ in 0..bytes.length()? {
            take_pfam_hit(&mut bytes)?;
        }
        let length_aa = take_length(&mut bytes)?;
        residues::decode_into(sequence, bytes.0, length_aa).map(drop)
    }
}

/// Reads the number of residues.
fn take_length(bytes: &mut Bytes<'_>) -> Result<usize, RecordError> {
    let length_aa = usize::try_from(bytes.varint()?).map_err(|_| RecordError::Short)?;
    if length_aa / 2 > bytes.0.len() { Err(RecordError::Short) } else { Ok(length_aa) }
}

/// Returns the two bits for the completeness of a gene.
pub(crate) fn completeness(full_length: Option<bool>) -> u64 {
    full_length.map_or(0, |full_length| 1 + u64::from(full_length))
}

fn take_text(bytes: &mut Bytes<'_>) -> Result<String, RecordError> {
    let length = bytes.length()?;
    bytes.text(length)
}

fn take_facts(bytes: &mut Bytes<'_>) -> Result<(Option<bool>, u64), RecordError> {
    let facts = bytes.varint()?;
    let full_length = match facts & 3 {
        0 => None,
        1 => Some(false),
        2 => Some(true),
        _ => return Err(RecordError::Value("full_length")),
    };
    Ok((full_length, facts >> 2))
}

/// Returns the version, and the bytes between it and the checksum, after checking both.
fn checked(accession: ProteinAccession, stored: &[u8]) -> Result<(u8, Bytes<'_>), RecordError> {
    let (body, expected) = stored.split_last_chunk::<CHECKSUM_BYTES>().ok_or(RecordError::Short)?;
    if checksum(accession, body) != u32::from_le_bytes(*expected) {
        return Err(RecordError::Checksum);
    }
    let mut bytes = Bytes(body);
    match bytes.byte()? {
        version @ (VERSION | NAMED_VERSION) => Ok((version, bytes)),
        other => Err(RecordError::Version(other)),
    }
}

/// The checksum covers the accession, so that a record under another accession is detected.
fn checksum(accession: ProteinAccession, body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&accession.number().to_le_bytes());
    hasher.update(body);
    hasher.finalize()
}

fn take_pfam_hit(bytes: &mut Bytes<'_>) -> Result<PfamHit, RecordError> {
    let family = PfamAccession(bytes.varint()?);
    let [evalue, bit_score] = number::take_pair(bytes)?;
    Ok(PfamHit {
        family,
        evalue,
        bit_score,
        hmm_start: bytes.varint_u32()?,
        hmm_end: bytes.varint_u32()?,
        env_start: bytes.varint_u32()?,
        env_end: bytes.varint_u32()?,
    })
}

/// Appends an occurrence, without the parts that it shares with the previous one.
fn put_occurrence(out: &mut Vec<u8>, occurrence: &Occurrence, previous: Option<&Occurrence>) {
    let mut flags = 0;
    if occurrence.strand == Strand::Reverse {
        flags |= FLAG_REVERSE;
    }
    if previous.is_some_and(|previous| previous.study == occurrence.study) {
        flags |= FLAG_SAME_STUDY;
    }
    if previous.is_some_and(|previous| previous.assembly == occurrence.assembly) {
        flags |= FLAG_SAME_ASSEMBLY;
    }
    let mut name = occurrence.contig_name.as_str();
    if name == occurrence.contig {
        flags |= FLAG_UNNAMED;
    } else if let Some(rest) = name.strip_prefix(&*occurrence.assembly)
        && !occurrence.assembly.is_empty()
    {
        flags |= FLAG_NAME_HAS_ASSEMBLY;
        name = rest;
    }
    out.push(flags);
    if flags & FLAG_SAME_STUDY == 0 {
        put_label(out, &occurrence.study);
    }
    if flags & FLAG_SAME_ASSEMBLY == 0 {
        put_label(out, &occurrence.assembly);
    }
    put_label(out, &occurrence.contig);
    if flags & FLAG_UNNAMED == 0 {
        put_contig_name(out, name);
    }
    put_varint(out, occurrence.start.into());
    put_signed(out, i64::from(occurrence.end) - i64::from(occurrence.start));
}

fn take_occurrence(bytes: &mut Bytes<'_>, previous: Option<&Occurrence>) -> Result<Occurrence, RecordError> {
    let flags = bytes.byte()?;
    let shared = |flag: u8, of: fn(&Occurrence) -> &String, bytes: &mut Bytes<'_>| match (flags & flag, previous) {
        (0, _) => take_label(bytes),
        (_, Some(previous)) => Ok(of(previous).clone()),
        (_, None) => Err(RecordError::Value("a first occurrence that refers to a previous one")),
    };
    let study = shared(FLAG_SAME_STUDY, |occurrence| &occurrence.study, bytes)?;
    let assembly = shared(FLAG_SAME_ASSEMBLY, |occurrence| &occurrence.assembly, bytes)?;
    let contig = take_label(bytes)?;
    let contig_name = if flags & FLAG_UNNAMED != 0 {
        contig.clone()
    } else {
        let name = take_contig_name(&mut bytes.0).ok_or(RecordError::Value("the name of a contig"))?;
        if flags & FLAG_NAME_HAS_ASSEMBLY != 0 { format!("{assembly}{name}") } else { name }
    };
    let start = bytes.varint_u32()?;
    let end = i64::from(start)
        .checked_add(bytes.signed()?)
        .and_then(|end| u32::try_from(end).ok())
        .ok_or(RecordError::Value("the end of an occurrence"))?;
    let strand = if flags & FLAG_REVERSE == 0 { Strand::Forward } else { Strand::Reverse };
    Ok(Occurrence { study, assembly, contig, start, end, strand, contig_name })
}

#[cfg(test)]
mod tests;
