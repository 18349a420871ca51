//! The rows that the documentation of the release of July 2026 prints.

use std::fs;
use std::path::{Path, PathBuf};

use arrow_array::{ArrayRef, BooleanArray, Float32Array, Float64Array, Int64Array, StringArray};
use axum::http::StatusCode;
use indexer::Report;
use indexer_release::ReleasePlan;
use serde_json::{Value, json};

use crate::loading::release::plan::plan;
use crate::loading::release::rejects::{self, assert_adds_up, file_name};
use crate::loading::release::writer::{column, write_parquet};
use support::families;
use support::generation::current_folder;
use support::{TestFolder, get_protein};

/// All tables.
const TABLES: [&str; 8] = [
    "mgy_biome_counts",
    "mgy_biomes",
    "mgy_cluster_seqs",
    "mgy_clusters",
    "mgy_counts",
    "mgy_protein_sequences",
    "mgy_proteins_metadata",
    "mgy_proteins_pfam",
];

/// Returns a column in the type that the release has.
fn typed(name: &str, values: &[&str]) -> ArrayRef {
    match name {
        "full_length" | "is_cluster_rep" => {
            column(BooleanArray::from(values.iter().map(|value| *value == "true").collect::<Vec<_>>()))
        }
        "score" => {
            column(Float32Array::from_iter_values(values.iter().map(|value| value.parse::<f32>().expect(value))))
        }
        // The documented value has more digits than single precision.
        "i_evalue" | "kmer_coverage" => {
            column(Float64Array::from_iter_values(values.iter().map(|value| value.parse::<f64>().expect(value))))
        }
        "biome"
        | "sequence"
        | "lineage_prefix"
        | "cluster_rep_biomes"
        | "cluster_members_biomes"
        | "study_accession"
        | "assembly_accession"
        | "contig_name"
        | "pipeline_version"
        | "truncation" => column(StringArray::from_iter_values(values)),
        _ => column(Int64Array::from_iter_values(values.iter().map(|value| value.parse::<i64>().expect(value)))),
    }
}

/// Writes the documented tables into a folder, with some more rows.
fn write_release(folder: &Path, more: &[(&str, &str)]) {
    fs::create_dir(folder).expect("new");
    for table in TABLES {
        let source: PathBuf = support::project("tests/loading/release/documented").join(format!("{table}.tsv"));
        let mut text = fs::read_to_string(source).expect("documented");
        for (_, row) in more.iter().filter(|(of_table, _)| *of_table == table) {
            text += row;
            text.push('\n');
        }
        let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let header = lines.next().expect("a header");
        let rows: Vec<_> = lines.collect();
        let columns = header.iter().enumerate().map(|(index, name)| {
            let values: Vec<&str> = rows.iter().map(|row| row[index]).collect();
            (*name, typed(name, &values))
        });
        write_parquet(&folder.join(table).with_extension("parquet"), columns);
    }
}

/// Indexes the documented tables.
pub(crate) fn index(folder: &TestFolder, all_proteins: bool, more: &[(&str, &str)]) -> Report {
    let release = folder.path().join("release");
    write_release(&release, more);
    fs::write(families::table_path(&release), families::of(&release)).expect("writable");
    let plan = ReleasePlan { all_proteins, ..plan(folder, &release) };
    let report = plan.run().expect("a release").report;
    assert_adds_up(&report, &rejects::read(&current_folder(folder).join("rejects.tsv")), "documented");
    report
}

/// Returns the numbers of accepted, skipped and rejected rows of a table.
pub(crate) fn rows_of(report: &Report, table: &str) -> (u64, u64, u64) {
    let is_table = |name: &str| file_name(name) == format!("{table}.parquet");
    let file = report.files.iter().find(|file| is_table(&file.name)).expect(table);
    (file.num_accepted, file.num_passed_over(), file.num_rejected())
}

#[tokio::test]
async fn representatives_without_sequence_are_rejected_and_other_rows_classified() {
    let folder = TestFolder::empty();
    // No documented representative has a documented sequence, and without any there would be
    // nothing to publish.
    let report = index(&folder, false, &[("mgy_clusters", "2\t2\t1\tx\tx")]);
    assert_eq!(rows_of(&report, "mgy_clusters"), (1, 0, 5));
    assert_eq!(rows_of(&report, "mgy_protein_sequences"), (1, 8, 0));
    assert_eq!(rows_of(&report, "mgy_biomes"), (0, 16, 0), "protein 1 has a sequence, and is not a representative");
    assert_eq!(rows_of(&report, "mgy_proteins_pfam"), (0, 1, 4), "proteins 5 and 6 have no sequence");
    assert_eq!(rows_of(&report, "mgy_proteins_metadata"), (0, 0, 1));
    let rejects = rejects::read(&current_folder(&folder).join("rejects.tsv"));
    let missing: Vec<&str> =
        rejects.iter().filter(|reject| reject.reason == "missing_sequence").map(|reject| &*reject.text).collect();
    assert_eq!(missing, [166, 353, 354, 491, 528].map(|number| format!("MGYP{number:012}")));
    let answer = get_protein(&folder.router(), "/protein/166").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn documented_representatives_are_indexed_once_they_have_a_sequence() {
    let folder = TestFolder::empty();
    let report = index(
        &folder,
        false,
        &[
            ("mgy_protein_sequences", "166\ttrue\tMKV"),
            ("mgy_protein_sequences", "491\tfalse\tMKA"),
            ("mgy_biomes", "166\t1\troot:Host-associated:Human:Digestive system:Oral:Saliva"),
            ("mgy_proteins_pfam", "166\t5\t1e-30\t87.55205535888672\t2\t95\t3\t99"),
        ],
    );
    assert_eq!(report.release.expect("a run over a release").out_of_order, ["sequences"]);
    let router = folder.router();
    let record = get_protein(&router, "/protein/166").await.json();
    assert_eq!((&record["cluster_size"], &record["full_length"]), (&json!(1), &json!(true)));
    assert_eq!(record["biomes"][0]["id"], 369);
    assert_eq!(record["pfam_annotations"][0]["bit_score"], 87.552_055_358_886_72);
    assert_eq!(record["pfam_annotations"][0]["clan"], "CL0023");
    let hits = get_protein(&router, "/protein/search?pfam_accession=5").await.json();
    assert_eq!(hits, json!([{"mgyp": "MGYP000000000166", "full_length": true, "cluster_size": 1}]));
    assert_eq!(get_protein(&router, "/protein/491").await.json()["cluster_size"], 2);
}

#[tokio::test]
async fn the_documented_protein_1_has_all_its_documented_rows() {
    let folder = TestFolder::empty();
    let report = index(
        &folder,
        true,
        &[("mgy_cluster_seqs", "1\t1"), ("mgy_cluster_seqs", "1\t46"), ("mgy_clusters", "1\t2\t1\tx\tx")],
    );
    assert_eq!(rows_of(&report, "mgy_biomes"), (16, 0, 0));
    let record = get_protein(&folder.router(), "/protein/1").await.json();
    assert_eq!((&record["cluster_size"], &record["full_length"]), (&json!(2), &json!(true)));
    let biomes = record["biomes"].as_array().expect("a list");
    let counts: Vec<u64> = biomes.iter().map(|biome| biome["count"].as_u64().expect("a number")).collect();
    assert_eq!(counts, [132, 58, 32, 15, 7, 6, 6, 6, 5, 3, 3, 3, 2, 2, 1, 1]);
    assert_eq!(biomes[0]["id"], 361);
    let sixes: Vec<&Value> = biomes[5..8].iter().map(|biome| &biome["name"]).collect();
    assert_eq!(
        sixes,
        ["root:Engineered:Built environment", "root:Host-associated:Fish:Digestive system", "root:Mixed"]
    );
    let hit = &record["pfam_annotations"][0];
    assert_eq!(hit["accession"], "PF02566");
    assert_eq!((&hit["evalue"], &hit["bit_score"]), (&json!(5.812_243_921_018_791e-19), &json!(76.214_843_75)));
    assert_eq!([&hit["hmm_start"], &hit["hmm_end"], &hit["env_start"], &hit["env_end"]], [2, 100, 29, 128]);
    let member = get_protein(&folder.router(), "/protein/46").await.json();
    assert_eq!((&member["cluster_size"], &member["biomes"]), (&json!(2), &json!([])));
}
