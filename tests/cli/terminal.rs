//! Output at a terminal: results are tables, and lines have no times.

use std::process::Command;

use support::{TestFolder, program, project};

use crate::cli::{rows, run};

/// Runs a command line at a terminal with the given number of columns, with the program as `mgdex`,
/// and returns the screen output.
fn shown(folder: &TestFolder, num_columns: usize, line: &str) -> String {
    let line = line.replace("mgdex ", &format!("{} ", program().get_program().display()));
    let mut terminal = Command::new("script");
    terminal.args([
        "--quiet",
        "--return",
        "--command",
        &format!("stty cols {num_columns} rows 24; {line}"),
        "/dev/null",
    ]);
    let done = run(terminal.env("MGDEX_DATA", folder.path()).env("NO_COLOR", "1"));
    assert_eq!(done.code, Some(0), "{done:?}");
    done.stdout.replace('\r', "")
}

#[test]
fn hits_fit_the_terminal_and_records_are_indented() {
    let folder = TestFolder::of_rows(&rows());
    let table = shown(&folder, 60, "mgdex search --lineage root");
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("accession ") && lines[1].starts_with("MGYP000000000012 "), "{table}");
    assert!(lines.iter().all(|line| line.chars().count() <= 60) && lines[1].ends_with('…'), "{table}");
    assert_eq!(lines[4], "3 of 3 proteins", "{table}");
    let record = shown(&folder, 60, "mgdex show 13 --pretty");
    assert!(record.starts_with("{\n  \"mgyp\""), "{record}");
    assert!(shown(&folder, 60, "mgdex show 13 --format json").starts_with("{\n  \"mgyp\""));
    assert_eq!(shown(&folder, 60, "mgdex search --pfam 5 --format tsv --quiet").lines().count(), 2);
    let cited = shown(&folder, 60, "mgdex search --pfam 5 --format tsv");
    assert!(cited.lines().nth(2).is_some_and(|line| line.starts_with("Rows of MGnify's protein portal")), "{cited}");
}

#[test]
fn values_records_sources_and_generations_are_tables() {
    let folder = TestFolder::of_rows(&rows());
    // Not a number that is rounded.
    folder.add_source("2024.0615", ">k1\nMKV\n", "name\n");
    let lines = |columns, line: &str| shown(&folder, columns, line).lines().map(str::to_owned).collect::<Vec<_>>();
    let facets = lines(40, "mgdex facets --by pfam --top 1");
    assert_eq!(facets, ["count  value  name", "    3         no family"]);
    let compared = lines(100, "mgdex enrichment --by pfam --query biome:132");
    let names: Vec<&str> = compared[0].split_whitespace().collect();
    assert_eq!(names, ["count", "expected", "log2_ratio", "q", "representation", "value", "name"]);
    assert!(compared[1].starts_with("    1     1.333"), "{compared:?}");
    let record = lines(80, "mgdex show 12");
    assert_eq!(record[0], "accession     MGYP000000000012");
    for line in ["length        130", "full_length   true", "pfam          PF00005", "clans         CL0023"] {
        assert!(record.iter().any(|shown| shown == line), "{line}: {record:?}");
    }
    let sources = lines(200, "mgdex own list");
    assert!(sources[0].starts_with("source     proteins  first "), "{sources:?}");
    assert!(sources[1].starts_with("2024.0615         1  MGYP9"), "{sources:?}");
    let generations = lines(200, "mgdex generations");
    assert!(generations[0].starts_with("generation ") && generations[0].contains("   role       contents"));
    assert!(generations.iter().any(|line| line.contains("   (current)  4 proteins, 0 replaced")), "{generations:?}");
}

#[test]
fn lines_show_a_level_only_for_problems() {
    let folder = TestFolder::of_rows(&rows());
    let tables =
        ["proteins/biomes_id_lineage.tsv", "proteins/Pfam-A.clans.tsv.gz"].map(|name| project("data").join(name));
    let rows = folder.path().join("rows.csv");
    let [biomes, pfam] = &tables;
    let line =
        format!("mgdex index --portal {} --biomes {} --pfam {}", rows.display(), biomes.display(), pfam.display());
    let text = shown(&folder, 200, &line);
    assert!(text.contains("3 rows read, 3 accepted, 0 rejected") && !text.contains("INFO"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("published proteins/gen-")), "{text}");
    let warned = shown(&folder, 200, "mgdex search --pfam 99999 --format json");
    assert!(warned.starts_with("warning: PF99999 is not among"), "{warned}");
}
