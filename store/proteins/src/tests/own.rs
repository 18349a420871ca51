//! Sources of own data beside a release.

use super::model::{add_source, families, varied_record};
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
fn invalid_sources_are_rejected() {
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
    assert!(empty("soil").is_err_and(|error| error.to_string().contains("at least one protein")));
}

#[test]
fn two_spellings_of_a_study_are_not_damage() {
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
