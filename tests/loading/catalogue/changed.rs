//! Adding to a catalogue and removing from it: the result answers as one load of everything does.

use std::path::PathBuf;
use std::process::Command;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use serde_json::{Value, json};
use store_catalogue::model::RESOURCE_TYPES;
use support::data;
use support::machine::{Server, rounds, seeded};

use crate::loading::catalogue::answers::{all_answers, assert_same};
use crate::loading::catalogue::{COLLECTIONS, Folder, acknowledged, refused, resource, resources, some_lines};

fn links() -> PathBuf {
    data("catalogue/links/study-publications.jsonl.gz")
}

/// Returns a command of the catalogue.
fn change<'a>(folder: &Folder, command: &str, arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut program = support::program();
    program.args(["catalogue", command, "--memory", "64M", "--data"]).arg(folder.data()).args(arguments);
    program
}

/// Returns some of the bundled rows.
fn some_rows() -> Vec<String> {
    let texts = COLLECTIONS.map(|(collection, _)| some_lines(collection, rounds(60, 500)));
    texts.iter().flat_map(|text| text.lines().map(str::to_owned)).collect()
}

#[test]
fn exports_of_all_types_load_as_the_same_catalogue() {
    let (first, second) = (Folder::new(), Folder::new());
    acknowledged(first.load([first.write_bundled()]).arg("--links").arg(links()));
    let step = rounds(50, 200);
    let expected = all_answers(&first.data(), step);
    let server = Server::start(&first.data());
    for suffixed in [false, true] {
        let mut exports = Vec::new();
        for known in RESOURCE_TYPES {
            let text = if suffixed {
                exported(&server, &format!("{}.ndjson", known.path))
            } else {
                expected[&format!("{}?format=ndjson", known.path)].1.clone()
            };
            exports.push(second.write(&format!("{}.ndjson", known.path), text));
        }
        acknowledged(&mut second.load(&exports));
        assert_same(&all_answers(&second.data(), step), &expected, &format!("suffixed: {suffixed}"));
    }
}

/// Returns the export of the server.
fn exported(server: &Server, path: &str) -> String {
    let (status, body) = server.get(&format!("/metagenomics/api/v1/{path}"));
    assert_eq!(status, 200, "{body}");
    body
}

#[test]
fn additions_answer_like_one_load_of_everything() {
    let (mut random, seed) = seeded();
    let rows = some_rows();
    let whole = Folder::new();
    for partition in 0..rounds(1, 4) {
        let context = format!("partition {partition}, seed {seed}");
        // The newest wins: some rows are repeated with changes, and the order of arrival breaks
        // ties.
        let mut rows = rows.clone();
        rows.shuffle(&mut random);
        let again = rows.iter().take(50).map(|row| changed(row, &mut random)).collect::<Vec<_>>();
        rows.extend(again);
        acknowledged(whole.load([whole.write("all.jsonl", rows.join("\n"))]).arg("--links").arg(links()));
        let expected = all_answers(&whole.data(), 7);

        let parts = Folder::new();
        let mut cuts = [random.random_range(1..rows.len() - 1), random.random_range(1..rows.len() - 1)];
        cuts.sort_unstable();
        let links_at = random.random_range(0..3);
        let pieces = [&rows[..cuts[0]], &rows[cuts[0]..cuts[1]], &rows[cuts[1]..]];
        for (number, piece) in
            pieces.into_iter().enumerate().filter(|(number, piece)| *number == 0 || !piece.is_empty())
        {
            let path = parts.write(&format!("{number}.jsonl"), piece.join("\n"));
            let mut command = if number == 0 { parts.load([path]) } else { parts.change("add", [path]) };
            if links_at == number {
                command.arg("--links").arg(links());
            }
            parts.report_of(&acknowledged(&mut command));
        }
        if links_at == 2 && pieces[2].is_empty() {
            continue;
        }
        assert_same(
            &all_answers(&parts.data(), 7),
            &expected,
            &format!("{context}, cuts {cuts:?}, links at {links_at}"),
        );
    }
}

/// Returns a row with another name and another time.
fn changed(row: &str, random: &mut impl Rng) -> String {
    let mut row: Value = serde_json::from_str(row).expect("JSON");
    let attributes = row["attributes"].as_object_mut().expect("attributes");
    let year = random.random_range(2010..2030);
    attributes.insert("last-update".to_owned(), json!(format!("{year}-01-01T00:00:00")));
    attributes.insert(format!("new-{}", random.random_range(0..3)), json!([1, year]));
    row.to_string()
}

#[test]
fn removed_additions_leave_no_trace() {
    let (mut random, seed) = seeded();
    let mut rows = some_rows();
    rows.shuffle(&mut random);
    let (before, after) = (Folder::new(), Folder::new());
    let num_added = rows.len() / 10;
    let (kept, added) = rows.split_at(rows.len() - num_added);
    let kept = before.write("kept.jsonl", kept.join("\n"));
    acknowledged(&mut before.load([&kept]));
    let expected = all_answers(&before.data(), 7);
    acknowledged(&mut after.load([&kept]));
    let added = after.write("added.jsonl", added.join("\n"));
    let report = after.report_of(&acknowledged(&mut after.change("add", [&added])));
    assert_eq!(report["num_accepted"], num_added);
    let report = after.report_of(&acknowledged(change(&after, "remove", []).arg("--from").arg(&added)));
    assert_eq!(report["num_removed"], num_added, "seed {seed}");
    assert_same(&all_answers(&after.data(), 7), &expected, &format!("seed {seed}"));
}

#[test]
fn removals_name_ambiguous_and_missing_accessions() {
    let folder = Folder::new();
    folder.load_lines(&[
        r#"{"type": "samples", "id": "X1", "attributes": {"biosample": "B1"}}"#,
        r#"{"type": "runs", "id": "X1", "relationships": {"sample": {"data": {"type": "samples", "id": "X1"}}}}"#,
        r#"{"type": "runs", "id": "X2"}"#,
    ]);
    let message = refused(&mut change(&folder, "remove", ["--accession", "X1"]));
    assert!(message.contains("X1 is an accession of runs and of samples: say which with --type"), "{message}");
    let message = refused(&mut change(&folder, "remove", ["--accession", "X9"]));
    assert!(message.contains("nothing to remove: the catalogue has none of X9"), "{message}");
    let message = refused(&mut change(&folder, "remove", ["--accession", "B1,X9", "--strict"]));
    assert!(message.contains("not in the catalogue: 1 resource to remove, such as X9"), "{message}");
    assert!(change(&folder, "remove", ["--accession", "X2", "--dry-run"]).output().expect("runs").status.success());
    assert_eq!(resources(&folder.open(), "runs").len(), 2, "a dry run publishes nothing");
    let report = folder.report_of(&acknowledged(&mut change(&folder, "remove", ["--accession", "B1,X9"])));
    assert_eq!((&report["num_removed"], &report["missing"]), (&json!(1), &json!({"samples": 1})));
    let run = resource(&folder.open(), "runs", "X1").expect("kept");
    assert_eq!(run["relationships"]["sample"]["data"]["id"], "X1", "what still refers to it is shown");
    let message = refused(&mut change(&folder, "remove", ["--accession", "X1,X2", "--type", "runs"]));
    assert!(message.contains("it would leave nothing"), "{message}");
}

#[test]
fn removals_of_more_than_half_are_refused() {
    let folder = Folder::new();
    let rows = |range: std::ops::Range<u32>| {
        range.map(|number| format!(r#"{{"type": "samples", "id": "ERS{number}"}}"#)).collect::<Vec<_>>().join("\n")
    };
    acknowledged(&mut folder.load([folder.write("all.jsonl", rows(0..20))]));
    let most = folder.write("most.jsonl", rows(0..11));
    let message = refused(change(&folder, "remove", []).arg("--from").arg(&most));
    assert!(message.contains("less than half") && message.contains("--allow-shrink"), "{message}");
    acknowledged(change(&folder, "remove", []).arg("--from").arg(&most).arg("--allow-shrink"));
    assert_eq!(resources(&folder.open(), "samples").len(), 9);
}

#[test]
fn links_are_merged_before_or_after_their_rows() {
    let study = |name: &str| {
        format!(
            r#"{{"type": "studies", "id": "MGYS1", "attributes": {{"study-name": "{name}"}}, "relationships": {{"publications": {{"links": {{"related": "{{base_url}}/metagenomics/api/v1/studies/MGYS1/publications"}}}}}}}}"#
        )
    };
    let links = r#"{"type": "studies", "id": "MGYS1", "attributes": {"centre-name": "here"}, "relationships": {"publications": {"data": [{"type": "publications", "id": "7"}]}}}"#;
    let folder = Folder::new();
    folder.load_lines(&[r#"{"type": "biomes", "id": "root:A"}"#]);
    let links = folder.write("links.jsonl", links);
    acknowledged(change(&folder, "add", []).arg("--links").arg(&links));
    for (name, row) in [
        ("study", study("old")),
        ("publication", r#"{"type": "publications", "id": "7"}"#.to_owned()),
        ("study", study("new")),
    ] {
        acknowledged(&mut folder.change("add", [folder.write(&format!("{name}.jsonl"), row)]));
    }
    let found = resource(&folder.open(), "studies", "MGYS1").expect("added");
    assert_eq!(
        (&found["attributes"]["study-name"], &found["attributes"]["centre-name"]),
        (&json!("new"), &json!("here"))
    );
    assert!(exported(&Server::start(&folder.data()), "studies/MGYS1/publications").contains(r#""id":"7""#));
    acknowledged(&mut change(&folder, "remove", ["--accession", "MGYS1"]));
    acknowledged(&mut folder.change("add", [folder.write("again.jsonl", study("again"))]));
    let found = resource(&folder.open(), "studies", "MGYS1").expect("added");
    assert_eq!(found["attributes"].get("centre-name"), None, "what is removed is removed with its links");
}
