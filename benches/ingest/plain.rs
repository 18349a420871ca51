//! Records in a plain form: every field one after another.

use std::collections::HashMap;

use store::BiomeTable;
use store_proteins::{Protein, Strand};

/// The format of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Little-endian, in 1, 2, 4 or 8 bytes, as the field needs.
    Fixed,
    /// Seven bits a byte.
    Varints,
}

pub(crate) struct Plain {
    /// The format of whole numbers.
    numbers: Numbers,
    /// The positions of the biomes, by lineage.
    biomes: HashMap<String, u64>,
}

impl Plain {
    pub(crate) fn new(numbers: Numbers, biomes: &BiomeTable) -> Self {
        let lineages = biomes.iter().map(|biome| biome.lineage.clone());
        Self { numbers, biomes: lineages.zip(0..).collect() }
    }

    /// Appends a record without its accession. Biomes, families and contigs are numbers, real
    /// numbers as wide as they must be.
    pub(crate) fn put(&self, protein: &Protein, out: &mut Vec<u8>) {
        out.push(protein.full_length.map_or(2, u8::from));
        self.number(out, 4, protein.cluster_size);
        self.text(out, &protein.sequence);
        self.number(out, 2, protein.biomes.len() as u64);
        for biome in &protein.biomes {
            self.number(out, 2, self.biomes[&biome.lineage]);
            self.number(out, 4, biome.count);
        }
        self.number(out, 2, protein.pfam_annotations.len() as u64);
        for annotation in &protein.pfam_annotations {
            let hit = &annotation.hit;
            self.number(out, 4, hit.family.0);
            real(out, hit.evalue);
            real(out, hit.bit_score);
            for position in [hit.hmm_start, hit.hmm_end, hit.env_start, hit.env_end] {
                self.number(out, 4, position.into());
            }
        }
        self.number(out, 4, protein.occurrences.len() as u64);
        for occurrence in &protein.occurrences {
            self.text(out, &occurrence.study);
            self.text(out, &occurrence.assembly);
            let contig = occurrence.contig.strip_prefix("MGYC").and_then(|digits| digits.parse().ok());
            self.number(out, 8, contig.expect("an accession"));
            self.text(out, &occurrence.contig_name);
            self.number(out, 4, occurrence.start.into());
            self.number(out, 4, occurrence.end.into());
            out.push(u8::from(occurrence.strand == Strand::Reverse));
        }
    }

    /// Appends a whole number.
    fn number(&self, out: &mut Vec<u8>, num_bytes: usize, mut number: u64) {
        if self.numbers == Numbers::Fixed {
            out.extend(&number.to_le_bytes()[..num_bytes]);
            return;
        }
        while number >= 0x80 {
            out.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        out.push(number.to_le_bytes()[0]);
    }

    /// Appends a text with its length.
    fn text(&self, out: &mut Vec<u8>, text: &str) {
        self.number(out, 2, text.len() as u64);
        out.extend(text.as_bytes());
    }
}

/// Appends a real number: in single precision where that is the same.
fn real(out: &mut Vec<u8>, number: f64) {
    #[expect(clippy::cast_possible_truncation, reason = "it is compared")]
    let single = number as f32;
    if f64::from(single).to_bits() == number.to_bits() {
        out.extend(single.to_le_bytes());
    } else {
        out.extend(number.to_le_bytes());
    }
}
