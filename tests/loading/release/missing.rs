//! Tables that a release lacks: dependent fields are missing, and everything else is there.

use std::fs;
use std::path::Path;

use indexer_synth::SynthLayout;

use crate::loading::release::answers::assert_answers;
use crate::loading::release::plan::{failure, index, plan};
use crate::loading::release::rows::Rows;
use crate::loading::release::synthetic::{Synthetic, file_names, synth_plan};
use crate::loading::release::truth::Truth;
use support::TestFolder;

/// The number of proteins that the releases have.
const NUM_FEW: u64 = 300;

/// Removes the files of a release whose names start with a text.
fn remove(release: &Path, start: &str) {
    let names = file_names(release).into_iter().filter(|name| name.starts_with(start));
    assert!(names.map(|name| fs::remove_file(release.join(name)).expect("writable")).count() > 0, "{start}");
}

/// Returns the expected answers without the rows of some tables.
fn truth_without(release: &Path, remove: impl FnOnce(&mut Rows)) -> Truth {
    let mut rows = Rows::read(release);
    remove(&mut rows);
    let indexed: Vec<u64> = rows.sizes.keys().copied().collect();
    let mut truth = Truth::of_rows(&rows, &indexed);
    // A search may also name a family that no protein has.
    truth.by_family.entry(1).or_default();
    truth
}

/// Indexes a release, checks that a note names the missing tables, and compares all answers.
async fn assert_served_without(release: &Synthetic, note: &str, truth: &Truth) {
    let folder = TestFolder::empty();
    let report = index(&folder, &release.path()).report;
    assert_eq!(report.num_rejected, 0, "{note}");
    let sentences = [report.warnings, report.release.expect("a run over a release").notes].concat();
    assert!(sentences.iter().any(|known| known.contains(note)), "{note}: {sentences:#?}");
    assert_answers(&folder, truth, note).await;
}

#[tokio::test]
async fn fields_of_missing_tables_are_omitted() {
    use SynthLayout::{Flat, Parquet};
    type Removal = fn(&mut Rows);
    let cases: [(SynthLayout, &str, Removal); 7] = [
        (Parquet, "mgy_proteins_pfam", |rows| rows.hits.clear()),
        (Flat, "mgy_proteins_pfam", |rows| rows.hits.clear()),
        (Parquet, "mgy_proteins_metadata", |rows| rows.places.clear()),
        (Flat, "mgy_seq_metadata", |rows| rows.places.clear()),
        (Parquet, "mgy_biomes", |rows| rows.biomes.clear()),
        (Flat, "mgy_biomes", |rows| rows.biomes.clear()),
        // The accession stands for the name.
        (Flat, "mgy_contig_map", |rows| {
            for place in rows.places.values_mut().flatten() {
                place.contig_name = format!("MGYC{:012}", place.contig);
            }
        }),
    ];
    for (layout, name, remove_rows) in cases {
        let release = Synthetic::write(&synth_plan(layout, NUM_FEW));
        let truth = truth_without(&release.path(), remove_rows);
        remove(&release.path(), name);
        assert_served_without(&release, &format!("{name} is missing"), &truth).await;
    }
}

#[tokio::test]
async fn redundant_tables_are_optional() {
    for (layout, start) in [
        (SynthLayout::Parquet, "mgy_cluster_seqs"),
        (SynthLayout::Parquet, "mgy_clusters"),
        (SynthLayout::Flat, "mgy_clusters.tsv"),
    ] {
        let release = Synthetic::write(&synth_plan(layout, NUM_FEW));
        let truth = truth_without(&release.path(), |_| {});
        remove(&release.path(), start);
        let name = start.split('.').next().unwrap_or_default();
        // Flat files of sequences and of clusters have the same name.
        let note = if start.contains('.') { "" } else { &format!("{name} is missing") };
        assert_served_without(&release, note, &truth).await;
    }
}

#[test]
fn empty_and_missing_folders_are_named() {
    let folder = TestFolder::empty();
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("new");
    for release in [empty, folder.path().join("missing")] {
        let message = failure(&folder, &plan(&folder, &release));
        assert!(message.contains(&release.display().to_string()), "{message}");
        assert!(!folder.generations().root().try_exists().expect("readable"), "nothing is begun: {message}");
    }
}
