//! The genes on contigs, compared with a plain scan of the rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use arrow_array::{Int64Array, StringArray};
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};
use rand::RngExt;
use store::{PfamAccession, ProteinAccession};
use store_proteins::{Contigs, GeneCounts, ProteinGeneration};
use support::TestFolder;
use support::generation::current_folder;
use support::machine::{rounds, seeded};

use crate::loading::release::plan::plan;
use crate::loading::release::rejects;
use crate::loading::release::rows::{Place, Rows};
use crate::loading::release::synthetic::{Synthetic, synth_plan};
use crate::loading::release::tiny::{self, Clusters};
use crate::loading::release::writer::{column, write_gzip, write_parquet};

/// So little that genes are sorted on the disk.
const TINY_MEMORY_BYTES: usize = 1 << 20;

/// A gene: start, end, whether it is on the reverse strand, protein, and representative.
type Gene = (u64, u64, bool, u64, u64);

/// Genes by assembly and contig.
type Genes = BTreeMap<(String, u64), BTreeSet<Gene>>;

fn with_contigs(folder: &TestFolder, release: &Path) -> ReleasePlan {
    ReleasePlan { contigs: true, ..plan(folder, release) }
}

fn open(folder: &TestFolder) -> ProteinGeneration {
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    generation.verify().expect("sound");
    generation
}

/// Reads all genes of contigs.
fn genes_of(contigs: &Contigs, assemblies: &BTreeSet<&String>) -> Genes {
    let mut genes = Genes::new();
    for assembly in assemblies {
        let Some(position) = contigs.find_assembly(assembly).expect("sound") else { continue };
        for (contig, num_genes) in contigs.contigs_of(position, None, usize::MAX).expect("sound") {
            let read = contigs.genes(contig.key, 0, usize::MAX).expect("sound");
            assert_eq!(read.len() as u64, num_genes);
            assert!(read.is_sorted_by_key(|gene| (gene.start, gene.end)));
            let gene = read.iter().map(|gene| {
                let (protein, representative) = (gene.protein.number(), gene.representative.number());
                (gene.start.into(), gene.end.into(), gene.is_reverse, protein, representative)
            });
            genes.insert((contig.assembly.clone(), contig.key.number()), gene.collect());
        }
    }
    genes
}

/// Returns the genes of places of proteins that have a representative.
fn expected<'a>(
    places: impl IntoIterator<Item = (u64, &'a Place)>,
    representative: impl Fn(u64) -> Option<u64>,
) -> Genes {
    let mut genes = Genes::new();
    for (protein, place) in places {
        let Some(representative) = representative(protein) else { continue };
        let gene = (place.start, place.end, place.is_reverse, protein, representative);
        genes.entry((place.assembly.clone(), place.contig)).or_default().insert(gene);
    }
    genes
}

/// Counts genes by family, from the records of their proteins.
fn count_genes(generation: &ProteinGeneration, num_genes: &BTreeMap<u64, u64>) -> GeneCounts {
    let mut counts = GeneCounts::default();
    for (&number, &num_genes) in num_genes {
        let protein = generation.fetch(ProteinAccession::new(number).expect("in range")).expect("sound");
        let Some(protein) = protein else { continue };
        let families: BTreeSet<PfamAccession> =
            protein.pfam_annotations.iter().map(|annotation| annotation.hit.family).collect();
        let clans = families.iter().filter_map(|family| generation.families().get(*family)?.clan.clone());
        let clans: BTreeSet<_> = clans.collect();
        counts.num_genes += num_genes;
        counts.num_without += if families.is_empty() { num_genes } else { 0 };
        counts.num_without_clan += if clans.is_empty() { num_genes } else { 0 };
        for family in &families {
            *counts.by_family.entry(family.0).or_default() += num_genes;
        }
        for clan in &clans {
            *counts.by_clan.entry(clan.to_string()).or_default() += num_genes;
        }
    }
    counts
}

#[test]
fn genes_are_those_of_the_release() {
    for (layout, shuffle, all_proteins) in
        [(SynthLayout::Parquet, false, false), (SynthLayout::Parquet, true, true), (SynthLayout::Flat, true, false)]
    {
        let context = format!("{layout:?}, shuffled: {shuffle}, all proteins: {all_proteins}");
        let release = Synthetic::write(&SynthPlan { shuffle, ..synth_plan(layout, 4000) });
        let folder = TestFolder::empty();
        let plan =
            ReleasePlan { all_proteins, memory_bytes: TINY_MEMORY_BYTES, ..with_contigs(&folder, &release.path()) };
        let report = plan.run().expect("a release").report;
        rejects::assert_adds_up(&report, &rejects::read(&current_folder(&folder).join("rejects.tsv")), &context);
        let rows = Rows::read(&release.path());
        let places = || rows.places.iter().flat_map(|(protein, places)| places.iter().map(|place| (*protein, place)));
        let generation = open(&folder);
        let (_, contigs) = generation.contigs().next().expect("wanted");
        let mut expected = expected(places(), |protein| rows.representatives.get(&protein).copied());
        let counted = report.contigs.expect("wanted");
        let num_genes = expected.values().map(BTreeSet::len).sum::<usize>() as u64;
        assert_eq!((counted.num_genes, counted.num_contigs), (num_genes, expected.len() as u64), "{context}");
        assert!(expected.values().any(|genes| genes.len() > 4), "{context}");
        let mut counted: BTreeMap<u64, u64> = BTreeMap::new();
        for gene in expected.values().flatten() {
            *counted.entry(if all_proteins { gene.3 } else { gene.4 }).or_default() += 1;
        }
        assert_eq!(*contigs.gene_counts(), count_genes(&generation, &counted), "{context}");
        assert!(contigs.gene_counts().by_clan.len() > 9, "{context}");
        let assemblies: BTreeSet<&String> = places().map(|(_, place)| &place.assembly).collect();
        let sample: BTreeSet<&String> = assemblies.into_iter().step_by(20).collect();
        expected.retain(|(assembly, _), _| sample.contains(assembly));
        let found = genes_of(contigs, &sample);
        assert!(found == expected, "{context}: {} of {} contigs", found.len(), expected.len());
        for (_, place) in places().take(100) {
            let named = contigs.find_name(&place.contig_name, None).expect("sound");
            let found: Vec<u64> = named.iter().map(|key| key.number()).collect();
            assert_eq!(found, [place.contig], "{context}: {}", place.contig_name);
        }
    }
}

const CLUSTERS: Clusters<'static> =
    &[(5, &[1, 2, 3, 5, 9, 12, 14]), (6, &[6, 9]), (8, &[7, 8]), (20, &[18, 19, 20, 5]), (30, &[30])];

/// The representative of a protein of [`CLUSTERS`]: itself, or that of its first cluster.
fn representative(protein: u64) -> Option<u64> {
    let protein = i64::try_from(protein).expect("small");
    let is_head = CLUSTERS.iter().any(|(head, _)| *head == protein);
    let first = CLUSTERS.iter().find(|(_, members)| members.contains(&protein)).map(|(head, _)| *head);
    let of = if is_head { Some(protein) } else { first };
    of.map(i64::unsigned_abs)
}

/// Makes places of proteins, some of which do not exist: overlapping, nested, equal and repeated
/// ones, some with their start after their end, on contigs that may be in two assemblies.
fn random_places(random: &mut impl RngExt) -> Vec<(u64, Place)> {
    let mut places: Vec<(u64, Place)> = Vec::new();
    for _ in 0..400 {
        if random.random_bool(0.2) && !places.is_empty() {
            let again = places[random.random_range(0..places.len())].clone();
            places.push(again);
            continue;
        }
        let [start, length] = [random.random_range(1..40), random.random_range(0..60)];
        let end = if random.random_bool(0.1) { 1 + start / 2 } else { start + length };
        places.push((
            random.random_range(1..34),
            Place {
                study: String::new(),
                assembly: format!("ERZ{}", random.random_range(1..4)),
                contig: random.random_range(1..7),
                start,
                end,
                is_reverse: random.random_bool(0.5),
                contig_name: String::new(),
            },
        ));
    }
    places
}

pub(crate) fn write_places(release: &Path, layout: SynthLayout, places: &[(u64, Place)]) {
    let whole = |of: fn(&(u64, Place)) -> u64| {
        column(Int64Array::from_iter_values(places.iter().map(|place| of(place).cast_signed())))
    };
    if layout == SynthLayout::Flat {
        let line = |(protein, place): &(u64, Place)| {
            let Place { assembly, contig, start, end, is_reverse, .. } = place;
            let strand = if *is_reverse { -1 } else { 1 };
            format!("MGYP{protein:012}\t{assembly}.MGYC{contig:012}:{start}-{end}:{strand}:full\n")
        };
        return write_gzip(&release.join("mgy_seq_metadata_1.tsv.gz"), &places.iter().map(line).collect::<String>());
    }
    let strands = places.iter().map(|(_, place)| if place.is_reverse { -1 } else { 1 });
    let columns = [
        ("protein_id", whole(|place| place.0)),
        ("assembly_accession", column(StringArray::from_iter_values(places.iter().map(|place| &place.1.assembly)))),
        ("contig_id", whole(|place| place.1.contig)),
        ("contig_name", column(StringArray::from_iter_values(places.iter().map(|place| &place.1.contig_name)))),
        ("contig_length", whole(|place| 100 * place.1.contig)),
        ("start_position", whole(|place| place.1.start)),
        ("end_position", whole(|place| place.1.end)),
        ("strand", column(Int64Array::from_iter_values(strands))),
    ];
    write_parquet(&release.join("mgy_proteins_metadata.parquet"), columns);
}

#[test]
fn odd_genes_are_kept_or_counted() {
    let (mut random, seed) = seeded();
    for round in 0..rounds(4, 40) {
        let places = random_places(&mut random);
        for (layout, all_proteins) in
            [(SynthLayout::Parquet, false), (SynthLayout::Parquet, true), (SynthLayout::Flat, false)]
        {
            let context = format!("{layout:?}, all proteins: {all_proteins}, round {round}, seed {seed}");
            let folder = TestFolder::empty();
            let release = tiny::write(&folder, "release", layout, CLUSTERS);
            write_places(&release, layout, &places);
            let plan = ReleasePlan { all_proteins, ..with_contigs(&folder, &release) };
            let report = plan.run().expect("a release").report.contigs.expect("wanted");
            let generation = open(&folder);
            let (_, contigs) = generation.contigs().next().expect("wanted");
            let all = || places.iter().map(|(protein, place)| (*protein, place));
            let expected = expected(all(), representative);
            let found = genes_of(contigs, &places.iter().map(|(_, place)| &place.assembly).collect());
            assert_eq!(found, expected, "{context}");
            let num_known = all().filter(|(protein, _)| representative(*protein).is_some()).count() as u64;
            let num_genes = expected.values().map(BTreeSet::len).sum::<usize>() as u64;
            let over_origin = expected.values().flatten().filter(|gene| gene.1 < gene.0).count() as u64;
            assert_eq!(
                (report.num_genes, report.num_over_origin, report.num_repeated, report.num_without_protein),
                (num_genes, over_origin, num_known - num_genes, places.len() as u64 - num_known),
                "{context}"
            );
            for (assembly, number) in expected.keys() {
                let found = contigs.find(*number).expect("sound");
                let found = found.iter().map(|key| contigs.describe(*key).expect("sound"));
                let contig = found.into_iter().find(|contig| contig.assembly == *assembly).expect("found");
                let length = (layout == SynthLayout::Parquet).then(|| u32::try_from(100 * number).expect("small"));
                assert_eq!(contig.length, length, "{context}");
            }
        }
    }
}

#[test]
fn names_can_be_left_out_and_releases_without_occurrences_say_so() {
    let folder = TestFolder::empty();
    let release = tiny::write(&folder, "release", SynthLayout::Parquet, CLUSTERS);
    let warning = "--contigs has no effect: the release has no occurrences";
    let report = with_contigs(&folder, &release).run().expect("a release").report;
    assert!(report.warnings.iter().any(|found| found == warning) && report.contigs.is_none(), "{:?}", report.warnings);
    assert!(open(&folder).contigs().next().is_none());

    let (mut random, _) = seeded();
    write_places(&release, SynthLayout::Parquet, &random_places(&mut random));
    ReleasePlan { contig_names: false, ..with_contigs(&folder, &release) }.run().expect("a release");
    let generation = open(&folder);
    let (_, contigs) = generation.contigs().next().expect("wanted");
    assert!(!current_folder(&folder).join("contigs/names.pages").try_exists().expect("readable"));
    let key = contigs.find(1).expect("sound")[0];
    assert_eq!(contigs.describe(key).expect("sound").length, None);
    plan(&folder, &release).run().expect("a release");
    assert!(open(&folder).contigs().next().is_none());
}

#[test]
fn own_data_have_contigs_at_once_and_keep_them() {
    let folder = TestFolder::empty();
    let release = tiny::write(&folder, "release", SynthLayout::Flat, CLUSTERS);
    plan(&folder, &release).run().expect("a release");
    let header = "name\tassembly\tcontig\tstart\tend\tstrand\n";
    let rows = "a\tA1\tk_1\t5\t90\t+\nb\tA1\tk_1\t1\t40\t-\nc\t\tk_1\t2\t3\t+\nd\tA1\t\t2\t3\t+\ne\tA1\tk_2\t\t\t\n";
    folder.add_source("mine", ">a\nMKV\n>b\nMKVL\n>c\nMKA\n>d\nMKR\n>e\nMKT\n", &[header, rows].concat());
    let check = |has_release: bool| {
        let generation = open(&folder);
        assert_eq!(generation.contigs().count(), 1 + usize::from(has_release));
        let first = generation.sources()[0].first;
        let contigs = generation.contigs_of(first).expect("own data have some");
        let found = contigs.find_name("k_1", None).expect("sound");
        let assemblies: Vec<String> = found.iter().map(|key| contigs.describe(*key).expect("sound").assembly).collect();
        assert_eq!(assemblies, ["", "A1"]);
        let genes = contigs.genes(found[1], 0, 9).expect("sound");
        let starts: Vec<_> = genes.iter().map(|gene| (gene.start, gene.end, gene.is_reverse)).collect();
        assert_eq!(starts, [(1, 40, true), (5, 90, false)]);
        assert_eq!(contigs.find_name("k_2", None).expect("sound"), []);
        assert_eq!(contigs.places().find(first, true, None, 9).expect("sound")[0].gene, genes[1]);
    };
    check(false);
    // Another release keeps them, with and without contigs of its own.
    let (mut random, _) = seeded();
    write_places(&release, SynthLayout::Flat, &random_places(&mut random));
    with_contigs(&folder, &release).run().expect("a release");
    check(true);
    folder.add_source("yours", ">a\nMKV\n", "");
    assert_eq!(open(&folder).contigs().count(), 3);
}
