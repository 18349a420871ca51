//! Typical folders of releases.

use std::fs;

use super::*;

/// Creates a folder with files of the given names, of one byte each.
fn folder(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in names {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("writable");
        fs::write(path, "x").expect("writable");
    }
    folder
}

/// Returns the names of the files of a table, relative to the folder.
fn names(layout: &Layout, table: Table) -> Vec<String> {
    let files = layout.input(table).into_iter().flat_map(|input| &input.files);
    files.map(|file| file.path.file_name().expect("a file").to_string_lossy().into_owned()).collect()
}

fn has_note(layout: &Layout, wanted: &str) {
    let mut notes = layout.notes.iter().chain(&layout.warnings);
    assert!(notes.any(|note| note.contains(wanted)), "{wanted}: {layout:#?}");
}

#[test]
fn parquet_wins_over_flat_files() {
    let folder = folder(&[
        "mgy_clusters.parquet",
        "mgy_cluster_seqs.parquet",
        "mgy_protein_sequences.parquet",
        "mgy_biomes.parquet",
        "mgy_proteins_metadata.parquet",
        "mgy_counts.parquet",
        "mgy_biome_counts.parquet",
        "mgy_clusters.fa.gz",
        "mgy_proteins_pfam.tsv.gz",
        "README.md",
        "mgy30/mgy30_c2.fasta.gz",
        "notes.docx",
        ".hidden",
    ]);
    let layout = recognise(folder.path(), false).expect("a release");
    assert_eq!(layout.form, Form::Parquet);
    let tables: Vec<_> = layout.inputs.iter().map(|(&table, _)| table).collect();
    assert!(tables.is_sorted(), "{tables:?}");
    assert_eq!(tables.len(), 5);
    assert!(layout.files().map(|file| file.position).eq(0..5));
    has_note(&layout, "mgy_proteins_pfam is missing: proteins will have no Pfam hits");
    has_note(&layout, "mgy_clusters.fa.gz, mgy_proteins_pfam.tsv.gz are not used: ");
    has_note(&layout, "ignored: notes.docx");
    assert!(!layout.notes.iter().any(|note| note.contains("README") || note.contains("mgy30")));
}

#[test]
fn parts_are_read_in_the_order_of_their_numbers() {
    let folder = folder(&[
        "mgy_clusters_10.parquet",
        "mgy_clusters-9.parquet",
        "mgy_clusters.1.parquet",
        "mgy_protein_sequences.parquet/part-00010-a.snappy.parquet",
        "mgy_protein_sequences.parquet/part-00009-b.snappy.parquet",
        "mgy_protein_sequences.parquet/_SUCCESS",
        "mgy_biomes/data_11.parquet",
        "mgy_biomes/data_2.parquet",
    ]);
    let layout = recognise(folder.path(), false).expect("a release");
    assert_eq!(
        names(&layout, Table::Clusters),
        ["mgy_clusters.1.parquet", "mgy_clusters-9.parquet", "mgy_clusters_10.parquet"]
    );
    assert_eq!(names(&layout, Table::Sequences), ["part-00009-b.snappy.parquet", "part-00010-a.snappy.parquet"]);
    assert_eq!(names(&layout, Table::Biomes), ["data_2.parquet", "data_11.parquet"]);
    has_note(&layout, "parts 2 to 8 of mgy_clusters are missing");
}

#[test]
fn flat_releases_use_the_requested_sequences() {
    let files = [
        "mgy_cluster_seqs.tsv.gz",
        "mgy_clusters.tsv.gz",
        "mgy_clusters.fa.gz",
        "mgy_proteins_2.fa.gz",
        "mgy_proteins_11.fa.gz",
        "mgy_proteins_1.fasta.zst",
        "mgy_seq_metadata_1.tsv.gz",
        "mgy_seq_metadata_2.tsv",
        "mgy_contig_map_1.tsv.gz",
        "mgy_ProtENN_pfam.tsv.gz",
        "mgy_assemblies.tsv.gz",
        "mgy_biomes.parquet",
    ];
    let folder = folder(&files);
    let layout = recognise(folder.path(), false).expect("a release");
    assert_eq!(layout.form, Form::Flat);
    assert_eq!(names(&layout, Table::Sequences), ["mgy_clusters.fa.gz"]);
    assert!(!layout.input(Table::Sequences).expect("listed").covers_all_proteins);
    assert!(layout.input(Table::Clusters).is_some() && layout.input(Table::ClusterMembers).is_some());
    assert_eq!(names(&layout, Table::Pfam), ["mgy_ProtENN_pfam.tsv.gz"]);
    assert_eq!(names(&layout, Table::Occurrences).len(), 2);
    has_note(&layout, "the sequences are read from mgy_clusters");
    has_note(&layout, "mgy_assemblies.tsv.gz is not used");
    has_note(&layout, "mgy_biomes.parquet is not used");

    let layout = recognise(folder.path(), true).expect("a release");
    assert_eq!(
        names(&layout, Table::Sequences),
        ["mgy_proteins_1.fasta.zst", "mgy_proteins_2.fa.gz", "mgy_proteins_11.fa.gz"]
    );
    assert!(layout.input(Table::Sequences).expect("listed").covers_all_proteins);
}

#[test]
fn copies_are_read_once() {
    let folder = folder(&[
        "mgy_cluster_seqs.tsv.gz",
        "mgy_cluster_seqs.tsv",
        "mgy_proteins_1.fa.gz",
        "mgy_proteins_1.fa",
        "mgy_proteins_2.fa.gz",
        "mgy_biomes.tsv",
        "mgy_biomes_1.tsv",
        "mgy_proteins_pfam.tsv",
        "mgy_ProtENN_pfam.tsv",
    ]);
    let layout = recognise(folder.path(), false).expect("a release");
    assert_eq!(names(&layout, Table::ClusterMembers), ["mgy_cluster_seqs.tsv"]);
    assert_eq!(names(&layout, Table::Sequences), ["mgy_proteins_1.fa", "mgy_proteins_2.fa.gz"]);
    assert_eq!(names(&layout, Table::Biomes), ["mgy_biomes.tsv"]);
    assert_eq!(names(&layout, Table::Pfam), ["mgy_proteins_pfam.tsv"]);
    has_note(&layout, "mgy_biomes_1.tsv is not used: mgy_biomes.tsv is read instead");
    has_note(&layout, "mgy_ProtENN_pfam.tsv is not used: the Pfam hits are read from mgy_proteins_pfam");
}

#[test]
fn sequences_of_a_flat_release_are_enough() {
    let folder = folder(&["mgy_clusters_2018_12.fa.gz", "mgy_clusters_2022_05.faa", "mgy_clusters_2022_05.fa.gz"]);
    let layout = recognise(folder.path(), false).expect("a release");
    assert_eq!(names(&layout, Table::Sequences), ["mgy_clusters_2022_05.faa"]);
    assert_eq!(layout.leading_table(), Table::Sequences);
    has_note(&layout, "the sizes of the clusters are not known");
    has_note(
        &layout,
        "mgy_clusters_2022_05.fa.gz, mgy_clusters_2018_12.fa.gz are not used: mgy_clusters_2022_05.faa is",
    );
    assert!(!layout.notes.iter().any(|note| note.contains("are counted")), "{layout:#?}");
}

#[test]
fn files_may_be_in_folders_of_partitions() {
    let folder = folder(&[
        "mgy_clusters/bucket=10/part-0.parquet",
        "mgy_clusters/bucket=9/half=1/part-0.parquet",
        "mgy_clusters/_delta_log/00000.checkpoint.parquet",
        "mgy_protein_sequences.parquet/bucket=0/a.parquet",
    ]);
    let layout = recognise(folder.path(), false).expect("a release");
    let files = &layout.input(Table::Clusters).expect("listed").files;
    let folders: Vec<_> = files.iter().map(|file| file.path.strip_prefix(folder.path()).expect("below it")).collect();
    let clusters = Path::new("mgy_clusters");
    assert_eq!(folders, ["bucket=9/half=1", "bucket=10"].map(|name| clusters.join(name).join("part-0.parquet")));
    assert_eq!(names(&layout, Table::Sequences), ["a.parquet"]);
}

#[test]
fn missing_tables_are_named() {
    for (files, all_proteins, wanted) in [
        (&["holiday.jpg"][..], false, "looked for Parquet tables such as mgy_clusters.parquet"),
        (&["mgy_biomes.parquet"], false, "expected mgy_clusters.parquet, or mgy_cluster_seqs.parquet"),
        (&["mgy_clusters.parquet"], false, "expected mgy_protein_sequences.parquet"),
        (&["mgy_clusters.parquet", "mgy_protein_sequences.parquet"], true, "expected mgy_cluster_seqs.parquet"),
        (&["mgy_cluster_seqs.tsv"], false, "expected mgy_clusters.fa.gz or mgy_proteins.fa.gz"),
        (&["mgy_clusters.fa.gz"], true, "the members of the clusters are missing: expected mgy_cluster_seqs.tsv.gz"),
        (&["mgy_protein_sequences.parquet"], false, "the clusters are missing: expected mgy_clusters.parquet, or"),
        (&["mgy_clusters.parquet", "mgy_clusters.fa"], false, "(mgy_clusters.fa cannot be combined"),
    ] {
        let folder = folder(files);
        let error = recognise(folder.path(), all_proteins).expect_err("no index").to_string();
        assert!(error.contains(wanted), "{error}");
    }
    let folder = folder(&["mgy_cluster_seqs.parquet", "mgy_protein_sequences.parquet"]);
    let layout = recognise(folder.path(), false).expect("sizes are counted");
    has_note(&layout, "mgy_clusters is missing: the sizes of the clusters are counted");
}
