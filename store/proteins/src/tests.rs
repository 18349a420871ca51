mod accession_counts;
mod checksums;
mod members;
mod merging;
pub(super) mod model;
mod near;
mod own;
pub(super) mod querying;

use std::fs;
use std::path::Path;

use store::{Origin, PfamAccession, seal_folder};
use tempfile::TempDir;

use crate::record::{BiomeCount, PfamHit, Record};
use crate::*;

/// The ids of some biomes, with their lineages.
const BIOMES: [(i64, &str); 4] =
    [(0, "root"), (1, "root:Engineered:Wastewater"), (2, "root:Engineered:Food"), (3, "root:Mixed")];

fn biomes() -> BiomeTable {
    let mut table = BiomeTable::default();
    for (id, lineage) in BIOMES {
        table.insert(Some(id), lineage).expect(lineage);
    }
    table
}

fn accession(number: u64) -> ProteinAccession {
    ProteinAccession::new(number).expect("in range")
}

/// Returns the record of a number.
fn record(table: &BiomeTable, number: u64) -> Record {
    let seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut sequence = String::new();
    for residue in 0..20 + seed % 300 {
        sequence
            .push(char::from(b"ACDEFGHIKLMNPQRSTVWY"[usize::try_from((seed >> (residue % 50)) % 20).expect("small")]));
    }
    let biome = u32::try_from(seed >> 8).unwrap_or(u32::MAX) % u32::try_from(table.iter().len()).expect("few");
    let family = PfamAccession(1 + (seed >> 20) % 5);
    let hit = PfamHit { family, evalue: 1e-9, bit_score: 40.0, hmm_start: 1, hmm_end: 9, env_start: 1, env_end: 9 };
    Record {
        sequence,
        full_length: [None, Some(false), Some(true)][usize::try_from(seed % 3).expect("small")],
        cluster_size: (seed >> 30) % 400,
        biomes: vec![BiomeCount { biome, count: 1 + seed % 9 }],
        pfam_hits: if seed.is_multiple_of(4) { Vec::new() } else { vec![hit] },
        ..Record::default()
    }
}

/// Returns the stored record of a number.
fn stored(table: &BiomeTable, number: u64) -> Vec<u8> {
    let mut stored = Vec::new();
    record(table, number).encode(accession(number), &mut stored);
    stored
}

fn write_segment(draft: &Path, folder: &str, numbers: &[u64]) -> SegmentEntry {
    let table = biomes();
    let mut writer = SegmentWriter::create(draft, folder, 64 << 20).expect("new");
    for &number in numbers {
        writer.add(&table, &FamilyTable::default(), accession(number), &record(&table, number)).expect("ascending");
    }
    let entry = writer.finish().expect("written").expect("not empty");
    assert_eq!(entry.num_docs as usize, numbers.len());
    entry
}

fn write_parts(draft: &Path, prefix: &str, parts: &[&[u64]]) -> Vec<SegmentEntry> {
    // At the same time, as a build does.
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..)
            .zip(parts)
            .map(|(part, numbers)| scope.spawn(move || write_segment(draft, &format!("{prefix}-{part}"), numbers)))
            .collect();
        writers.into_iter().map(|writer| writer.join().expect("no panic")).collect()
    })
}

fn origin() -> Origin {
    Origin { written_by: "test".into(), finished_unix_s: 0, inputs: Vec::new(), report: serde_json::Value::Null }
}

#[test]
fn adopted_segments_follow_added_proteins() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let draft = generations.begin().expect("free");
    let path = draft.path().to_owned();
    let table = biomes();
    let mut builder = ProteinsBuilder::new(draft, table.clone(), FamilyTable::default(), 64 << 20);
    let parts = write_parts(&path, "segment-0000", &[&[10, 20], &[30, 40], &[1, 2]]);
    let sealed = |entry: &SegmentEntry| seal_folder(&path, &entry.folder).expect("sealed");
    builder.add(accession(5), &stored(&table, 5)).expect("the first");
    builder.adopt(parts[0].clone(), sealed(&parts[0])).expect("ascending");
    assert!(matches!(builder.add(accession(20), &stored(&table, 20)), Err(Error::Unordered { .. })));
    builder.add(accession(25), &stored(&table, 25)).expect("ascending");
    assert!(matches!(builder.adopt(parts[2].clone(), sealed(&parts[2])), Err(Error::Unordered { .. })));
    assert!(matches!(builder.adopt(parts[1].clone(), sealed(&parts[0])), Err(Error::Altered { .. })));
    builder.adopt(parts[1].clone(), sealed(&parts[1])).expect("ascending");
    builder.add_replacement(accession(3), accession(5)).expect("the first");
    builder.add_replacement(accession(4), accession(25)).expect("ascending");

    assert!(builder.set_biomes(BiomeTable::default()).is_err());
    let mut more = table;
    let other = more.insert(None, "root:Other").expect("new");
    builder.set_biomes(more).expect("an extension");
    fs::remove_dir_all(path.join(&parts[2].folder)).expect("there");
    builder.finish().expect("sound").publish(origin()).expect("published");

    let name = generations.current().expect("readable").expect("published");
    let generation = ProteinGeneration::open_folder(&generations.path(name)).expect("whole");
    assert_eq!(generation.name(), name);
    assert_eq!(generation.biomes().find_lineage("root:Other"), Some(other));
    let mut found = Vec::new();
    generation
        .for_each_accession(|accession| -> Result<()> {
            found.push(accession.number());
            Ok(())
        })
        .expect("whole");
    assert_eq!(found, [5, 10, 20, 25, 30, 40]);
    let mut replaced = Vec::new();
    generation
        .for_each_replacement(|old, new| -> Result<()> {
            replaced.push((old.number(), new.number()));
            Ok(())
        })
        .expect("whole");
    assert_eq!(replaced, [(3, 5), (4, 25)]);
    assert!(
        matches!(generation.for_each_accession(|_| Err(Error::BiomeTable("stop".into()))), Err(Error::BiomeTable(_))),
        "the visitor can stop"
    );
    assert_eq!(generation.verify().expect("sound").num_records, 6);
}

#[test]
fn a_draft_that_cannot_be_read_back_is_rejected() {
    let damages: [fn(&mut SegmentEntry); 3] =
        [|entry| entry.last = accession(41), |entry| entry.first = accession(29), |entry| entry.num_docs = 1];
    for damage in damages {
        let folder = TempDir::new().expect("a temporary folder");
        let draft = Generations::new(folder.path()).begin().expect("free");
        let path = draft.path().to_owned();
        let mut builder = ProteinsBuilder::new(draft, biomes(), FamilyTable::default(), 64 << 20);
        let mut entry = write_segment(&path, "segment", &[30, 40]);
        damage(&mut entry);
        builder.adopt(entry, seal_folder(&path, "segment").expect("sealed")).expect("not read yet");
        assert!(matches!(builder.finish(), Err(Error::Altered { .. })));
    }
}
