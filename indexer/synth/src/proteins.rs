//! Making proteins.

use std::ops::Range;

use crate::SynthPlan;
use crate::draw::{Draw, Residues, length_aa};
use crate::model::Model;
use crate::protein::{Hit, Locus, Protein};
use crate::random::{Permutation, Purpose, Random, mix};

/// The share of representatives with 0, 1, 2, … Pfam hits, in ten-thousandths.
const PFAM_HITS: [u16; 9] = [7765, 1425, 476, 178, 72, 40, 21, 12, 11];

/// The share of other members without a hit, in ten-thousandths. With it, about half of all
/// proteins have one.
const MEMBERS_WITHOUT_HITS: f64 = 3600.0;

/// The exponent of the power law that family frequencies follow.
const FAMILY_EXPONENT: f64 = 0.75;

/// The share of hits with families that the bundled table does not have, and the first of these
/// families.
const UNKNOWN_FAMILIES: (f64, u64) = (0.002, 90_001);

const FULL_LENGTH_SHARE: f64 = 0.18;

/// The number of proteins with many loci, beginning with the first protein.
const NUM_WIDESPREAD: u64 = 100;

/// The largest contig number of a release that has fewer contigs.
const CONTIGS_MAX: u64 = 4_200_000_000;

/// The number of neighbouring numbers of contigs that an assembly gets at a time.
const CONTIGS_AT_ONCE: u64 = 64;

/// One in this number of genes is the last one on its contig even if there is room for others.
const GENES_IF_ROOM: u64 = 5;

/// The greatest distance between two genes, and their greatest overlap.
const GENE_GAP: u64 = 200;
const GENE_OVERLAP: u32 = 4;

/// Makes proteins. They must be requested in order: contigs and occurrences are numbered as they
/// are used.
pub(crate) struct Proteins<'a> {
    model: &'a Model,
    stream: u64,
    family_shares: Draw,
    /// The distributions of the number of hits: of representatives, and of other members.
    num_hits: [Draw; 2],
    residues: Residues,
    contigs: Permutation,
    /// The number of the blocks of contigs that assemblies have.
    num_blocks: u64,
    /// By assembly.
    open: Vec<OpenAssembly>,
    last_occurrence: u64,
}

/// The contigs of an assembly that are in use.
#[derive(Clone, Default)]
struct OpenAssembly {
    /// The numbers that are left, of which the first is the next one.
    numbers: Range<u64>,
    /// The last locus.
    last: Option<Locus>,
}

impl<'a> Proteins<'a> {
    pub(crate) fn new(plan: &SynthPlan, model: &'a Model) -> Self {
        let num_families = u32::try_from(model.families.len()).expect("few families");
        let family_shares = (1..=num_families).map(|rank| f64::from(rank).powf(-FAMILY_EXPONENT));
        let mut member_hits = PFAM_HITS.map(f64::from);
        let with_hits: f64 = member_hits[1..].iter().sum();
        member_hits[0] = MEMBERS_WITHOUT_HITS / (10_000.0 - MEMBERS_WITHOUT_HITS) * with_hits;
        let num_contigs = CONTIGS_MAX.max(plan.num_proteins.saturating_mul(2));
        Self {
            model,
            stream: Purpose::Proteins.stream(plan.seed),
            family_shares: Draw::new(family_shares),
            num_hits: [PFAM_HITS.map(f64::from), member_hits].map(Draw::new),
            residues: Residues::new(),
            contigs: Permutation::new(Purpose::Contigs.stream(plan.seed), num_contigs / CONTIGS_AT_ONCE),
            num_blocks: 0,
            open: vec![OpenAssembly::default(); model.assemblies.len()],
            last_occurrence: 0,
        }
    }

    /// Makes the protein at a rank, which belongs to a cluster, in the caller's buffers.
    pub(crate) fn make(&mut self, rank: u64, cluster: u64, protein: &mut Protein) {
        let Model { ranks, assemblies, .. } = self.model;
        let mut random = Random::new(self.stream, rank);
        protein.id = ranks.id(rank);
        protein.representative = ranks.id(ranks.representative_rank(cluster));
        protein.full_length = random.happens(FULL_LENGTH_SHARE);
        let length_aa = length_aa(&mut random);
        self.residues.fill(&mut random, length_aa, &mut protein.sequence);
        if protein.full_length {
            protein.sequence.replace_range(..1, "M");
        }

        let num_hits = self.num_hits[usize::from(!protein.is_representative())].pick(&mut random);
        protein.hits.clear();
        protein.hits.extend((0..num_hits).map(|_| self.hit(length_aa, &mut random)));

        protein.loci.clear();
        protein.biomes.clear();
        let mut assembly = assemblies.pick(&mut random);
        for number in 0..num_loci(rank, &mut random) {
            if number > 0 {
                // Most proteins that occur again do so in the same biome.
                let is_anywhere = random.happens(if rank < NUM_WIDESPREAD { 0.1 } else { 0.3 });
                assembly = if is_anywhere {
                    assemblies.pick(&mut random)
                } else {
                    assemblies.pick_neighbour(assembly, &mut random)
                };
            }
            let locus = self.locus(assembly, 3 * length_aa, protein.full_length, &mut random);
            protein.loci.push(locus);
            let lineage = assemblies.get(assembly).lineage;
            match protein.biomes.binary_search_by_key(&lineage, |&(present, _)| present) {
                Ok(index) => protein.biomes[index].1 += 1,
                Err(index) => protein.biomes.insert(index, (lineage, 1)),
            }
        }
    }

    fn hit(&self, length_aa: u32, random: &mut Random) -> Hit {
        let (unknown_share, first_unknown) = UNKNOWN_FAMILIES;
        let family = if random.happens(unknown_share) {
            first_unknown + random.below(20)
        } else {
            self.model.families[self.family_shares.pick(random)]
        };
        let from = 1 + random.small(length_aa / 2);
        let to = from + random.small(length_aa - from + 1);
        let hmm_from = 1 + random.small(30);
        let exponent = 5.0 + 55.0 * random.unit() * random.unit();
        #[expect(clippy::cast_possible_truncation, reason = "scores of a release have 32 bits")]
        let score = (8.0 + 3.3 * exponent + 4.0 * random.unit()) as f32;
        Hit {
            family,
            evalue: 10_f64.powf(-exponent),
            score: f64::from(score),
            hmm: (hmm_from, hmm_from + to - from),
            envelope: (from, to),
        }
    }

    /// Returns a locus on the contig of the last one of its assembly, or on a new contig.
    fn locus(&mut self, assembly: u32, num_bases: u32, full_length: bool, random: &mut Random) -> Locus {
        let mut locus = self.new_locus(assembly, num_bases, full_length, random);
        let open = &mut self.open[assembly as usize];
        let last = open.last.take().filter(|last| !mix(self.stream, last.occurrence).is_multiple_of(GENES_IF_ROOM));
        let next_start = |last: &Locus| {
            let gap = mix(!self.stream, last.occurrence) % GENE_GAP;
            last.end + 1 + u32::try_from(gap).expect("short") - GENE_OVERLAP
        };
        match last.map(|last| (next_start(&last), last)) {
            Some((start, last)) if start + num_bases <= last.contig_length => {
                let end = start + num_bases - 1;
                let Locus { contig, contig_name, contig_length, coverage, .. } = last;
                locus = Locus { contig, contig_name, contig_length, coverage, start, end, ..locus };
            }
            _ => {
                if open.numbers.is_empty() {
                    let start = 1 + CONTIGS_AT_ONCE * self.contigs.at(self.num_blocks);
                    open.numbers = start..start + CONTIGS_AT_ONCE;
                    self.num_blocks += 1;
                }
                locus.contig = open.numbers.next().expect("not empty");
            }
        }
        open.last = Some(locus.clone());
        locus
    }

    /// Returns a locus on a contig without a number.
    fn new_locus(&mut self, assembly: u32, num_bases: u32, full_length: bool, random: &mut Random) -> Locus {
        // Steps of at least 2 leave the number after each occurrence free.
        self.last_occurrence += 2 + random.below(2);
        let start = 1 + if random.happens(0.5) { random.small(3) } else { random.small(50_000) };
        let end = start + num_bases - 1;
        let contig_length = end + if random.happens(0.5) { random.small(3) } else { random.small(20_000) };
        let (contig_name, coverage) = self.model.assemblies.get(assembly).name_contig(random, contig_length);
        let caller = match random.below(20) {
            0..17 => 1,
            17..19 => 2,
            _ => 3,
        };
        let truncation = match random.below(5) {
            _ if caller != 1 => None,
            _ if full_length => Some("00"),
            0..2 => Some("01"),
            2..4 => Some("10"),
            _ => Some("11"),
        };
        Locus {
            occurrence: self.last_occurrence,
            assembly,
            contig: 0,
            contig_name,
            contig_length,
            coverage,
            start,
            end,
            strand: if random.happens(0.5) { 1 } else { -1 },
            truncation,
            caller,
        }
    }
}

/// Returns the number of loci. The first proteins have very many, like real ones.
fn num_loci(rank: u64, random: &mut Random) -> u64 {
    match (rank, random.below(1000)) {
        (0, _) => 282,
        (2, _) => 10,
        (4, _) => 5261,
        (5..NUM_WIDESPREAD, _) => 1 + random.below(600 / (rank + 1) + 2),
        (_, 0..991) => 1,
        (_, 991..999) => 2,
        _ => 3 + random.below(8),
    }
}
