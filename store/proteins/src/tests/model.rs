//! Random proteins of a release and of own data, for tests against a plain scan of their records.

mod genes;

use std::sync::{Arc, LazyLock};

use store::{BiomeOrdinal, seal_folder};

use super::*;

use genes::{ModelContigs, contigs_of, is_near};

/// The proteins of the release, and of each source.
pub(super) const NUM_PROTEINS: u64 = 9000;
pub(super) const NUM_SOURCE: u64 = 400;

/// Accessions have gaps.
pub(super) const GAP: u64 = 3;

pub(crate) struct Model {
    _folder: TempDir,
    pub(crate) generation: Arc<ProteinGeneration>,
    pub(crate) proteins: Vec<(ProteinAccession, Record)>,
    /// The contigs of the release, and those of the last source, of which all proteins have genes.
    contigs: [ModelContigs; 2],
}

pub(super) fn families() -> FamilyTable {
    let mut families = FamilyTable::default();
    for (family, clan) in [(1, Some("CL0001")), (2, Some("CL0001")), (3, Some("CL0002")), (4, None)] {
        families.insert(PfamAccession(family), "a family", clan);
    }
    families
}

/// Returns a record whose properties have all frequencies: some are everywhere, some in long runs,
/// some in a few proteins.
pub(super) fn varied_record(table: &BiomeTable, number: u64) -> Record {
    let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let mut record = record(table, number);
    record.full_length =
        [Some(false), Some(false), Some(false), Some(true), None][usize::try_from(below(5)).expect("small")];
    let (size_bits, length_bits) = (below(30), below(4));
    record.cluster_size = match below(40) {
        0 => 100 + below(1 << size_bits),
        1 => 0,
        2..8 => 2 + below(20),
        _ => 1,
    };
    let length = usize::try_from(1 + below(30 << length_bits)).expect("small");
    record.sequence = "ACDEFGHIKL".chars().cycle().take(length).collect();
    let num_hits = below(4).saturating_sub(1);
    let family = |number: u64| if number == 0 { 5 } else { 1 + u64::from(number.ilog2()) };
    record.pfam_hits = (0..num_hits)
        .zip(u32::try_from(number % 7).expect("small")..)
        .map(|(_, start)| PfamHit {
            family: PfamAccession(family(below(60))),
            evalue: 0.0,
            bit_score: 1.0,
            hmm_start: 1,
            hmm_end: 2,
            env_start: 1 + start % 4,
            env_end: 5 + start % 3,
        })
        .collect();
    record.biomes =
        (0..below(4)).map(|_| BiomeCount { biome: u32::try_from(below(5)).expect("small"), count: 1 }).collect();
    let run = number / 700;
    record.occurrences = (0..below(3))
        .map(|occurrence| Occurrence {
            study: if below(9) == 0 { String::new() } else { format!("ERP{:06}", run % 3 + occurrence) },
            assembly: format!("erz{run:06}"),
            contig: "MGYC000000000001".into(),
            start: 1,
            end: 9,
            strand: Strand::Forward,
            contig_name: String::new(),
        })
        .collect();
    record
}

pub(crate) static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let draft = generations.begin().expect("free");
    let path = draft.path().to_owned();
    let (table, families) = (biomes(), families());
    let mut proteins: Vec<_> =
        (1..=NUM_PROTEINS).map(|number| (accession(number * GAP), varied_record(&table, number))).collect();
    let mut builder = ProteinsBuilder::new(draft, table.clone(), families.clone(), 64 << 20);
    // A small segment, one merged of two, and a large one.
    let mut entries = Vec::new();
    for (part, range) in [0..100, 100..1500, 1500..3000, 3000..9000].into_iter().enumerate() {
        let mut writer = SegmentWriter::create(&path, &format!("part-{part}"), 64 << 20).expect("new");
        for (accession, record) in &proteins[range] {
            writer.add(&table, &families, *accession, record).expect("ascending");
        }
        entries.push(writer.finish().expect("written").expect("not empty"));
    }
    let merged = merge_segments(&path, &entries[1..3], "merged").expect("merged");
    for part in entries.splice(1..3, [merged]) {
        fs::remove_dir_all(path.join(part.folder)).expect("there");
    }
    for entry in entries {
        let files = seal_folder(&path, &entry.folder).expect("sealed");
        builder.adopt(entry, files).expect("ascending");
    }
    let of_release = contigs_of(NUM_PROTEINS, |index| (1 + index) * GAP, 1);
    let mut built = builder.finish().expect("sound");
    genes::write(&mut built, |part| part.source.is_none(), false, &of_release);
    built.publish(origin()).expect("published");
    let mut of_source = ModelContigs::new();
    // Sources that were added one after another, one of which was removed.
    for (place, name) in (0..).zip(["soil", "air", "sea"]) {
        let records = (place * NUM_SOURCE..(place + 1) * NUM_SOURCE).map(own_record);
        let added = add_source_and(&generations, name, records, |built, added| {
            if name == "sea" {
                let number = |index| added[usize::try_from(index).expect("small")].0.number();
                of_source = contigs_of(NUM_SOURCE, number, 2);
                genes::write(built, |part| part.source.is_some(), true, &of_source);
            }
        });
        proteins.extend(added.into_iter().filter(|_| name != "air"));
    }
    remove_source(&generations, "air");
    let generation = ProteinGeneration::open_current(&generations).expect("whole").expect("published");
    Model { _folder: folder, generation: Arc::new(generation), proteins, contigs: [of_release, of_source] }
});

/// Returns a protein of own data, with a name that proteins of another source may have.
fn own_record(number: u64) -> Record {
    let mut record = varied_record(&biomes(), NUM_PROTEINS + number);
    let number = number % NUM_SOURCE;
    record.name = format!("protein {number}");
    if number.is_multiple_of(3) {
        // After the biomes of the release, in the table that has one more.
        record.biomes.push(BiomeCount { biome: OWN_BIOME, count: 1 });
    }
    record
}

/// The biome of own data alone.
const OWN_BIOME: BiomeOrdinal = 5;
pub(super) const OWN_LINEAGE: &str = "root:Mixed:Own";

/// Adds a source, and returns its records with their new accessions.
pub(super) fn add_source(
    generations: &Generations,
    name: &str,
    records: impl Iterator<Item = Record>,
) -> Vec<(ProteinAccession, Record)> {
    add_source_and(generations, name, records, |_, _| {})
}

/// Adds a source, and something to it before it is published.
fn add_source_and(
    generations: &Generations,
    name: &str,
    records: impl Iterator<Item = Record>,
    finish: impl FnOnce(&mut BuiltProteins, &[(ProteinAccession, Record)]),
) -> Vec<(ProteinAccession, Record)> {
    let base = ProteinGeneration::open_current(generations).expect("whole").expect("published");
    let draft = generations.begin().expect("free");
    let mut builder = ProteinsBuilder::beside(draft, &base, |source| source.name == name, 64 << 20).expect("shared");
    let mut table = base.biomes().clone();
    assert_eq!(table.insert(None, OWN_LINEAGE).expect("a lineage"), OWN_BIOME);
    builder.set_biomes(table).expect("longer");
    builder.begin_source(name).expect("new");
    let added: Vec<_> = records.map(|record| (builder.add_own(&record).expect("encodable"), record)).collect();
    builder.end_source(7, Vec::new()).expect("not empty");
    let mut built = builder.finish().expect("sound");
    finish(&mut built, &added);
    built.publish(origin()).expect("published");
    added
}

pub(super) fn remove_source(generations: &Generations, name: &str) {
    let base = ProteinGeneration::open_current(generations).expect("whole").expect("published");
    let draft = generations.begin().expect("free");
    let builder = ProteinsBuilder::beside(draft, &base, |source| source.name == name, 64 << 20).expect("shared");
    builder.finish().expect("sound").publish(origin()).expect("published");
}

/// Returns the genes on contigs whose proteins have records, each with its record, whether it
/// matches a query, and whether it is beside one that does.
pub(crate) fn genes_beside(query: &ProteinQuery, around: (u64, bool)) -> Vec<(&'static Record, bool, bool)> {
    let record = |number: u64| {
        let found = MODEL.proteins.binary_search_by_key(&number, |(accession, _)| accession.number());
        found.ok().map(|index| &MODEL.proteins[index])
    };
    let is_match = |number: u64| record(number).is_some_and(|(accession, record)| matches(query, *accession, record));
    let genes = MODEL
        .contigs
        .iter()
        .zip([false, true])
        .flat_map(|(contigs, is_own)| genes::compared_genes(contigs, is_own, around, is_match));
    genes.filter_map(|gene| Some((&record(gene.counted)?.1, gene.is_match, gene.is_beside))).collect()
}

pub(crate) fn matches(query: &ProteinQuery, accession: ProteinAccession, record: &Record) -> bool {
    let (table, families) = (MODEL.generation.biomes(), MODEL.generation.families());
    let in_biome = |biome: u32| record.biomes.iter().any(|entry| entry.biome == biome);
    match query {
        ProteinQuery::Everything => true,
        ProteinQuery::And(parts) => parts.iter().all(|part| matches(part, accession, record)),
        ProteinQuery::Or(parts) => parts.iter().any(|part| matches(part, accession, record)),
        ProteinQuery::Not(part) => !matches(part, accession, record),
        ProteinQuery::Biome(biome) => {
            let below = |other: &u32| {
                let (lineage, other) = (&table[*biome].lineage, &table[*other].lineage);
                other == lineage || other.starts_with(&format!("{lineage}:"))
            };
            record.biomes.iter().map(|entry| entry.biome).any(|biome| below(&biome))
        }
        ProteinQuery::BiomeExact(biome) => in_biome(*biome),
        ProteinQuery::Family(family) => record.pfam_hits.iter().any(|hit| hit.family == *family),
        ProteinQuery::AnyFamily => !record.pfam_hits.is_empty(),
        ProteinQuery::Clan(clan) => record
            .pfam_hits
            .iter()
            .any(|hit| families.get(hit.family).and_then(|family| family.clan.as_deref()) == Some(clan)),
        ProteinQuery::Study(study) => record.occurrences.iter().any(|occurrence| occurrence.study == *study),
        ProteinQuery::Assembly(assembly) => {
            record.occurrences.iter().any(|occurrence| occurrence.assembly.eq_ignore_ascii_case(assembly))
        }
        ProteinQuery::Name(name) => record.name == *name,
        ProteinQuery::FullLength(full_length) => record.full_length == Some(*full_length),
        ProteinQuery::ClusterSize(sizes) => sizes.contains(&record.cluster_size),
        ProteinQuery::Length(lengths) => lengths.contains(&(record.sequence.len() as u64)),
        ProteinQuery::Accession(accessions) => accessions.contains(&accession),
        ProteinQuery::Digest(digest) => digest.algorithm().digest(&record.sequence) == *digest,
        // The model has no members of clusters.
        ProteinQuery::Cluster(_) => false,
        ProteinQuery::Among(accessions) => accessions.contains(&accession),
        ProteinQuery::Near { of, beside, genes, same_strand } => {
            let is_wanted = |number: u64| {
                let found = MODEL.proteins.binary_search_by_key(&number, |(accession, _)| accession.number());
                found.is_ok_and(|index| matches(beside, MODEL.proteins[index].0, &MODEL.proteins[index].1))
            };
            let is_own = accession.is_own();
            let contigs = &MODEL.contigs[usize::from(is_own)];
            matches(of, accession, record)
                && is_near(contigs, is_own, accession.number(), (*genes, *same_strand), is_wanted)
        }
    }
}
