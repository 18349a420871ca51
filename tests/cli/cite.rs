//! The loaded release is cited by a command, and beside results that have no place for it.

use support::TestFolder;

use crate::cli::{index, rows, run, run_on};

/// Makes an index of the rows with a version of Pfam.
fn folder() -> TestFolder {
    let folder = TestFolder::of_rows(&rows());
    let done = run(index(&folder, folder.path().join("rows.csv")).args(["--pfam-version", "37.0", "--quiet"]));
    assert_eq!(done.code, Some(0), "{done:?}");
    folder
}

const LINE: &str = "Rows of MGnify's protein portal from rows.csv, 3 proteins, Pfam 37.0, loaded ";

#[test]
fn the_command_prints_a_line_a_sentence_and_a_bibliography() {
    let folder = folder();
    let done = run_on(&folder, &["cite"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert!(lines[0].starts_with(LINE) && lines[1].is_empty() && lines.len() == 3, "{lines:?}");
    for part in ["from rows.csv (3 proteins, Pfam 37.0", "Richardson et al., 2023", "with mgdex ", "(generation gen-"] {
        assert!(lines[2].contains(part), "{part}: {}", lines[2]);
    }
    let bibtex = run_on(&folder, &["cite", "--bibtex"]).stdout;
    assert_eq!(bibtex.lines().filter(|line| line.starts_with('@')).count(), 3, "{bibtex}");
    assert_eq!(bibtex.matches('{').count(), bibtex.matches('}').count());

    let wrong = run(index(&folder, "-").args(["--pfam-version", "Pfam 37"]));
    assert!(wrong.code == Some(2) && wrong.stderr.contains("digits and dots"), "{wrong:?}");
    let own = TestFolder::empty();
    own.add_source("mine", ">k1\nMKVL\n", "name\n");
    let none = run_on(&own, &["cite"]);
    assert!(none.code == Some(1) && none.stderr.contains("no release is loaded"), "{none:?}");
}

#[test]
fn results_without_a_place_for_it_have_the_line_on_standard_error() {
    let folder = folder();
    for (format, is_cited) in [("tsv", true), ("fasta", true), ("json", false), ("ndjson", false)] {
        for filter in [["--pfam", "5"], ["--query", "pfam:5"]] {
            let search = [&["search", "--format", format][..], &filter].concat();
            let done = run_on(&folder, &search);
            assert_eq!((done.code, done.stderr.contains(LINE)), (Some(0), is_cited), "{format}: {}", done.stderr);
            let quiet = run_on(&folder, &[&search[..], &["--quiet"]].concat());
            assert_eq!((&*quiet.stdout, &*quiet.stderr), (&*done.stdout, ""), "{format}");
        }
    }
}
