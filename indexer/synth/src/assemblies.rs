//! Studies, assemblies, and the names of contigs.

use std::ops::Range;

use crate::draw::Draw;
use crate::random::{Permutation, Purpose, Random};

const NUM_ASSEMBLIES: f64 = 40_000.0;

const STUDY_ASSEMBLIES: usize = 20;

/// The first `ERZ` accession of an assembly, and the number of accessions.
const ERZ: (u64, u64) = (400_000, 17_000_000);

/// The first `ERP` accession of a study, and the number of accessions.
const ERP: (u64, u64) = (1000, 149_000);

/// The number of internal ids.
const ASSEMBLY_IDS: u64 = 60_000;
const STUDY_IDS: u64 = 10_000;

/// The assembler, which determines the names of contigs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Assembler {
    /// Names include the coverage.
    MetaSpades,
    Megahit,
    /// Names as the authors of a study chose them.
    Authors,
}

pub(crate) struct Assembly {
    pub(crate) accession: String,
    pub(crate) study: String,
    pub(crate) id: u32,
    pub(crate) study_id: u32,
    /// The version of the analysis pipeline.
    pub(crate) pipeline: &'static str,
    pub(crate) lineage: u16,
    /// The assemblies of the same lineage.
    neighbours: Range<u32>,
    assembler: Assembler,
}

impl Assembly {
    /// Returns a new name for a contig, and its coverage if the name has it.
    pub(crate) fn name_contig(&self, random: &mut Random, length: u32) -> (String, Option<f64>) {
        let (number, node, coverage) = (random.small(400_000) + 1, random.small(900_000) + 1, random.small(900_000));
        let accession = &self.accession;
        let coverage = 1.0 + f64::from(coverage) / 10_000.0;
        match self.assembler {
            Assembler::MetaSpades => {
                (format!("{accession}.{number}-NODE-{node}-length-{length}-cov-{coverage:.4}"), Some(coverage))
            }
            Assembler::Megahit => (format!("{accession}.{number}-k141-{node}"), None),
            Assembler::Authors => {
                let station = 50 + self.study_id % 40;
                let sample = format!("{accession}.{number}-Hain-H{station}-01um-R1-{number}");
                (format!("{sample}-length-{length}-cov-{coverage:.6}"), None)
            }
        }
    }
}

pub(crate) struct Assemblies {
    /// By lineage.
    all: Vec<Assembly>,
    /// Weights are those of the lineages, and within a lineage follow Zipf's law.
    shares: Draw,
}

impl Assemblies {
    /// Distributes assemblies over lineages by their shares.
    pub(crate) fn new(seed: u64, lineage_shares: &[f64]) -> Self {
        let stream = Purpose::Assemblies.stream(seed);
        let accessions = Permutation::new(stream, ERZ.1);
        let ids = Permutation::new(stream, ASSEMBLY_IDS);
        let studies = Permutation::new(stream, ERP.1);
        let total: f64 = lineage_shares.iter().sum();
        let (mut all, mut weights) = (Vec::new(), Vec::new());
        let mut num_studies = 0;
        for (lineage, &lineage_share) in lineage_shares.iter().enumerate() {
            let share = lineage_share / total;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a positive number of assemblies"
            )]
            let num = (share * NUM_ASSEMBLIES).round().max(1.0) as u32;
            let harmonic: f64 = (1..=num).map(|rank| 1.0 / f64::from(rank)).sum();
            let start = u32::try_from(all.len()).expect("few assemblies");
            for rank in 0..num {
                num_studies += u64::from((rank as usize).is_multiple_of(STUDY_ASSEMBLIES));
                let index = all.len() as u64;
                let mut random = Random::new(stream, index);
                all.push(Assembly {
                    accession: format!("ERZ{}", ERZ.0 + accessions.at(index)),
                    study: format!("ERP{:06}", ERP.0 + studies.at(num_studies)),
                    id: 1 + u32::try_from(ids.at(index)).expect("small"),
                    study_id: u32::try_from(num_studies % STUDY_IDS).expect("small"),
                    pipeline: if random.happens(0.3) { "4.1" } else { "5.0" },
                    lineage: u16::try_from(lineage).expect("few lineages"),
                    neighbours: start..start + num,
                    assembler: match random.below(20) {
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

    pub(crate) fn pick(&self, random: &mut Random) -> u32 {
        u32::try_from(self.shares.pick(random)).expect("few assemblies")
    }

    /// Draws an assembly of the same lineage as another.
    pub(crate) fn pick_neighbour(&self, assembly: u32, random: &mut Random) -> u32 {
        let Range { start, end } = self.get(assembly).neighbours;
        start + random.small(end - start)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, assembly: u32) -> &Assembly {
        &self.all[assembly as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn biomes_and_names_follow_their_distributions() {
        let assemblies = Assemblies::new(1, &[10.0, 60.0, 30.0]);
        let mut accessions: Vec<_> = assemblies.all.iter().map(|assembly| &assembly.accession).collect();
        accessions.sort_unstable();
        accessions.dedup();
        assert_eq!(accessions.len(), 40_000);

        let mut random = Random::new(1, 1);
        let mut shares = [0_u32; 3];
        for _ in 0..10_000 {
            let index = assemblies.pick(&mut random);
            let assembly = assemblies.get(index);
            shares[usize::from(assembly.lineage)] += 1;
            let neighbour = assemblies.pick_neighbour(index, &mut random);
            assert_eq!(assemblies.get(neighbour).lineage, assembly.lineage);
            let (name, coverage) = assembly.name_contig(&mut random, 500);
            assert_eq!(coverage.is_some(), name.contains("-NODE-"), "{name}");
            assert!(name.starts_with(&format!("{}.", assembly.accession)));
        }
        assert!((900..1100).contains(&shares[0]) && (5800..6200).contains(&shares[1]), "{shares:?}");
    }
}
