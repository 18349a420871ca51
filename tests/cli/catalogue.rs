//! Loading a catalogue prints the new generation, reads settings from all sources, and is checked
//! by `verify`.

use std::fs;

use crate::cli::{rows, run, run_on};
use support::TestFolder;
use support::program;

/// Two resources.
const LINES: &str = "{\"type\": \"samples\", \"id\": \"ERS1\"}\n{\"type\": \"runs\", \"id\": \"ERR1\"}\n";

#[test]
fn load_prints_the_folder_of_the_generation_and_verify_checks_it() {
    let folder = TestFolder::of_rows(&rows());
    let input = folder.path().join("lines.jsonl");
    fs::write(&input, LINES).expect("writable");
    let done = run(program()
        .args(["catalogue", "load", "--memory", "64M", "--threads", "1"])
        .arg(&input)
        .arg("--data")
        .arg(folder.path()));
    assert_eq!(done.code, Some(0), "{done:?}");
    let name = done.stdout.trim_end().rsplit('/').next().expect("a path").to_owned();
    assert_eq!(done.stdout, format!("{}\n", folder.path().join("catalogue").join(&name).display()));
    assert!(done.stderr.contains("2 rows read, 2 accepted, 0 rejected"), "{}", done.stderr);
    assert!(done.stderr.contains("3 resources stored: 1 biome, 1 run, 1 sample"), "{}", done.stderr);

    let verified = run_on(&folder, &["verify"]);
    assert_eq!((verified.code, &*verified.stderr), (Some(0), ""), "{verified:?}");
    let expected = format!(
        "ok      catalogue/{name} (current): 3 resources, 3 types; checked the database, which has no sealed copy"
    );
    let lines: Vec<&str> = verified.stdout.lines().collect();
    assert!(lines.len() == 2 && lines[0].starts_with("ok      proteins/") && lines[1] == expected, "{verified:?}");
}

#[test]
fn load_and_verify_report_broken_links() {
    let folder = TestFolder::empty();
    let input = folder.path().join("lines.jsonl");
    let run = |id: &str| {
        format!(
            r#"{{"type": "runs", "id": "{id}", "relationships": {{"sample": {{"data": {{"type": "samples", "id": "ERS9"}}}}, "study": {{"data": {{"type": "studies", "id": "{id}"}}}}}}}}"#
        )
    };
    fs::write(&input, format!("{}\n{}\n{LINES}", run("ERR2"), run("ERR3"))).expect("writable");
    let done = crate::cli::run(program().args(["catalogue", "load"]).arg(&input).arg("--data").arg(folder.path()));
    let expected = "3 resources named by others but not loaded: 1 sample, 2 studies";
    assert!(done.code == Some(0) && done.stderr.contains(expected), "{done:?}");
    let verified = run_on(&folder, &["verify"]);
    assert_eq!(verified.code, Some(0), "nothing is damaged: {verified:?}");
    assert!(
        verified
            .stdout
            .ends_with(&format!("5 resources, 3 types, {expected}; checked the database, which has no sealed copy\n")),
        "{verified:?}"
    );
}
