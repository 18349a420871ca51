//! Damaged files: the run fails and names the file, nothing is published, and the previous index is
//! served.

use std::fs;
use std::path::Path;

use axum::http::StatusCode;
use indexer_synth::SynthLayout;

use crate::loading::release::plan::{failure, index, plan};
use crate::loading::release::synthetic::{Synthetic, synth_plan};
use crate::loading::release::tiny;
use crate::loading::release::writer::{drop_column, gzip};
use support::machine::rounds;
use support::release::tables::lines;
use support::{TestFolder, get_protein};

/// The number of proteins that a release has.
const NUM_FEW: u64 = 800;

/// The tables that are read for the index, and not only compared with it.
const TABLES: [&str; 5] = [
    "mgy_clusters.parquet",
    "mgy_protein_sequences.parquet",
    "mgy_biomes.parquet",
    "mgy_proteins_pfam.parquet",
    "mgy_proteins_metadata.parquet",
];

/// A folder with an index, and a release that will be damaged.
struct Site {
    folder: TestFolder,
    release: Synthetic,
}

impl Site {
    /// Makes a release and an index of another one.
    fn new(layout: SynthLayout) -> Self {
        let folder = TestFolder::empty();
        let old = tiny::write(&folder, "old", layout, &[(1_000_000_000, &[1_000_000_000])]);
        index(&folder, &old);
        Self { folder, release: Synthetic::write(&synth_plan(layout, NUM_FEW)) }
    }

    /// Alters a file, and checks that the run fails, names the file, and leaves everything as it
    /// was. Returns the message.
    async fn fails_with(&self, name: &str, alter: impl FnOnce(&Path)) -> String {
        let path = self.release.path().join(name);
        let kept = self.folder.path().join("kept");
        fs::copy(&path, &kept).expect("room");
        alter(&path);
        let message = failure(&self.folder, &plan(&self.folder, &self.release.path()));
        assert!(message.contains(&path.display().to_string()), "{name}: {message}");
        let answer = get_protein(&self.folder.router(), "/protein/1000000000").await;
        assert_eq!(answer.status, StatusCode::OK, "{name}: the old index is served");
        if path.is_dir() {
            fs::remove_dir_all(&path).expect("ours");
        }
        // A copy has another time stamp: the next run is one over other inputs.
        fs::copy(&kept, &path).expect("room");
        self.discard_unfinished();
        message
    }

    /// Removes the leftovers of failed runs.
    fn discard_unfinished(&self) {
        let root = self.folder.generations().root().to_owned();
        for entry in fs::read_dir(&root).expect("readable") {
            let path = entry.expect("readable").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with("gen-") {
                fs::remove_dir_all(path).expect("ours");
            }
        }
    }

    /// Checks that the release is whole again, and can be indexed.
    fn check_whole(&self) {
        let report = index(&self.folder, &self.release.path()).report;
        assert_eq!(report.num_rejected, 0);
    }
}

/// Replaces a file by its first bytes.
fn cut(path: &Path, keep: impl FnOnce(usize) -> usize) {
    let bytes = fs::read(path).expect("readable");
    fs::write(path, &bytes[..keep(bytes.len())]).expect("writable");
}

/// Inverts bytes of a file.
fn invert(path: &Path, range: std::ops::Range<usize>) {
    let mut bytes = fs::read(path).expect("readable");
    bytes[range].iter_mut().for_each(|byte| *byte = !*byte);
    fs::write(path, bytes).expect("writable");
}

#[tokio::test]
async fn truncated_parquet_files_are_named() {
    let site = Site::new(SynthLayout::Parquet);
    for table in TABLES {
        let cuts: [fn(usize) -> usize; 5] =
            [|length| length / 2, |length| length - 2, |_| 0, |length| length - 100, |_| 3];
        for keep in cuts.into_iter().take(rounds(3, 5)) {
            site.fails_with(table, |path| cut(path, keep)).await;
        }
    }
    site.check_whole();
}

#[test]
fn detectable_alterations_end_the_run() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, NUM_FEW));
    let (mut num_failed, num_parts) = (0, rounds(2, 5));
    for table in TABLES {
        let path = release.path().join(table);
        let whole = fs::read(&path).expect("readable");
        for part in 1..=num_parts {
            let start = (whole.len() - 1000) * part / (num_parts + 1);
            invert(&path, start..start + 300);
            let folder = TestFolder::empty();
            // Without checksums of pages, some alterations give other values and nothing else. None
            // may end in a panic.
            if let Err(error) = plan(&folder, &release.path()).run() {
                let message = error.to_string();
                assert!(
                    message.contains(&path.display().to_string()) && message.contains(", row group 0: "),
                    "{message}"
                );
                assert_eq!(folder.generations().current().expect("readable"), None, "{message}");
                num_failed += 1;
            }
            fs::write(&path, &whole).expect("writable");
        }
    }
    assert!(num_failed > 2 * num_parts, "only {num_failed}");
}

#[tokio::test]
async fn truncated_compressed_files_are_named_with_their_line() {
    let site = Site::new(SynthLayout::Flat);
    for name in [
        "mgy_clusters.fa.gz",
        "mgy_cluster_seqs.tsv.gz",
        "mgy_biomes.tsv.gz",
        "mgy_proteins_pfam.tsv.gz",
        "mgy_seq_metadata_2.tsv.gz",
        "mgy_contig_map_1.tsv.gz",
    ] {
        for part in [2, 3].into_iter().take(rounds(1, 2)) {
            let message = site.fails_with(name, |path| cut(path, |length| length * (part - 1) / part)).await;
            assert!(message.contains("it is cut off after line "), "{message}");
        }
        let message = site.fails_with(name, |path| cut(path, |length| length - 4)).await;
        assert!(message.contains("it is cut off after line "), "{message}");
    }
    site.check_whole();
}

#[tokio::test]
async fn compressed_files_with_wrong_checksums_are_named() {
    let site = Site::new(SynthLayout::Flat);
    for name in ["mgy_clusters.fa.gz", "mgy_biomes.tsv.gz", "mgy_seq_metadata_1.tsv.gz"] {
        let alter = |path: &Path| {
            let text: String = lines(path).map(|line| line + "\n").collect();
            let mut bytes = gzip(&text);
            let checksum = bytes.len() - 8;
            bytes[checksum] ^= 1;
            fs::write(path, bytes).expect("writable");
        };
        let message = site.fails_with(name, alter).await;
        assert!(message.contains("cannot read after line "), "{message}");
    }
    site.check_whole();
}

#[tokio::test]
async fn missing_columns_are_named() {
    let site = Site::new(SynthLayout::Parquet);
    for (table, column) in [
        ("mgy_protein_sequences.parquet", "sequence"),
        ("mgy_protein_sequences.parquet", "full_length"),
        ("mgy_clusters.parquet", "cluster_size"),
        ("mgy_biomes.parquet", "lineage_count"),
        ("mgy_biomes.parquet", "biome"),
        ("mgy_proteins_pfam.parquet", "pfam_accession"),
        ("mgy_proteins_pfam.parquet", "env_to"),
        ("mgy_proteins_metadata.parquet", "assembly_accession"),
        ("mgy_proteins_metadata.parquet", "strand"),
    ] {
        let message = site.fails_with(table, |path| drop_column(path, column)).await;
        assert!(message.contains("needs a column ") && message.contains(column), "{message}");
        let listed = message.rsplit("the columns are ").next().unwrap_or_default();
        assert!(!listed.split(", ").any(|name| name == column), "{message}");
    }
    site.check_whole();
}
