//! A gene on a contig.

use store::ProteinAccession;

use super::bits::{BitReader, BitWriter, Widths};
use crate::pages::{Before, Entry, Key};

/// The bits of the number of a contig.
const NUMBER_BITS: u32 = 40;

/// The bits of the numbers of proteins: in small releases, in those of 2024 and 2026, and in own
/// data.
const PROTEIN_BITS: [u32; 3] = [28, 34, 40];

/// The widths of the difference from the end of the gene before, of the number of codons, of the
/// length of a gene without whole codons, and of the difference from the contig before.
const GAP: Widths = [6, 9, 14, 33];
const CODONS: Widths = [7, 9, 11, 31];
const BASES: Widths = [10, 16, 24, 34];
const CONTIG: Widths = [4, 12, 26, 64];

const CODON_BASES: u32 = 3;

/// A contig of a table: its assembly and its number, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContigKey(u64);

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

    pub(super) const fn first(self) -> Key {
        (self.0, 0)
    }

    pub(super) const fn packed(self) -> u64 {
        self.0
    }

    pub(super) const fn of_packed(packed: u64) -> Self {
        Self(packed)
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

    /// Returns the position from which the start of the next gene is stored as a difference.
    fn bound(&self) -> u32 {
        if self.end < self.start { self.start } else { self.end }
    }

    /// Returns the number of codons, unless the gene does not consist of whole ones.
    fn codons(&self) -> Option<u32> {
        let num_bases = self.end.checked_sub(self.start)?.checked_add(1)?;
        num_bases.is_multiple_of(CODON_BASES).then_some(num_bases / CODON_BASES)
    }
}

impl Entry for Gene {
    fn key(&self) -> Key {
        (self.contig.0, self.index)
    }

    fn write(&self, before: Before<'_, Self>, bytes: &mut Vec<u8>) {
        let mut bits = BitWriter::new(bytes);
        let mut bound = 0;
        if let Before::Entry(before) = before {
            bits.put_flag(before.contig == self.contig);
            if before.contig == self.contig {
                bound = before.bound();
            } else {
                bits.put_number(self.contig.0 - before.contig.0, CONTIG);
            }
        }
        bits.put_flag(self.is_reverse);
        bits.put_signed(i64::from(self.start) - i64::from(bound), GAP);
        bits.put_flag(self.codons().is_some());
        match self.codons() {
            Some(codons) => bits.put_number(codons.into(), CODONS),
            None => bits.put_signed(i64::from(self.end) - i64::from(self.start), BASES),
        }
        put_protein(&mut bits, self.protein);
        bits.put_flag(self.is_member());
        if self.is_member() {
            put_protein(&mut bits, self.representative);
        }
    }

    fn read(before: Before<'_, Self>, bytes: &mut &[u8]) -> Option<Self> {
        let mut bits = BitReader::new(bytes);
        let (contig, index, bound) = match before {
            Before::Page((contig, index)) => (ContigKey(contig), index, 0),
            Before::Entry(before) if bits.take_flag()? => (before.contig, before.index.checked_add(1)?, before.bound()),
            Before::Entry(before) => (ContigKey(before.contig.0.checked_add(bits.take_number(CONTIG)?)?), 0, 0),
        };
        let is_reverse = bits.take_flag()?;
        let start = u32::try_from(i64::from(bound).checked_add(bits.take_signed(GAP)?)?).ok()?;
        let end = if bits.take_flag()? {
            let num_bases = u32::try_from(bits.take_number(CODONS)?).ok()?.checked_mul(CODON_BASES)?;
            start.checked_add(num_bases)?.checked_sub(1)?
        } else {
            u32::try_from(i64::from(start).checked_add(bits.take_signed(BASES)?)?).ok()?
        };
        let protein = take_protein(&mut bits)?;
        let representative = if bits.take_flag()? { take_protein(&mut bits)? } else { protein };
        Some(Self { contig, index, start, end, is_reverse, protein, representative })
    }
}

fn put_protein(bits: &mut BitWriter<'_>, protein: ProteinAccession) {
    let [few, usual, many] = PROTEIN_BITS;
    let num_bits = u64::BITS - protein.number().leading_zeros();
    if (few + 1..=usual).contains(&num_bits) {
        bits.put_flag(false);
        return bits.put(protein.number(), usual);
    }
    bits.put_flag(true);
    bits.put_flag(num_bits > few);
    bits.put(protein.number(), if num_bits > few { many } else { few });
}

fn take_protein(bits: &mut BitReader<'_, '_>) -> Option<ProteinAccession> {
    let [few, usual, many] = PROTEIN_BITS;
    let num_bits = match bits.take_flag()? {
        false => usual,
        true if bits.take_flag()? => many,
        true => few,
    };
    ProteinAccession::new(bits.take(num_bits)?).ok()
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
        (any::<u64>(), position(), position(), any::<bool>(), number(), prop::option::of(number())).prop_map(
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
        let mut written = Vec::new();
        gene.write(before, &mut written);
        let mut bytes = &*written;
        assert_eq!(Gene::read(before, &mut bytes), Some(gene));
        assert!(bytes.is_empty());
        assert_eq!(Gene::read(before, &mut &written[..written.len() - 1]), None);
        written.len()
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
            let _ = Gene::read(Before::Page((0, 0)), &mut &*bytes);
            let _ = Gene::read(Before::Entry(&gene), &mut &*bytes);
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
        assert_eq!(round_trip(next, Before::Entry(&before)), 8);
        let member = Gene { representative: accession(1), ..next };
        assert_eq!(round_trip(member, Before::Entry(&before)), 12);
        let member = Gene { representative: accession(10_000_000_000), ..next };
        assert_eq!(round_trip(member, Before::Entry(&before)), 12);
    }
}
