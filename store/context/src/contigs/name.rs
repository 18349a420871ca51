//! The names of contigs, and the accessions of assemblies.

use twox_hash::XxHash64;

use super::gene::ContigKey;
use crate::bits::{BitReader, BitWriter};
use crate::contig_name::{put_contig_name, put_similar_name, take_contig_name, take_similar_name};
use crate::pages::{Before, Entry, Key};
use crate::varint::{put_varint, take_varint};

/// The most bytes of a name that is stored.
pub const CONTIG_NAME_BYTES_MAX: usize = 1000;

/// Flags below the length.
const HAS_ASSEMBLY: u64 = 1;
const IS_SIMILAR: u64 = 1 << 1;
const FLAG_BITS: u32 = 2;

/// The name and the length of a contig, or the accession of an assembly, whose position is the
/// contig.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) contig: ContigKey,
    /// Set if the name begins with the accession of the assembly, which is left out of `rest`.
    pub(super) has_assembly: bool,
    /// The name, or an empty text if it is unknown.
    pub(super) rest: String,
    /// The number of nucleotides, or 0 if it is unknown.
    pub(super) length: u32,
}

impl Name {
    pub(super) fn new(contig: ContigKey, assembly: &str, name: &str, length: u32) -> Self {
        let rest = Some(assembly).filter(|assembly| !assembly.is_empty()).and_then(|start| name.strip_prefix(start));
        Self { contig, has_assembly: rest.is_some(), rest: rest.unwrap_or(name).to_owned(), length }
    }

    /// Returns the whole name, or `None` if it is unknown.
    pub(super) fn text(&self, assembly: &str) -> Option<String> {
        if self.has_assembly {
            return Some([assembly, &self.rest].concat());
        }
        (!self.rest.is_empty()).then(|| self.rest.clone())
    }
}

impl Entry for Name {
    fn key(&self) -> Key {
        self.contig.first()
    }

    fn write(&self, before: Before<'_, Self>, bits: &mut BitWriter) {
        let bytes = bits.bytes();
        put_varint(bytes, self.contig.0 - before.key().0);
        let mut coded = Vec::new();
        let is_similar = match before {
            Before::Entry(before) => put_similar_name(&mut coded, &self.rest, &before.rest, self.length),
            Before::Page(_) => false,
        };
        if !is_similar {
            put_contig_name(&mut coded, &self.rest);
        }
        let flags = if self.has_assembly { HAS_ASSEMBLY } else { 0 } | if is_similar { IS_SIMILAR } else { 0 };
        put_varint(bytes, u64::from(self.length) << FLAG_BITS | flags);
        bytes.append(&mut coded);
    }

    fn read(before: Before<'_, Self>, bits: &mut BitReader<'_>) -> Option<Self> {
        bits.take_bytes(|bytes| {
            let contig = ContigKey(before.key().0.checked_add(take_varint(bytes)?)?);
            let flags = take_varint(bytes)?;
            let length = u32::try_from(flags >> FLAG_BITS).ok()?;
            let rest = match before {
                Before::Entry(before) if flags & IS_SIMILAR != 0 => take_similar_name(bytes, &before.rest, length)?,
                _ => take_contig_name(bytes)?,
            };
            Some(Self { contig, has_assembly: flags & HAS_ASSEMBLY != 0, rest, length })
        })
    }
}

/// Returns the first bits of the XXH64 of a name. Part of the format.
pub(super) fn hash_name(name: &str, num_bits: u32) -> u64 {
    XxHash64::oneshot(0, name.as_bytes()) >> (u64::BITS - num_bits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn names_round_trip(key in 0..1_u64 << 62, assembly in "(ERZ[0-9]{1,3})?", name in "(ERZ[0-9]{1,3})?\\PC{0,9}", length: u32) {
            let name = Name::new(ContigKey(key), &assembly, &name, length);
            let before = || Before::Page((key / 2, 0));
            let mut bits = BitWriter::default();
            name.write(before(), &mut bits);
            let mut reader = BitReader::new(bits.bytes());
            prop_assert_eq!(Name::read(before(), &mut reader), Some(name));
            prop_assert_eq!(reader.take(1), None);
        }
    }

    #[test]
    fn names_of_releases_take_few_bytes() {
        let contig = |number: u64| ContigKey::new(9, 2_860_239_544 + number).expect("in range");
        for (assembly, before, name, length, num_bytes) in [
            (
                "ERZ17082817",
                "ERZ17082817.9-NODE-9-length-999-cov-17.7131",
                "ERZ17082817.233518-NODE-783534-length-1148-cov-5.0000",
                1148,
                16,
            ),
            ("ERZ1758405", "ERZ1758405.34-k141-999999", "ERZ1758405.1234-k141-56789", 2000, 9),
            (
                "ERZ534239",
                "ENA-OSOD01000001-OSOD01000001.1-marine-metagenome-genome-assembly--contig:-NODE-1-length-9-cov-1.9",
                "ENA-OSOD01046483-OSOD01046483.1-marine-metagenome-genome-assembly--contig:-NODE-46483-length-2198-cov-1.824140",
                2198,
                17,
            ),
        ] {
            let [before, name_of] =
                [Name::new(contig(1), assembly, before, 999), Name::new(contig(2), assembly, name, length)];
            let mut bits = BitWriter::default();
            name_of.write(Before::Entry(&before), &mut bits);
            let bytes = bits.bytes();
            assert!(bytes.len() <= num_bytes, "{name}: {} bytes", bytes.len());
            assert_eq!(Name::read(Before::Entry(&before), &mut BitReader::new(bytes)).as_ref(), Some(&name_of));
            assert_eq!(name_of.text(assembly).as_deref(), Some(name));
        }
    }
}
