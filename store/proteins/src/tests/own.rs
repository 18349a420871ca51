//! Sources of own data beside a release.

use std::os::unix::fs::MetadataExt;

use store::GenerationKind;

use super::model::{MODEL, OWN_LINEAGE, add_source, families, remove_source, varied_record};
use super::*;

fn named(name: &str) -> Record {
    Record { name: name.to_owned(), description: "mine".to_owned(), ..varied_record(&biomes(), name.len() as u64) }
}

/// Publishes a release of some proteins.
fn publish_release(generations: &Generations, table: &BiomeTable, numbers: std::ops::Range<u64>) {
    let mut builder = ProteinsBuilder::new(generations.begin().expect("free"), table.clone(), families(), 64 << 20);
    for number in numbers {
        let mut stored = Vec::new();
        record(table, number).encode(accession(number), &mut stored);
        builder.add(accession(number), &stored).expect("ascending");
    }
    builder.finish().expect("sound").publish(origin()).expect("published");
}

fn open(generations: &Generations) -> ProteinGeneration {
    ProteinGeneration::open_current(generations).expect("whole").expect("published")
}

#[test]
fn files_are_shared_and_numbers_are_given_once() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    publish_release(&generations, &biomes(), 1..50);
    let release = open(&generations);
    let first = add_source(&generations, "soil", ["a", "b"].map(named).into_iter());
    assert_eq!(first[0].0.to_string(), "MGYP900000000000");
    let beside = open(&generations);
    for file in &release.manifest().files {
        let inode = |generation: &ProteinGeneration| {
            fs::metadata(generation.path.join(&file.path)).map(|metadata| metadata.ino()).expect("there")
        };
        let is_shared = inode(&release) == inode(&beside);
        assert_eq!(is_shared, file.path != "biomes.json", "{}", file.path);
    }
    assert!(release.verify().is_ok(), "the files of the release are as they were");

    // Replaced: the numbers are others.
    let second = add_source(&generations, "soil", ["a", "c"].map(named).into_iter());
    assert_eq!(second[0].0.number(), 900_000_000_002);
    assert_eq!(open(&generations).named("a").expect("sound"), [second[0].0]);
    assert!(open(&generations).named("b").expect("sound").is_empty());
    remove_source(&generations, "soil");
    assert_eq!(open(&generations).statistics().num_proteins, 49);
    // A rollback to the state before forgets nothing.
    generations.roll_back(&GenerationKind::of::<ProteinContents>(), None, |_| Ok(())).expect("two");
    let third = add_source(&generations, "sea", ["a"].map(named).into_iter());
    assert_eq!(third[0].0.number(), 900_000_000_004);
    let generation = open(&generations);
    assert_eq!(generation.named("a").expect("sound"), [second[0].0, third[0].0]);
    assert_eq!(generation.source_of(third[0].0).map(|source| &*source.name), Some("sea"));
    assert_eq!(generation.source_of(accession(7)), None);
    assert_eq!(generation.source_of(ProteinAccession::MAX), None);
    let protein = generation.fetch(third[0].0).expect("sound").expect("there");
    assert_eq!((&*protein.name, &*protein.description, protein.source.as_deref()), ("a", "mine", Some("sea")));
    assert!(generation.verify().is_ok());
}

#[test]
fn a_new_release_takes_sources_over_with_their_accessions_and_lineages() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let mut table = BiomeTable::default();
    // Other ordinals, and another id of one lineage.
    for (id, lineage) in [(4, "root:Other"), (2, "root:Engineered:Wastewater"), (9, "root:Mixed")] {
        table.insert(Some(id), lineage).expect("new");
    }
    let draft = generations.begin().expect("free");
    let mut builder = ProteinsBuilder::new(draft, table, families(), 64 << 20);
    let mut stored = Vec::new();
    Record { sequence: "MK".to_owned(), ..Record::default() }.encode(accession(5), &mut stored);
    builder.add(accession(5), &stored).expect("the first");
    builder.carry(&MODEL.generation).expect("sound");
    builder.finish().expect("sound").publish(origin()).expect("published");
    let carried = open(&generations);
    assert!(carried.verify().is_ok());
    assert_eq!(carried.sources(), MODEL.generation.sources());
    let mut num_compared = 0;
    for (accession, _) in MODEL.proteins.iter().filter(|(accession, _)| accession.is_own()) {
        let ids_left_out = |generation: &ProteinGeneration| {
            let mut protein = generation.fetch(*accession).expect("sound").expect("there");
            protein.biomes.iter_mut().for_each(|biome| biome.id = None);
            protein
        };
        assert_eq!(ids_left_out(&carried), ids_left_out(&MODEL.generation), "{accession}");
        num_compared += 1;
    }
    assert_eq!(num_compared, 800);
    let query = |generation: &ProteinGeneration| {
        let own = generation.biomes().find_lineage(OWN_LINEAGE).expect("added");
        generation.total(&ProteinQuery::Biome(own), u64::MAX).expect("sound").value
    };
    assert_eq!(query(&carried), query(&MODEL.generation));
    let added = add_source_to_carried(&generations);
    assert_eq!(added.number(), 900_000_001_200, "behind those of the source that was carried last");
}

fn add_source_to_carried(generations: &Generations) -> ProteinAccession {
    let base = open(generations);
    let draft = generations.begin().expect("free");
    let mut builder = ProteinsBuilder::beside(draft, &base, |_| false, 64 << 20).expect("shared");
    builder.begin_source("late").expect("new");
    builder.add_own(&named("x")).expect("encodable")
}

#[test]
fn sources_that_cannot_be_are_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    publish_release(&generations, &biomes(), 1..3);
    add_source(&generations, "soil", ["a"].map(named).into_iter());
    let base = open(&generations);
    let mut builder =
        ProteinsBuilder::beside(generations.begin().expect("free"), &base, |_| false, 64 << 20).expect("shared");
    assert!(builder.begin_source("SOIL").is_err_and(|error| error.to_string().contains("already")));
    for number in 1..SOURCES_MAX {
        builder.begin_source(&format!("s{number}")).expect("there is room");
        builder.add_own(&named("a")).expect("encodable");
        builder.end_source(0, Vec::new()).expect("not empty");
    }
    assert!(builder.begin_source("another").is_err_and(|error| error.to_string().contains("256 sources")));
    let many = builder.finish().expect("sound");
    many.publish(origin()).expect("published");
    let many = open(&generations);
    assert_eq!(many.named("a").expect("sound").len(), SOURCES_MAX);
    assert_eq!(many.sources().len(), SOURCES_MAX);
    let table = BiomeTable::default();
    let empty = |name| {
        let mut builder = ProteinsBuilder::new(generations.begin().expect("free"), table.clone(), families(), 64 << 20);
        builder.begin_source(name).expect("new");
        builder.end_source(0, Vec::new())
    };
    assert!(empty("soil").is_err_and(|error| error.to_string().contains("one protein at least")));
}

#[test]
fn a_protein_in_one_study_by_two_spellings_is_sound() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let occurrence = |study: &str, assembly: &str| Occurrence {
        study: study.to_owned(),
        assembly: assembly.to_owned(),
        contig: "MGYC000000000001".to_owned(),
        start: 1,
        end: 9,
        strand: Strand::Forward,
        contig_name: String::new(),
    };
    let occurrences = vec![occurrence("erp000001", "ERZ000001"), occurrence("ERP000001", "erz000001")];
    let mut builder = ProteinsBuilder::new(generations.begin().expect("free"), biomes(), families(), 64 << 20);
    let mut stored = Vec::new();
    Record { occurrences, ..record(&biomes(), 1) }.encode(accession(1), &mut stored);
    builder.add(accession(1), &stored).expect("ascending");
    builder.finish().expect("sound").publish(origin()).expect("published");
    open(&generations).verify().expect("sound");
}
