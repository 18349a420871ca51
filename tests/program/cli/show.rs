//! Records are printed as JSON or FASTA, and what is missing is named.

use serde_json::Value;

use crate::cli::{rows, run_on};
use support::TestFolder;

#[test]
fn show_prints_one_record_a_line() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["show", "mgyp13", "12"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let records: Vec<Value> = done.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(records.len(), 2);
    assert_eq!((&records[0]["mgyp"], &records[1]["mgyp"]), (&"MGYP000000000013".into(), &"MGYP000000000012".into()));
    assert_eq!(records[1]["pfam_annotations"][0]["clan"], "CL0023");
}

#[test]
fn fasta_is_sixty_wide_and_says_what_is_known() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["show", "--format", "fasta", "12", "13", "14"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let long = "MKVLAARSTW".repeat(13);
    let expected = format!(
        ">MGYP000000000012 FL=1\n{}\n{}\n{}\n>MGYP000000000013 FL=0\nMKVL\n>MGYP000000000014\nMKAA\n",
        &long[..60],
        &long[60..120],
        &long[120..]
    );
    assert_eq!(done.stdout, expected);
}

#[test]
fn what_is_missing_is_exit_1_and_the_rest_is_printed() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["show", "13", "99", "12", "98"]);
    assert_eq!((done.code, done.stdout.lines().count()), (Some(1), 2));
    for missing in ["MGYP000000000099", "MGYP000000000098"] {
        assert!(done.stderr.contains(missing), "{}", done.stderr);
    }
    let done = run_on(&folder, &["search", "--lineage", "Wastewater"]);
    assert_eq!((done.code, &*done.stdout), (Some(1), ""));
    assert!(done.stderr.contains("'root:Engineered:Wastewater'"), "{}", done.stderr);
}

#[test]
fn a_replaced_accession_is_followed() {
    let folder = TestFolder::empty();
    let mut plan = folder.plan(vec![folder.input("rows.csv", rows())]);
    plan.superseded = Some(folder.input("superseded.tsv", "21\t22\n22\t13\n"));
    plan.run().expect("well formed");
    let done = run_on(&folder, &["show", "21"]);
    let record: Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!((done.code, &record["mgyp"]), (Some(0), &"MGYP000000000013".into()));
    assert!(done.stderr.contains("MGYP000000000021 was replaced by MGYP000000000013"), "{}", done.stderr);
    let done = run_on(&folder, &["show", "--format", "fasta", "21", "22", "13"]);
    let headers: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with('>')).collect();
    let expected = ["21", "22"].map(|asked| format!(">MGYP000000000013 FL=0 member=MGYP0000000000{asked}"));
    assert_eq!(headers, [&expected[0], &expected[1], ">MGYP000000000013 FL=0"]);
}
