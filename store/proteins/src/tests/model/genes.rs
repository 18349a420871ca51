//! Genes on short contigs, of few of the proteins, which so are near each other in many ways.

use std::collections::BTreeSet;

use crate::contents::Part;
use crate::*;

/// A gene: the number of its protein, that of the representative, and its strand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelGene {
    pub(crate) protein: u64,
    pub(crate) representative: u64,
    pub(crate) is_reverse: bool,
}

/// The genes of contigs, in order.
pub(crate) type ModelContigs = Vec<Vec<ModelGene>>;

const NUM_CONTIGS: u64 = 45;

/// The release lacks all accessions from this one on.
const MEMBERS: u64 = 800_000_000_000;

/// Returns contigs with genes of some of `num_proteins` proteins, by their numbers.
pub(super) fn contigs_of(num_proteins: u64, number: impl Fn(u64) -> u64, seed: u64) -> ModelContigs {
    let mut random = seed;
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let pool: Vec<u64> = (0..60).map(|_| number(below(num_proteins))).collect();
    let mut gene = || {
        let representative = pool[usize::try_from(below(60)).expect("small")];
        let protein = match below(4) {
            0 => MEMBERS + below(50),
            1 => pool[usize::try_from(below(60)).expect("small")],
            _ => representative,
        };
        ModelGene { protein, representative, is_reverse: below(3) == 0 }
    };
    (0..NUM_CONTIGS).map(|contig| (0..=contig % 7).map(|_| gene()).collect()).collect()
}

/// Writes the contigs of a part, in two assemblies. Genes overlap, and some cross the origin.
pub(super) fn write(
    built: &mut BuiltProteins,
    is_of_part: fn(&Part<'_>) -> bool,
    has_all: bool,
    contigs: &ModelContigs,
) {
    let part = built.new_parts().find(is_of_part).expect("a new part");
    let mut writer = built.begin_contigs(part, false, has_all, 500).expect("a new folder");
    let (mut places, mut keys) = (BTreeSet::new(), BTreeSet::new());
    let accession = |number| ProteinAccession::new(number).expect("in range");
    for (number, genes) in (1..).zip(contigs) {
        for (start, gene) in (1..).zip(genes) {
            let added = writer.add(&GeneRow {
                assembly: if number < 20 { "ERZ1" } else { "ERZ2" },
                contig: number,
                name: "",
                length: 0,
                start: start / 2 * 9 + 10,
                end: if start % 5 == 0 { start } else { start / 2 * 9 + 15 + start },
                is_reverse: gene.is_reverse,
                protein: accession(gene.protein),
                representative: accession(gene.representative),
            });
            let added = added.expect("ascending");
            keys.insert((added.contig.number(), added.contig));
            if has_all || gene.protein == gene.representative {
                places.insert((gene.protein, false, added.page));
            }
            if gene.protein != gene.representative {
                places.insert((gene.representative, true, added.page));
            }
        }
    }
    for (protein, is_of_members, page) in places {
        writer.add_place(accession(protein), is_of_members, page).expect("ascending");
    }
    keys.into_iter().try_for_each(|(_, key)| writer.add_contig(key)).expect("ascending");
    let counted = |gene: &&ModelGene| if has_all { gene.protein } else { gene.representative };
    let num_genes = |protein: ProteinAccession| {
        contigs.iter().flatten().filter(|gene| counted(gene) == protein.number()).count() as u64
    };
    let counts = built.count_genes(part, |protein| Ok::<_, store::Error>(num_genes(protein))).expect("sound");
    let entry = writer.finish(&counts).expect("written");
    built.add_contigs([entry]);
}

/// A gene as it is compared: the number of the protein that it counts for, whether that matches,
/// and whether the gene is beside one whose protein matches.
pub(super) struct ComparedGene {
    pub(super) counted: u64,
    pub(super) is_match: bool,
    pub(super) is_beside: bool,
}

/// Compares each gene with those around it.
pub(super) fn compared_genes(
    contigs: &ModelContigs,
    has_all: bool,
    (num_genes, same_strand): (u64, bool),
    is_match: impl Fn(u64) -> bool,
) -> Vec<ComparedGene> {
    let counted = |gene: &ModelGene| if has_all { gene.protein } else { gene.representative };
    let proteins: BTreeSet<u64> = contigs.iter().flatten().map(counted).collect();
    let matches: BTreeSet<u64> = proteins.into_iter().filter(|protein| is_match(*protein)).collect();
    let num_genes = usize::try_from(num_genes).expect("small");
    let compared = |place: usize, genes: &[ModelGene]| {
        let gene = &genes[place];
        let is_beside = genes.iter().enumerate().any(|(other_place, other)| {
            (1..=num_genes).contains(&place.abs_diff(other_place))
                && (!same_strand || other.is_reverse == gene.is_reverse)
                && matches.contains(&counted(other))
        });
        let counted = counted(gene);
        ComparedGene { counted, is_match: matches.contains(&counted), is_beside }
    };
    contigs.iter().flat_map(|genes| (0..genes.len()).map(|place| compared(place, genes))).collect()
}

/// Returns whether a gene of a protein has a gene near it whose protein is wanted.
pub(super) fn is_near(
    contigs: &ModelContigs,
    has_all: bool,
    protein: u64,
    (num_genes, same_strand): (u64, bool),
    is_wanted: impl Fn(u64) -> bool,
) -> bool {
    let counted = |gene: &ModelGene| if has_all { gene.protein } else { gene.representative };
    let num_genes = usize::try_from(num_genes).expect("small");
    contigs.iter().any(|genes| {
        genes.iter().enumerate().filter(|(_, gene)| counted(gene) == protein).any(|(place, gene)| {
            genes.iter().enumerate().any(|(other_place, other)| {
                (1..=num_genes).contains(&place.abs_diff(other_place))
                    && (!same_strand || other.is_reverse == gene.is_reverse)
                    && is_wanted(counted(other))
            })
        })
    })
}
