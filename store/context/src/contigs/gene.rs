//! A gene on a contig.

use store::ProteinAccession;

use crate::bits::{BitReader, BitWriter, Widths};
use crate::pages::{Before, Entry, Key};
use crate::varint::{signed, unsigned};

/// The bits of the number of a contig.
const NUMBER_BITS: u32 = 40;

/// The bits of the numbers of proteins: in releases up to that of 2026, and in all data.
const PROTEIN_BITS: [u32; 2] = [34, 40];

/// The widths of the difference from the end of the gene before, of the length, and of the
/// difference from the contig before, which at most begins the next assembly.
const GAP: Widths = [4, 6, 7, 8, 9, 11, 15, 33];
const LENGTH: Widths = [7, 8, 9, 10, 11, 12, 14, 32];
const CONTIG: Widths = [1, 2, 4, 7, 12, 18, 26, 42];

/// A contig of a table: its assembly and its number, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContigKey(pub(super) u64);

impl ContigKey {
    /// Returns whether a contig can have the number.
    pub const fn is_number(number: u64) -> bool {
        0 < number && number >> NUMBER_BITS == 0
    }

    /// Returns the contig of an assembly, which is the position of its accession in the table, with
    /// this number: that of its accession, or in own data its position among all contigs, 1-based.
    /// Returns `None` if the assembly or the number is too high.
    pub fn new(assembly: u64, number: u64) -> Option<Self> {
        let fits = number >> NUMBER_BITS == 0 && assembly >> (u64::BITS - NUMBER_BITS) == 0;
        fits.then_some(Self(assembly << NUMBER_BITS | number))
    }

    /// Returns the position of the accession of the assembly.
    pub const fn assembly(self) -> u64 {
        self.0 >> NUMBER_BITS
    }

    /// Returns the number in the assembly.
    pub const fn number(self) -> u64 {
        self.0 & ((1 << NUMBER_BITS) - 1)
    }

    /// Returns the lowest contig above this one that there may be.
    pub(super) const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    pub(super) const fn first(self) -> Key {
        (self.0, 0)
    }
}

/// A gene. Genes ascend by contig, then start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gene {
    /// The contig.
    pub contig: ContigKey,
    /// The position among the genes of the contig, 0-based.
    pub index: u64,
    /// The first nucleotide on the contig, 1-based.
    pub start: u32,
    /// The last nucleotide, 1-based. It is below the start if the gene crosses the origin of a
    /// circular contig.
    pub end: u32,
    /// Set if the gene is on the reverse strand.
    pub is_reverse: bool,
    /// The protein.
    pub protein: ProteinAccession,
    /// The representative of the cluster of the protein, which may be the protein.
    pub representative: ProteinAccession,
}

impl Gene {
    /// Returns whether the protein is a member of the cluster of another one.
    pub fn is_member(&self) -> bool {
        self.protein != self.representative
    }
}

impl Entry for Gene {
    fn key(&self) -> Key {
        (self.contig.0, self.index)
    }

    fn write(&self, before: Before<'_, Self>, bits: &mut BitWriter) {
        let end = match before {
            Before::Entry(before) if before.contig == self.contig => Some(before.end),
            _ => None,
        };
        let proteins = [self.protein.number(), self.representative.number()];
        let is_large = proteins.iter().any(|number| number >> PROTEIN_BITS[0] != 0);
        for flag in [end.is_some(), self.is_reverse, is_large, self.is_member()] {
            bits.put(flag.into(), 1);
        }
        let gap = unsigned(i64::from(self.start) - i64::from(end.unwrap_or(0)));
        bits.put_numbers([gap, self.end.wrapping_sub(self.start).into()], [GAP, LENGTH]);
        for number in &proteins[..=usize::from(self.is_member())] {
            bits.put(*number, PROTEIN_BITS[usize::from(is_large)]);
        }
        if let (Before::Entry(before), None) = (before, end) {
            bits.put_numbers([self.contig.0 - before.contig.0], [CONTIG]);
        }
    }

    #[inline]
    fn read(before: Before<'_, Self>, bits: &mut BitReader<'_>) -> Option<Self> {
        let flags = bits.take(4)?;
        let [is_same, is_reverse, is_large, is_member] = [0, 1, 2, 3].map(|place| flags >> place & 1 != 0);
        let [gap, length] = bits.take_numbers([GAP, LENGTH])?;
        let num_bits = PROTEIN_BITS[usize::from(is_large)];
        let protein = bits.take(num_bits)?;
        // Without a branch, since the next one cannot be predicted.
        let representative = bits.take(if is_member { num_bits } else { 0 })?;
        let [protein, representative] = [protein, if is_member { representative } else { protein }];
        let (contig, index, end) = match before {
            Before::Page((contig, index)) => (ContigKey(contig), index, 0),
            Before::Entry(before) if is_same => (before.contig, before.index.checked_add(1)?, before.end),
            Before::Entry(before) => (ContigKey(before.contig.0.checked_add(bits.take_numbers([CONTIG])?[0])?), 0, 0),
        };
        let start = u32::try_from(i64::from(end).checked_add(signed(gap))?).ok()?;
        let end = start.wrapping_add(u32::try_from(length).ok()?);
        let [protein, representative] = [protein, representative].map(|number| ProteinAccession::new(number).ok());
        Some(Self { contig, index, start, end, is_reverse, protein: protein?, representative: representative? })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn accession(number: u64) -> ProteinAccession {
        ProteinAccession::new(number).expect("an accession")
    }

    fn gene() -> impl Strategy<Value = Gene> {
        let position = || prop_oneof![0..5000_u32, any::<u32>()];
        let number = || prop_oneof![1..100_u64, 1..999_999_999_999_u64];
        (1..1_u64 << 42, position(), position(), any::<bool>(), number(), prop::option::of(number())).prop_map(
            |(contig, start, end, is_reverse, protein, other)| Gene {
                contig: ContigKey(contig),
                index: 0,
                start,
                end,
                is_reverse,
                protein: accession(protein),
                representative: accession(other.unwrap_or(protein)),
            },
        )
    }

    fn round_trip(gene: Gene, before: Before<'_, Gene>) -> usize {
        let mut written = BitWriter::default();
        gene.write(before, &mut written);
        let num_bits = written.num_bits();
        let mut bits = BitReader::new(written.bytes());
        assert_eq!(Gene::read(before, &mut bits), Some(gene));
        assert_eq!(bits.take(8), None);
        let bytes = written.bytes();
        assert_eq!(Gene::read(before, &mut BitReader::new(&bytes[..bytes.len() - 1])), None);
        num_bits
    }

    proptest! {
        #[test]
        fn genes_round_trip(gene in gene(), other in gene(), index in 0..9_u64) {
            round_trip(Gene { index, ..gene }, Before::Page((gene.contig.0, index)));
            let (first, second) = if gene.contig < other.contig { (gene, other) } else { (other, gene) };
            if first.contig < second.contig {
                round_trip(second, Before::Entry(&Gene { index, ..first }));
            }
            let next = Gene { contig: first.contig, index: index + 1, ..second };
            round_trip(next, Before::Entry(&Gene { index, ..first }));
        }

        #[test]
        fn other_bytes_are_no_panic(bytes: Vec<u8>, gene in gene()) {
            let _ = Gene::read(Before::Page((0, 0)), &mut BitReader::new(&bytes));
            let _ = Gene::read(Before::Entry(&gene), &mut BitReader::new(&bytes));
        }
    }

    #[test]
    fn usual_genes_are_short() {
        let before = Gene {
            contig: ContigKey::new(7, 4_000_000_000).expect("in range"),
            index: 3,
            start: 1200,
            end: 2000,
            is_reverse: false,
            protein: accession(11_200_000_000),
            representative: accession(11_200_000_000),
        };
        let next = Gene { index: 4, start: 2070, end: 2069 + 3 * 187, is_reverse: true, ..before };
        assert_eq!(round_trip(next, Before::Entry(&before)), 62);
        let member = Gene { representative: accession(1), ..next };
        assert_eq!(round_trip(member, Before::Entry(&before)), 96);
        let member = Gene { representative: accession(10_000_000_000), ..next };
        assert_eq!(round_trip(member, Before::Entry(&before)), 96);
    }
}
