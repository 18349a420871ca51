//! Making proteins.

use crate::assemblies::Assemblies;
use crate::chance::{Chance, Permutation, Purpose};
use crate::draw::{Draw, Lengths, Residues};
use crate::protein::{Hit, Place, Protein};
use crate::{SynthPlan, lineages};

/// The share of representatives with 0, 1, 2, … Pfam hits, in ten-thousandths.
const PFAM_HITS: [u16; 9] = [7765, 1425, 476, 178, 72, 40, 21, 12, 11];

/// The share of other members without a hit, so that about half of all proteins have one.
const MEMBERS_WITHOUT_HITS: f64 = 3600.0;

/// The exponent of the family frequencies.
const FAMILY_EXPONENT: f64 = 0.75;

/// The share of hits whose family the table of clans lacks, and the first of these families.
const UNKNOWN_FAMILIES: (f64, u64) = (0.002, 90_001);

/// The share of full-length proteins.
const FULL_LENGTH: f64 = 0.18;

/// How many proteins from the first are often found.
const NUM_OFTEN_FOUND: u64 = 100;

/// The largest number of a contig, unless there are more contigs.
const CONTIGS_MAX: u64 = 4_200_000_000;

/// Makes proteins, ascending.
pub(crate) struct Proteins<'a> {
    /// Chance for each protein.
    stream: u64,
    /// The families of the table of clans.
    families: &'a [u64],
    /// Their shares.
    family_shares: Draw,
    /// The shares of numbers of hits: of representatives, and of other members.
    num_hits: [Draw; 2],
    /// Lengths of proteins.
    lengths: Lengths,
    /// Letters of sequences.
    residues: Residues,
    /// The assemblies.
    assemblies: &'a Assemblies,
    /// The numbers of contigs.
    contigs: Permutation,
    /// How many contigs were used.
    num_contigs: u64,
    /// The number of the last occurrence.
    occurrence: u64,
}

impl<'a> Proteins<'a> {
    /// Starts at the first protein.
    pub(crate) fn new(plan: &SynthPlan, families: &'a [u64], assemblies: &'a Assemblies) -> Self {
        let shares = (1..=families.len()).map(|rank| lineages::real(rank as u64).powf(-FAMILY_EXPONENT));
        let mut members = PFAM_HITS.map(f64::from);
        members[0] = 0.0;
        let with_hits: f64 = members.iter().sum();
        members[0] = MEMBERS_WITHOUT_HITS / (10_000.0 - MEMBERS_WITHOUT_HITS) * with_hits;
        Self {
            stream: Purpose::Proteins.stream(plan.seed),
            families,
            family_shares: Draw::new(shares),
            num_hits: [Draw::new(PFAM_HITS.map(f64::from)), Draw::new(members)],
            lengths: Lengths::new(),
            residues: Residues::new(),
            assemblies,
            contigs: Permutation::new(
                Purpose::Contigs.stream(plan.seed),
                CONTIGS_MAX.max(plan.num_proteins.saturating_mul(2)),
            ),
            num_contigs: 0,
            occurrence: 0,
        }
    }

    /// Makes the next protein.
    pub(crate) fn make(&mut self, rank: u64, id: u64, representative: u64, protein: &mut Protein) {
        let mut chance = Chance::new(self.stream, rank);
        protein.id = id;
        protein.representative = representative;
        protein.full_length = chance.happens(FULL_LENGTH);
        let length_aa = self.lengths.pick(&mut chance);
        self.residues.fill(&mut chance, length_aa, &mut protein.sequence);
        if protein.full_length {
            protein.sequence.replace_range(..1, "M");
        }

        let num_hits = self.num_hits[usize::from(!protein.is_representative())].pick(&mut chance);
        protein.hits.clear();
        protein.hits.extend((0..num_hits).map(|_| self.hit(length_aa, &mut chance)));

        protein.places.clear();
        protein.biomes.clear();
        let mut assembly = self.assemblies.pick(&mut chance);
        for number in 0..num_places(rank, &mut chance) {
            if number > 0 {
                // Most proteins that are found again are found in the same biome.
                let is_anywhere = chance.happens(if rank < NUM_OFTEN_FOUND { 0.1 } else { 0.3 });
                assembly = if is_anywhere {
                    self.assemblies.pick(&mut chance)
                } else {
                    self.assemblies.pick_neighbour(assembly, &mut chance)
                };
            }
            let place = self.place(assembly, 3 * length_aa, protein.full_length, &mut chance);
            protein.places.push(place);
            let lineage = self.assemblies.get(assembly).lineage;
            match protein.biomes.binary_search_by_key(&lineage, |&(known, _)| known) {
                Ok(known) => protein.biomes[known].1 += 1,
                Err(new) => protein.biomes.insert(new, (lineage, 1)),
            }
        }
    }

    /// Returns a hit somewhere in a sequence.
    fn hit(&self, length_aa: u32, chance: &mut Chance) -> Hit {
        let (unknown_share, first_unknown) = UNKNOWN_FAMILIES;
        let family = if chance.happens(unknown_share) {
            first_unknown + chance.below(20)
        } else {
            self.families[self.family_shares.pick(chance)]
        };
        let env_start = 1 + chance.small(length_aa / 2);
        let env_end = env_start + chance.small(length_aa - env_start + 1);
        let hmm_start = 1 + chance.small(30);
        let exponent = 5.0 + 55.0 * chance.unit() * chance.unit();
        #[expect(clippy::cast_possible_truncation, reason = "scores have 32 bits in the release")]
        let score = (8.0 + 3.3 * exponent + 4.0 * chance.unit()) as f32;
        Hit {
            family,
            evalue: 10_f64.powf(-exponent),
            score: f64::from(score),
            hmm: (hmm_start, hmm_start + env_end - env_start),
            env: (env_start, env_end),
        }
    }

    /// Returns a place on a contig of an assembly. No other place is on that contig.
    fn place(&mut self, assembly: u32, num_bases: u32, full_length: bool, chance: &mut Chance) -> Place {
        let contig = 1 + self.contigs.at(self.num_contigs);
        self.num_contigs += 1;
        // Steps of at least two leave a number free behind each.
        self.occurrence += 2 + chance.below(2);
        let start = 1 + if chance.happens(0.5) { chance.small(3) } else { chance.small(50_000) };
        let end = start + num_bases - 1;
        let contig_length = end + if chance.happens(0.5) { chance.small(3) } else { chance.small(20_000) };
        let mut contig_name = String::new();
        let coverage = self.assemblies.get(assembly).name_contig(chance, contig_length, &mut contig_name);
        let caller = match chance.below(20) {
            0..17 => 1,
            17..19 => 2,
            _ => 3,
        };
        let truncation = match chance.below(5) {
            _ if caller != 1 => None,
            _ if full_length => Some("00"),
            0..2 => Some("01"),
            2..4 => Some("10"),
            _ => Some("11"),
        };
        Place {
            occurrence: self.occurrence,
            assembly,
            contig,
            contig_name,
            contig_length,
            coverage,
            start,
            end,
            strand: if chance.happens(0.5) { 1 } else { -1 },
            truncation,
            caller,
        }
    }
}

/// Returns how often a protein occurs. The first ones are found very often, as the real ones are.
fn num_places(rank: u64, chance: &mut Chance) -> u64 {
    match (rank, chance.below(1000)) {
        (0, _) => 282,
        (2, _) => 10,
        (4, _) => 5261,
        (5..NUM_OFTEN_FOUND, _) => 1 + chance.below(600 / (rank + 1) + 2),
        (_, 0..991) => 1,
        (_, 991..999) => 2,
        _ => 3 + chance.below(8),
    }
}
