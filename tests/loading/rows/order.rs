//! Neither order nor number of inputs nor memory changes an answer, and of duplicates the first
//! stays.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use serde_json::json;

use crate::loading::rows::{HEADER, checked_report, gzip, manifest, zstd};
use support::machine::rounds;
use support::{SAMPLE, TestFolder, data_text, get_protein};

/// Filled by a few long rows, so that the sorter spills and writes several segments; about the
/// minimum of the engine.
const MEMORY_TINY: usize = 400_000;

/// Returns the accession of a row.
fn accession_of(row: &str) -> String {
    row[..row.find(',').expect("columns")].to_owned()
}

/// Returns the bodies of records and of some searches, by path.
async fn answers(folder: &TestFolder, accessions: &[String]) -> BTreeMap<String, Vec<u8>> {
    let router = folder.router();
    let mut paths: Vec<String> = accessions.iter().map(|accession| format!("/protein/{accession}")).collect();
    for query in [
        "biome_lineage=root&limit=1000",
        "biome_lineage=root:Environmental:Aquatic:Marine&limit=1000",
        "biome_id=158&limit=1000",
        "biome_id=158&limit=1",
        "pfam_accession=5&limit=1000",
        "pfam_accession=PF00395",
    ] {
        paths.push(format!("/protein/search?{query}"));
    }
    let mut answers = BTreeMap::new();
    for path in paths {
        let answer = get_protein(&router, &path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        answers.insert(path, answer.body);
    }
    answers
}

/// Returns rows of the sample, before a release all, their accessions, and the answers of an index
/// of them.
async fn sample_in_order() -> (Vec<String>, Vec<String>, BTreeMap<String, Vec<u8>>) {
    let rows: Vec<String> =
        data_text(SAMPLE).lines().skip(1).step_by(rounds(5, 1)).map(|line| format!("{line}\n")).collect();
    let accessions: Vec<String> = rows.iter().map(|row| accession_of(row)).collect();
    let expected = answers(&TestFolder::of_rows(&rows.concat()), &accessions).await;
    (rows, accessions, expected)
}

/// Compares all answers, one by one so that a difference can be read.
fn compare(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(found.len(), expected.len());
    for (path, body) in expected {
        assert_eq!(String::from_utf8_lossy(&found[path]), String::from_utf8_lossy(body), "{path}");
    }
}

/// Returns the number of segments with proteins that the manifest names.
fn num_segments(folder: &TestFolder) -> usize {
    manifest(folder)["contents"]["segments"].as_array().expect("a list").len()
}

#[tokio::test]
async fn order_and_number_of_files_change_no_answers() {
    let (mut rows, accessions, expected) = sample_in_order().await;
    rows.shuffle(&mut StdRng::seed_from_u64(7));

    let folder = TestFolder::of_rows(&rows.concat());
    compare(&answers(&folder, &accessions).await, &expected);
    assert_eq!(num_segments(&folder), 1);

    // Three files that overlap: each has rows from everywhere, and the last has some of the others
    // again.
    let folder = TestFolder::empty();
    let inputs = vec![
        folder.input("a.csv", rows[..800].concat()),
        folder.input("b.csv.zst", zstd(format!("{HEADER}{}", rows[800..].concat()).as_bytes())),
        folder.input("c.csv.gz", gzip(rows[700..900].concat().as_bytes())),
    ];
    let mut plan = folder.plan(inputs);
    plan.max_rejects = 200;
    plan.num_threads = 5;
    let published = plan.run().expect("200 duplicates are allowed");
    let report = checked_report(&folder, &published);
    assert_eq!((&report["num_accepted"], &report["num_rejected"]), (&json!(rows.len()), &json!(200)));
    assert_eq!(report["files"][2]["rejected"], json!({"duplicate_accession": 200}));
    compare(&answers(&folder, &accessions).await, &expected);
}

#[tokio::test]
async fn memory_smaller_than_the_rows_changes_no_answers() {
    // Real rows with sequences so long that few of them fill the memory.
    let long_row = |row: &str, cluster_size: usize| {
        let mut cells: Vec<String> = row.splitn(5, ',').map(str::to_owned).collect();
        cells[1] = cells[1].repeat(30_000 / cells[1].len());
        cells[3] = cluster_size.to_string();
        cells.join(",") + "\n"
    };
    let text = data_text(SAMPLE);
    let mut sample: Vec<&str> = text.lines().skip(1).take(30).collect();
    sample.shuffle(&mut StdRng::seed_from_u64(8));
    let accessions: Vec<String> = sample.iter().map(|row| accession_of(row)).collect();
    let first: String = sample.iter().map(|row| long_row(row, 1)).collect();
    let expected = answers(&TestFolder::of_rows(&first), &accessions).await;
    let mut numbers = Vec::new();
    for memory_bytes in [64 << 20, MEMORY_TINY] {
        let folder = TestFolder::empty();
        let again: String = sample[..7].iter().map(|row| long_row(row, 2)).collect();
        let mut plan = folder.plan(vec![folder.input("first.csv", &first), folder.input("again.csv", again)]);
        plan.memory_bytes = memory_bytes;
        plan.max_rejects = 7;
        let published = plan.run().expect("seven duplicates are allowed");
        assert_eq!(checked_report(&folder, &published)["files"][1]["rejected"], json!({"duplicate_accession": 7}));
        compare(&answers(&folder, &accessions).await, &expected);
        numbers.push(num_segments(&folder));
    }
    assert!(numbers[0] == 1 && numbers[1] > 1, "{numbers:?}");
}
