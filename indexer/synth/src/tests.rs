//! Whole releases, read back.

mod read;

use std::collections::{BTreeSet, HashMap};
use std::fs;

use super::*;
use read::{bytes, numbers, rows, sorted};

/// Returns a plan for a number of proteins; the folder is still to be set.
pub(super) fn plan(num_proteins: u64) -> SynthPlan {
    SynthPlan {
        out: PathBuf::new(),
        num_proteins,
        layout: SynthLayout::Parquet,
        seed: 1,
        shuffle: false,
        faults: false,
        only_representatives: false,
        memory_bytes: 1 << 20,
    }
}

/// A release that was written.
struct Written {
    /// The folder that is removed at the end.
    _parent: tempfile::TempDir,
    folder: PathBuf,
}

fn write(plan: &SynthPlan) -> Written {
    let parent = tempfile::tempdir().expect("a temporary folder");
    let folder = parent.path().join("release");
    SynthPlan { out: folder.clone(), ..plan.clone() }.run().expect("room");
    let names: Vec<_> =
        fs::read_dir(parent.path()).expect("readable").map(|entry| entry.expect("entry").path()).collect();
    assert_eq!(names, std::slice::from_ref(&folder), "nothing else is left");
    Written { _parent: parent, folder }
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    for layout in [SynthLayout::Parquet, SynthLayout::Flat] {
        let plan = SynthPlan { layout, faults: true, ..plan(600) };
        let once = bytes(&write(&plan).folder);
        assert_eq!(once, bytes(&write(&plan).folder));
        // The memory for sorting does not matter.
        assert_eq!(once, bytes(&write(&SynthPlan { memory_bytes: 1000, ..plan.clone() }).folder));
        let other = bytes(&write(&SynthPlan { seed: 2, ..plan }).folder);
        assert!(once.iter().all(|(name, bytes)| other[name] != *bytes));
    }
}

#[test]
fn distributions_match_the_real_release() {
    let written = write(&SynthPlan { only_representatives: true, ..plan(20_000) });
    let folder = &written.folder;
    let sizes = numbers(&rows(folder, "mgy_clusters"), 1);
    let mean_hundredths = sizes.iter().sum::<u64>() / 200;
    assert!((300..400).contains(&mean_hundredths), "{mean_hundredths}");
    let num_singletons = sizes.iter().filter(|&&size| size == 1).count();
    assert!((15_500..16_000).contains(&num_singletons), "{num_singletons}");

    let sequences = rows(folder, "mgy_protein_sequences");
    let mut lengths: Vec<_> = sequences.iter().map(|row| row.rsplit('\t').next().expect("a sequence").len()).collect();
    lengths.sort_unstable();
    assert!((103..110).contains(&lengths[10_000]) && lengths[0] >= 20 && lengths[19_999] <= 3736);
    let num_full = sequences.iter().filter(|row| row.contains("\ttrue\t")).count();
    assert!((3400..3800).contains(&num_full), "{num_full}");

    let hits = rows(folder, "mgy_proteins_pfam");
    let num_with_hits = numbers(&hits, 0).into_iter().collect::<BTreeSet<_>>().len();
    assert!((4300..4650).contains(&num_with_hits), "{num_with_hits}");
    let families = numbers(&hits, 1);
    assert!(families.iter().any(|&family| family > 90_000), "some families are unknown");
    let num_frequent = families.iter().filter(|&&family| family == 1).count();
    assert!(num_frequent * 100 > families.len(), "{num_frequent}");
    assert!(hits.iter().all(|row| {
        row.split('\t').nth(2).and_then(|evalue| evalue.parse().ok()).is_some_and(|evalue: f64| evalue < 1e-4)
    }));

    let biomes = rows(folder, "mgy_biomes");
    let num_marine = biomes.iter().filter(|row| row.ends_with(":Marine")).count();
    assert!((num_marine * 100 / biomes.len()).abs_diff(24) < 3, "{num_marine}");
    assert!(biomes.iter().any(|row| row.ends_with(":Brine pool")));
    assert_eq!(rows(folder, "mgy_cluster_seqs").len(), 20_000);
    let ids = numbers(&sequences, 0);
    assert!((6..8).contains(&(ids[19_999] / 20_000)), "about as dense as the real ones");
}

#[test]
fn tables_agree_with_each_other() {
    let written = write(&plan(4000));
    let folder = &written.folder;
    let sequences = rows(folder, "mgy_protein_sequences");
    let ids = numbers(&sequences, 0);
    assert_eq!(ids.len(), 4000);

    let counts = rows(folder, "mgy_counts");
    let counts: HashMap<_, _> = numbers(&counts, 0).into_iter().zip(numbers(&counts, 1)).collect();
    let biomes = rows(folder, "mgy_biomes");
    let mut in_biomes = HashMap::new();
    for (id, count) in numbers(&biomes, 0).into_iter().zip(numbers(&biomes, 1)) {
        *in_biomes.entry(id).or_insert(0) += count;
    }
    assert_eq!(in_biomes, counts);
    let places = rows(folder, "mgy_proteins_metadata");
    let mut in_places = HashMap::new();
    for id in numbers(&places, 4) {
        *in_places.entry(id).or_insert(0) += 1;
    }
    assert_eq!(in_places, counts);
    assert!(counts.values().any(|&count| count == 5261));

    let biome_counts = rows(folder, "mgy_biome_counts");
    assert!(biome_counts.contains(&format!("{}\troot", biomes.len())));

    for place in &places {
        let place: Vec<_> = place.split('\t').collect();
        assert_eq!(place[8].is_empty(), place[8] == "0");
        assert_eq!(place[9].is_empty(), !place[7].contains("-NODE-"), "{place:?}");
        assert_eq!(place[15].is_empty(), place[16] != "1", "{place:?}");
        assert_eq!(place[4] == place[17], place[18] == "true", "{place:?}");
    }
}

#[test]
fn both_layouts_have_the_same_data() {
    let parquet = write(&plan(1000));
    let flat = write(&SynthPlan { layout: SynthLayout::Flat, ..plan(1000) });
    let plain = |rows: Vec<String>| -> Vec<String> {
        rows.into_iter()
            .map(|row| match row.split_once('\t') {
                Some((id, rest)) => format!("MGYP{:0>12}\t{rest}", id.trim_start_matches("MGYP")),
                None => row,
            })
            .collect()
    };
    for table in ["mgy_biomes", "mgy_counts"] {
        assert_eq!(plain(rows(&parquet.folder, table)), rows(&flat.folder, &format!("{table}.tsv")), "{table}");
    }
    let contigs = [1, 2].map(|part| rows(&flat.folder, &format!("mgy_contig_map_{part}.tsv"))).concat();
    assert!(contigs.is_sorted());
    let names: BTreeSet<_> = contigs.iter().map(|row| row.split('\t').nth(1).expect("a name").to_owned()).collect();
    let places = rows(&parquet.folder, "mgy_proteins_metadata");
    let numbers: BTreeSet<_> = places.iter().map(|row| row.split('\t').nth(3).expect("a contig")).collect();
    assert_eq!((contigs.len(), names.len()), (numbers.len(), numbers.len()));
    assert!(numbers.len() < places.len());
    assert!(places.iter().all(|row| row.split('\t').nth(7).is_some_and(|name| names.contains(name))));
}

#[test]
fn shuffling_keeps_the_rows() {
    for layout in [SynthLayout::Parquet, SynthLayout::Flat] {
        let tables = match layout {
            SynthLayout::Parquet => ["mgy_protein_sequences", "mgy_biomes", "mgy_clusters", "mgy_proteins_metadata"],
            SynthLayout::Flat => ["mgy_counts.tsv", "mgy_biomes.tsv", "mgy_clusters.tsv", "mgy_contig_map_1.tsv"],
        };
        let ordered = write(&SynthPlan { layout, ..plan(500) });
        let shuffled = write(&SynthPlan { layout, shuffle: true, memory_bytes: 100_000, ..plan(500) });
        for table in tables {
            let (ordered, shuffled) = (rows(&ordered.folder, table), rows(&shuffled.folder, table));
            assert_ne!(ordered, shuffled, "{table}");
            assert_eq!(sorted(ordered), sorted(shuffled), "{table}");
        }
    }
}

#[test]
fn non_empty_folders_are_rejected() {
    let parent = tempfile::tempdir().expect("a temporary folder");
    let folder = parent.path().join("release");
    fs::create_dir(&folder).expect("room");
    let plan = SynthPlan { out: folder.clone(), ..plan(10) };
    plan.run().expect("an empty folder is fine");
    let error = plan.run().expect_err("there is a release").to_string();
    assert!(error.ends_with("release: is not empty: choose another folder"), "{error}");
    let file = SynthPlan { out: folder.join("mgy_counts.parquet"), ..plan };
    assert!(file.run().expect_err("a file").to_string().contains("is a file"));
    assert_eq!(fs::read_dir(parent.path()).expect("readable").count(), 1);
}
