//! Searches print what the service answers.

use serde_json::Value;

use crate::cli::{rows, run_on};
use support::TestFolder;

#[test]
fn search_prints_what_the_service_answers() {
    let folder = TestFolder::of_rows(&rows());
    for (filter, value, expected) in [
        ("--pfam", "5", vec!["MGYP000000000012"]),
        ("--pfam", "PF00005", vec!["MGYP000000000012"]),
        ("--biome-id", "132", vec!["MGYP000000000012", "MGYP000000000014"]),
        ("--lineage", "root", vec!["MGYP000000000012", "MGYP000000000013", "MGYP000000000014"]),
        ("--biome-id", "-3", vec![]),
    ] {
        let done = run_on(&folder, &["search", filter, value]);
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{filter} {value}");
        assert_eq!(done.stdout.lines().count(), 1);
        let hits: Value = serde_json::from_str(&done.stdout).expect("JSON");
        let mgyps: Vec<&str> = hits.as_array().expect("a list").iter().filter_map(|hit| hit["mgyp"].as_str()).collect();
        assert_eq!(mgyps, expected, "{filter} {value}");
        for hit in hits.as_array().expect("a list") {
            assert!(hit.get("full_length").is_some() && hit["cluster_size"].is_u64(), "{hit}");
        }
        let table = run_on(&folder, &["search", filter, value, "--format", "tsv"]).stdout;
        let column: Vec<&str> = table.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(column, expected, "{filter} {value}");
    }
    let limited = run_on(&folder, &["search", "--lineage", "root", "--limit", "2", "--format", "tsv"]);
    assert_eq!(limited.stdout.lines().count(), 3);
}

#[test]
fn without_data_the_command_that_loads_some_is_named() {
    let folder = TestFolder::empty();
    for arguments in [&["search", "--pfam", "5"][..], &["show", "12"]] {
        let done = run_on(&folder, arguments);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{arguments:?}");
        assert!(done.stderr.contains("mgdex index"), "{}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
}
