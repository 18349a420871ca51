//! Bad rows are skipped, counted, and named by file and line. They fail the load only if there are
//! too many or no good row is left.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::loading::catalogue::{Folder, acknowledged, resources};

/// Lines, each with the reason for which it is rejected, if it is.
const LINES: [(&str, Option<&str>); 16] = [
    (r#"{"type": "samples", "id": "ERS1"}"#, None),
    (r#"{"type": "samples", "id": "ERS2""#, Some("unreadable_json")),
    ("nonsense", Some("unreadable_json")),
    ("", None),
    ("[7]", Some("not_a_resource")),
    (r#"{"meta": {}}"#, Some("not_a_resource")),
    (r#"{"data": {"biomes": "https://a/metagenomics/api/v1/biomes"}}"#, Some("not_a_resource")),
    (r#"{"errors": [{"detail": "Not found.", "status": "404"}]}"#, Some("error_document")),
    (r#"{"type": ["samples"], "id": "ERS2"}"#, Some("bad_type")),
    (r#"{"type": "samples", "id": ""}"#, Some("bad_id")),
    (r#"{"type": "samples", "id": "a\tb"}"#, Some("bad_id")),
    (r#"{"type": "samples", "id": "ERS2", "attributes": []}"#, Some("bad_attributes")),
    (r#"{"type": "samples", "id": "ERS2", "relationships": {"biome": {"data": 7}}}"#, Some("bad_relationships")),
    (r#"{"type": "samples", "id": "ERS2", "links": {"self": 7}}"#, Some("bad_links")),
    (r#"{"data": [{"type": "samples", "id": "ERS3"}, {"type": "samples"}]}"#, Some("bad_id")),
    (r#"{"type": "samples", "id": "ERS4"}"#, None),
];

/// Returns file, line and reason of each row of a rejects file.
pub(crate) fn listed(path: &Path) -> Vec<(String, usize, String)> {
    let text = fs::read_to_string(path).expect("a rejects file");
    let cells = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    cells.map(|cells| (cells[0].to_owned(), cells[1].parse().expect("a line"), cells[2].to_owned())).collect()
}

#[test]
fn every_bad_row_is_named_and_the_others_are_loaded() {
    let folder = Folder::new();
    let lines = folder.write("lines.jsonl", LINES.map(|(line, _)| line).join("\n"));
    let torn = folder.write("torn.json", "{\n\"data\": [\n{\"type\": \"samples\", \"id\": \"ERS5\"},\n}\n");
    let pretty =
        folder.write("pretty.json", "{\n\"data\": [\n{\"type\": \"samples\",\n\"id\": \"ERS6\"},\n{\"id\":\n7}\n]}");
    let long = folder.write("long.jsonl", format!("{{\"type\": \"samples\", \"id\": \"{}\"}}\n", "x".repeat(2 << 20)));
    let head = folder
        .write("head.jsonl", "amples\", \"id\": \"ERS7\"}\n{\"type\": \"samples\", \"id\": \"ERS8\", \"links\": {}}\n");
    let output = acknowledged(&mut folder.load([&lines, &torn, &pretty, &long, &head]));
    let report = folder.report_of(&output);

    let name = |path: &Path| path.display().to_string();
    let numbered = (1..).zip(LINES).filter_map(|(line, (_, reason))| Some((name(&lines), line, reason?.to_owned())));
    let expected: Vec<_> = numbered
        .chain([
            (name(&torn), 1, "unreadable_json".to_owned()),
            (name(&pretty), 5, "bad_type".to_owned()),
            (name(&long), 1, "too_long".to_owned()),
            (name(&head), 1, "unreadable_json".to_owned()),
        ])
        .collect();
    let current = folder.generations().current().expect("readable").expect("published");
    assert_eq!(listed(&folder.generations().path(current).join("rejects.tsv")), expected);
    assert_eq!((&report["num_rejected"], &report["num_accepted"]), (&json!(expected.len()), &json!(5)));
    assert_eq!(report["files"][0]["rejected"]["bad_id"], 3);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("unreadable_json") && message.contains(&name(&lines)), "{message}");
    let ids: Vec<_> = resources(&folder.open(), "samples").iter().map(|sample| sample["id"].clone()).collect();
    assert_eq!(ids, ["ERS1", "ERS3", "ERS4", "ERS6", "ERS8"]);
}
