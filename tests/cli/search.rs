//! Searches on the command line: short filters, tables, and messages on standard error.

use crate::cli::{rows, run_on};
use support::TestFolder;

#[test]
fn searches_without_data_name_the_command_that_loads_them() {
    let folder = TestFolder::empty();
    for arguments in [&["search", "--pfam", "5"][..], &["show", "12"]] {
        let done = run_on(&folder, arguments);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{arguments:?}");
        assert!(done.stderr.contains("mgdex index"), "{}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
}

#[test]
fn short_filters_match_their_query_in_all_formats() {
    let folder = TestFolder::of_rows(&rows());
    let query = "(full_length:true) AND biome_exact:132 AND biome:\"root\" AND pfam:PF00005";
    let short = ["--query", "full_length:true", "--biome-id", "132", "--lineage", "root", "--pfam", "5"];
    for more in [
        &["--format", "fasta"][..],
        &["--format", "ndjson"],
        &["--format", "table"],
        &["--format", "tsv", "--fields", "accession,length"],
        &["--count"],
        &["--random", "3"],
        &["--after", "11"],
        &["--order", "-length"],
    ] {
        let done = run_on(&folder, &[&["search"][..], &short, more].concat());
        assert_eq!(done.code, Some(0), "{more:?}: {done:?}");
        assert_eq!(
            done.stdout,
            run_on(&folder, &[&["search", "--query", query][..], more].concat()).stdout,
            "{more:?}"
        );
        assert!(done.stdout.contains("MGYP000000000012") || done.stdout == "1\n", "{more:?}: {done:?}");
    }
    let done = run_on(&folder, &["search", "--pfam", "5", "--format", "fasta", "--fields", "length"]);
    assert_eq!(done.code, Some(2), "{done:?}");
}

#[test]
fn tables_are_aligned_and_give_the_number_of_hits() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["search", "--lineage", "root", "--limit", "2", "--format", "table"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), "2 of 3 proteins\n"));
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", done.stdout);
    let column = |name: &str| lines[0].find(name).expect(name);
    assert!(lines[1][column("pfam")..].starts_with("PF00005") && lines[1][column("biomes")..].starts_with("root:"));
    assert!(
        lines[1][..column("length") + 6].ends_with("   130") && lines[2][..column("length") + 6].ends_with("     4")
    );
}

#[test]
fn unknown_names_are_reported_on_stderr() {
    let folder = TestFolder::of_rows(&rows());
    for (arguments, expected) in [
        (&["--pfam", "PF99999"][..], "PF99999 is not among the Pfam families that were loaded"),
        (
            &["--query", "pfam:PF00005 OR NOT pfam:PF99999", "--format", "json"],
            "PF99999 is not among the Pfam families",
        ),
    ] {
        let done = run_on(&folder, &[&["search"][..], arguments].concat());
        assert!(done.code == Some(0) && done.stdout.starts_with('['), "{done:?}");
        assert!(done.stderr.lines().count() == 1 && done.stderr.contains(expected), "{done:?}");
    }
    let done = run_on(&folder, &["search", "--lineage", "root:Environmental:Aquatic:Marin"]);
    assert!(done.code == Some(1) && done.stderr.contains("such as 'root:Environmental:Aquatic:Marine'"), "{done:?}");
}

#[test]
fn an_order_with_more_matches_than_it_has_is_reported_on_stderr() {
    let folder = TestFolder::of_sample();
    folder.add_source("soil", ">a\nMKV\n", "name\n");
    let search = |more: &[&str]| run_on(&folder, &[&["search", "--query", "*", "--format", "tsv"][..], more].concat());
    let done = search(&["--order", "-length", "--limit", "all"]);
    assert_eq!((done.code, done.stdout.lines().count()), (Some(0), 10_001));
    assert!(done.stderr.contains("--order prints only the first 10,000 of 10,001 proteins"), "{}", done.stderr);
    for more in [&["--order", "-length", "--limit", "10000"][..], &["--limit", "all"]] {
        assert!(!search(more).stderr.contains("--order"), "{more:?}");
    }
}
