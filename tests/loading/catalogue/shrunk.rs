//! Catalogues that have lost most of the current resources are published only if that is allowed.

use std::path::PathBuf;

use serde_json::json;

use crate::loading::catalogue::{Folder, acknowledged, refused, resources};

/// Returns the lines of some resources of each type.
fn lines(numbers: &[(&str, u32)]) -> String {
    let lines = numbers.iter().flat_map(|(resource_type, number)| {
        (0..*number).map(move |id| format!(r#"{{"type": "{resource_type}", "id": "{resource_type}-{id}"}}"#))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a folder with a catalogue, and the lines of the next.
fn folder(next: &[(&str, u32)]) -> (Folder, PathBuf) {
    let folder = Folder::new();
    folder.load_lines(&[&lines(&[("samples", 30), ("runs", 20), ("cogs", 9)])]);
    let input = folder.write("next.jsonl", lines(next));
    (folder, input)
}

#[test]
fn types_that_lost_more_than_half_are_refused_unless_allowed() {
    for (next, counted, more) in [
        (&[("samples", 14), ("runs", 20), ("cogs", 9)][..], "14 resources of type samples", ""),
        (&[("cogs", 9)], "0 resources of type runs", "; resources of type samples: 30 before, 0 now. "),
    ] {
        let (folder, input) = folder(next);
        let current = folder.generations().current().expect("readable").expect("published");
        let last_words = refused(&mut folder.load([&input]));
        let counted = format!("the new catalogue has {counted}, and the present one, {current}, has ");
        assert!(last_words.contains(&counted) && last_words.contains(more), "{counted}{more} is not in {last_words}");
        assert!(last_words.contains("Nothing was published") && last_words.contains("--allow-shrink"), "{last_words}");
        assert_eq!(folder.generations().current().expect("readable"), Some(current));
        assert_eq!(folder.leftovers(), [""; 0]);
        let report = folder.report_of(&acknowledged(folder.load([&input]).arg("--allow-shrink")));
        assert_eq!(report["warnings"], json!(null));
        assert_eq!(resources(&folder.open(), "cogs").len(), 9);
    }
}

#[test]
fn small_losses_are_warnings_and_all_differences_are_listed() {
    let (folder, input) = folder(&[("samples", 15), ("runs", 20), ("studies", 1)]);
    let current = folder.generations().current().expect("readable").expect("published");
    let message = refused(folder.load([&input]).arg("--strict"));
    assert!(
        message.contains("the new catalogue has 0 resources of type cogs") && message.contains("--strict"),
        "{message}"
    );
    let done = acknowledged(&mut folder.load([&input]));
    let log = String::from_utf8_lossy(&done.stderr).into_owned();
    for line in [
        "resources of type samples: 30 before, 15 now",
        "resources of type cogs: 9 before, 0 now",
        "resources of type studies: 0 before, 1 now",
        "WARN the new catalogue has 0 resources of type cogs",
    ] {
        assert!(log.contains(line), "{line} is not in {log}");
    }
    assert!(!log.contains("of type runs"), "unchanged numbers are not logged: {log}");
    let report = folder.report_of(&done);
    let numbers = report["changes"]["numbers"].as_array().expect("a list").clone();
    assert!(numbers.contains(&json!({"what": "resource", "of_type": "samples", "before": 30, "now": 15})), "{report}");
    assert_eq!((&report["changes"]["present"], numbers.len()), (&json!(current), 5));
}

#[test]
fn dry_runs_describe_the_publication_and_publish_nothing() {
    let (folder, input) = folder(&[("samples", 14), ("runs", 20)]);
    let current = folder.generations().current().expect("readable");
    let done = acknowledged(folder.load([&input]).args(["--dry-run", "--allow-shrink"]));
    assert!(String::from_utf8_lossy(&done.stdout).contains("ok      resources of type samples: 30 before, 14 now\n"));
    let bad = folder.write("bad.jsonl", lines(&[("samples", 30)]) + "\n{}\n");
    let done = folder.load([&bad]).args(["--dry-run", "--max-rejects", "0"]).output().expect("the program");
    let report = String::from_utf8(done.stdout).expect("text");
    assert!(done.status.code() == Some(1) && report.contains("BROKEN  rows: 1 bad row"), "{report}");
    let rejects =
        PathBuf::from(report.split("all that were seen are in ").nth(1).expect("a path").lines().next().expect("it"));
    assert!(rejects.is_file(), "{report}");
    std::fs::remove_dir_all(rejects.parent().expect("a folder")).expect("removable");
    assert_eq!(folder.generations().current().expect("readable"), current);
}
