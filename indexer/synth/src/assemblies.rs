//! Studies, assemblies, and the names of contigs.

use std::fmt::Write;
use std::ops::Range;

use crate::chance::{Chance, Permutation, Purpose};
use crate::draw::Draw;
use crate::lineages;

/// About how many assemblies there are.
const NUM_ASSEMBLIES: f64 = 40_000.0;

/// How many assemblies of a biome make a study.
const STUDY_ASSEMBLIES: usize = 20;

/// The ranges of numbers: of `ERZ` accessions, of `ERP` accessions (with what they start at), and of internal numbers.
const ERZ: (u64, u64) = (400_000, 17_000_000);
/// See [`ERZ`].
const ERP: (u64, u64) = (1000, 149_000);
/// See [`ERZ`].
const ASSEMBLY_IDS: u64 = 60_000;
/// See [`ERZ`].
const STUDY_IDS: u64 = 10_000;

/// What made an assembly, which shows in the names of its contigs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Assembler {
    /// The usual one, whose names tell the coverage.
    MetaSpades,
    /// Names tell only a number.
    Megahit,
    /// Names as the authors of a study chose them.
    Authors,
}

/// An assembly.
pub(crate) struct Assembly {
    /// The accession.
    pub(crate) accession: String,
    /// The accession of its study.
    pub(crate) study: String,
    /// The internal number.
    pub(crate) id: u32,
    /// The internal number of its study.
    pub(crate) study_id: u32,
    /// The version of the pipeline.
    pub(crate) pipeline: &'static str,
    /// Where it is from.
    pub(crate) lineage: u16,
    /// The assemblies from the same biome.
    neighbours: Range<u32>,
    /// What made it.
    assembler: Assembler,
}

impl Assembly {
    /// Appends the name of a contig, and returns its coverage where that is known.
    pub(crate) fn name_contig(&self, chance: &mut Chance, length: u32, name: &mut String) -> Option<f64> {
        let (number, node, coverage) = (chance.small(400_000) + 1, chance.small(900_000) + 1, chance.small(900_000));
        let accession = &self.accession;
        let coverage = 1.0 + f64::from(coverage) / 10_000.0;
        let mut write = |text| name.write_fmt(text).expect("memory");
        match self.assembler {
            Assembler::MetaSpades => {
                write(format_args!("{accession}.{number}-NODE-{node}-length-{length}-cov-{coverage:.4}"));
                Some(coverage)
            }
            Assembler::Megahit => {
                write(format_args!("{accession}.{number}-k141-{node}"));
                None
            }
            Assembler::Authors => {
                let station = 50 + self.study_id % 40;
                write(format_args!(
                    "{accession}.{number}-Hain-H{station}-01um-R1-{number}-length-{length}-cov-{coverage:.6}"
                ));
                None
            }
        }
    }
}

/// All assemblies.
pub(crate) struct Assemblies {
    /// The assemblies, by biome.
    all: Vec<Assembly>,
    /// Shares by biome, and within a biome by one over the rank.
    shares: Draw,
}

impl Assemblies {
    /// Makes assemblies for biomes of these shares.
    pub(crate) fn new(seed: u64, biome_shares: &[u64]) -> Self {
        let stream = Purpose::Assemblies.stream(seed);
        let accessions = Permutation::new(stream, ERZ.1);
        let ids = Permutation::new(stream, ASSEMBLY_IDS);
        let studies = Permutation::new(stream, ERP.1);
        let total: f64 = biome_shares.iter().copied().map(lineages::real).sum();
        let (mut all, mut weights) = (Vec::new(), Vec::new());
        let mut num_studies = 0;
        for (lineage, &biome_share) in biome_shares.iter().enumerate() {
            let share = lineages::real(biome_share) / total;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and all")]
            let num = (share * NUM_ASSEMBLIES).round().max(1.0) as u32;
            let harmonic: f64 = (1..=num).map(|rank| 1.0 / f64::from(rank)).sum();
            let start = u32::try_from(all.len()).expect("few assemblies");
            for rank in 0..num {
                num_studies += u64::from((rank as usize).is_multiple_of(STUDY_ASSEMBLIES));
                let index = all.len() as u64;
                let mut chance = Chance::new(stream, index);
                all.push(Assembly {
                    accession: format!("ERZ{}", ERZ.0 + accessions.at(index)),
                    study: format!("ERP{:06}", ERP.0 + studies.at(num_studies)),
                    id: 1 + u32::try_from(ids.at(index)).expect("small"),
                    study_id: u32::try_from(num_studies % STUDY_IDS).expect("small"),
                    pipeline: if chance.happens(0.3) { "4.1" } else { "5.0" },
                    lineage: u16::try_from(lineage).expect("few lineages"),
                    neighbours: start..start + num,
                    assembler: match chance.below(20) {
                        0..15 => Assembler::MetaSpades,
                        15..18 => Assembler::Megahit,
                        _ => Assembler::Authors,
                    },
                });
                weights.push(share / harmonic / f64::from(rank + 1));
            }
        }
        Self { all, shares: Draw::new(weights) }
    }

    /// Draws an assembly.
    pub(crate) fn pick(&self, chance: &mut Chance) -> u32 {
        u32::try_from(self.shares.pick(chance)).expect("few assemblies")
    }

    /// Draws an assembly from the same biome as another.
    pub(crate) fn pick_neighbour(&self, assembly: u32, chance: &mut Chance) -> u32 {
        let Range { start, end } = self.get(assembly).neighbours;
        start + chance.small(end - start)
    }

    /// Returns an assembly.
    pub(crate) fn get(&self, assembly: u32) -> &Assembly {
        &self.all[assembly as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn biomes_have_their_shares_and_names_their_shapes() {
        let assemblies = Assemblies::new(1, &[10, 60, 30]);
        let mut accessions: Vec<_> = assemblies.all.iter().map(|assembly| &assembly.accession).collect();
        accessions.sort_unstable();
        accessions.dedup();
        assert_eq!(accessions.len(), 40_000);

        let mut chance = Chance::new(1, 1);
        let mut shares = [0_u32; 3];
        for _ in 0..10_000 {
            let index = assemblies.pick(&mut chance);
            let assembly = assemblies.get(index);
            shares[usize::from(assembly.lineage)] += 1;
            let neighbour = assemblies.pick_neighbour(index, &mut chance);
            assert_eq!(assemblies.get(neighbour).lineage, assembly.lineage);
            let mut name = String::new();
            let coverage = assembly.name_contig(&mut chance, 500, &mut name);
            assert_eq!(coverage.is_some(), name.contains("-NODE-"), "{name}");
            assert!(name.starts_with(&format!("{}.", assembly.accession)));
        }
        assert!((900..1100).contains(&shares[0]) && (5800..6200).contains(&shares[1]), "{shares:?}");
    }
}
