//! Releases of a few clusters, for tests of their members.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use arrow_array::{Int64Array, StringArray};
use indexer_synth::SynthLayout;

use crate::loading::release::writer::{column, write_gzip, write_parquet};
use support::TestFolder;
use support::families;

/// Clusters: each representative with all its members.
pub(crate) type Clusters<'a> = &'a [(i64, &'a [i64])];

/// Writes a release of clusters in a folder of the data folder.
pub(crate) fn write(folder: &TestFolder, name: &str, layout: SynthLayout, clusters: Clusters<'_>) -> PathBuf {
    let release = folder.path().join(name);
    fs::create_dir(&release).expect("new");
    // No protein has any.
    fs::write(families::table_path(&release), "PF00005\tCL0023\t\tABC_tran\tABC transporter\n").expect("writable");
    match layout {
        SynthLayout::Parquet => write_tables(&release, clusters),
        SynthLayout::Flat => write_files(&release, clusters),
    }
    release
}

/// Writes Parquet tables.
fn write_tables(release: &Path, clusters: Clusters<'_>) {
    let pairs: Vec<(i64, i64)> = clusters
        .iter()
        .flat_map(|(representative, members)| members.iter().map(|member| (*representative, *member)))
        .collect();
    let mut proteins: Vec<i64> = pairs.iter().map(|(_, member)| *member).collect();
    proteins.sort_unstable();
    proteins.dedup();
    write_parquet(
        &release.join("mgy_cluster_seqs.parquet"),
        [
            (
                "cluster_rep",
                column(Int64Array::from_iter_values(pairs.iter().map(|(representative, _)| *representative))),
            ),
            ("cluster_member", column(Int64Array::from_iter_values(pairs.iter().map(|(_, member)| *member)))),
        ],
    );
    write_parquet(
        &release.join("mgy_protein_sequences.parquet"),
        [
            ("protein_id", column(Int64Array::from_iter_values(proteins.iter().copied()))),
            ("full_length", column(arrow_array::BooleanArray::from(vec![true; proteins.len()]))),
            ("sequence", column(StringArray::from_iter_values(proteins.iter().map(|_| "MKV")))),
        ],
    );
}

/// Writes flat files.
fn write_files(release: &Path, clusters: Clusters<'_>) {
    let (mut members, mut sequences) = (String::new(), String::new());
    for (representative, of_cluster) in clusters {
        let names: Vec<String> = of_cluster.iter().map(|member| format!("MGYP{member:012}")).collect();
        writeln!(members, "MGYP{representative:012}\t{}", names.join(";")).expect("memory");
        writeln!(sequences, ">MGYP{representative:012} FL=1\nMKV").expect("memory");
    }
    write_gzip(&release.join("mgy_cluster_seqs.tsv.gz"), &members);
    write_gzip(&release.join("mgy_clusters.fa.gz"), &sequences);
}
