//! Bad lines are skipped, counted, and named by file and line. They fail the load only if there are
//! too many or no good line is left.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::loading::directory::{Folder, acknowledged, domain_line, refused, user, user_line};

/// A reference of a user.
const USER: &str = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4";

/// Lines, each with the reason for which it is rejected, if it is.
fn lines() -> Vec<(String, Option<&'static str>)> {
    let user = |fields: &str| format!(r#"{{"type":"user","userReference":"{USER}"{fields}}}"#);
    let domain = |fields: &str| format!(r#"{{"type":"domain","domainReference":"dom-a"{fields}}}"#);
    vec![
        (user_line(1, true), None),
        ("nonsense".to_owned(), Some("unreadable_json")),
        (user(","), Some("unreadable_json")),
        (" \t".to_owned(), None),
        ("[7]".to_owned(), Some("not_an_object")),
        ("{}".to_owned(), Some("bad_type")),
        (user("").replace("user\"", "group\""), Some("bad_type")),
        (user("").replace("usr-", "usr-0"), Some("bad_reference")),
        (r#"{"type":"domain"}"#.to_owned(), Some("bad_reference")),
        (domain(r#","users":["dom-a"]"#), Some("bad_reference")),
        (domain(r#","users":{}"#), Some("bad_field")),
        (domain(r#","domainName":7"#), Some("bad_field")),
        (user(""), Some("bad_field")),
        (user(r#","accountNonLocked":null"#), Some("bad_field")),
        (user(r#","accountNonLocked":"false""#), Some("bad_field")),
        (user(r#","email":"a","email":"b""#), Some("bad_field")),
        (user(r#","accountNonLocked":true,"unknown":[1],"unknown":2"#), None),
        (domain(""), None),
    ]
}

/// Returns line and reason of each row of a rejects file.
fn listed(path: &Path, input: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).expect("a rejects file");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert!(cells.len() == 5 && cells[0] == input.display().to_string() && !cells[3].is_empty(), "{line}");
        assert_eq!(cells[4], "", "the text of a line is about persons");
        (cells[1].parse().expect("a line"), cells[2].to_owned())
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn every_bad_line_is_named_and_the_others_are_loaded() {
    let folder = Folder::new();
    let text = lines().into_iter().map(|(line, _)| line).collect::<Vec<_>>().join("\n");
    let input = folder.write("lines.jsonl", text);
    let output = acknowledged(folder.load(&input).args(["--max-rejects", "15"]));
    let report = folder.report_of(&output);
    let numbered = (1..).zip(lines());
    let expected: Vec<_> = numbered.filter_map(|(line, (_, reason))| Some((line, reason?.to_owned()))).collect();
    let current = folder.generations().current().expect("readable").expect("published");
    assert_eq!(listed(&folder.generations().path(current).join("rejects.tsv"), &input), expected);
    assert_eq!((&report["num_rejected"], &report["num_accepted"]), (&json!(expected.len()), &json!(3)));
    assert_eq!(report["files"][0]["rejected"]["bad_reference"], 3);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("bad_reference") && message.contains(&input.display().to_string()), "{message}");
    let directory = folder.open();
    assert!(directory.is_locked(user(1)) && !directory.is_locked(USER.parse().expect("a reference")));
    assert_eq!((directory.contents().num_users, directory.contents().num_domains), (2, 1));
}

#[test]
fn bad_lines_do_not_replace_good_ones() {
    let folder = Folder::new();
    let bad = domain_line("a", &[2], &[]).replace("\"ROLE_x\"", "\"ROLE_x\",\"managers\":[7]");
    let input = folder.write("lines.jsonl", format!("{}\n{bad}\n", domain_line("a", &[1], &[])));
    acknowledged(folder.load(&input).args(["--max-rejects", "1"]));
    let directory = folder.open();
    let [one, two] =
        [1, 2].map(|number| directory.membership(&crate::loading::directory::domain("a"), user(number)).is_member);
    assert!(one && !two);
}

#[test]
fn empty_loads_fail_and_publish_nothing() {
    let folder = Folder::new();
    folder.load_lines(&[user_line(1, false)]);
    let current = folder.generations().current().expect("readable");
    let bad = folder.write("bad.jsonl", "{}\n[]\n");
    let message = refused(folder.load(&bad).args(["--max-rejects", "2"]));
    assert!(message.contains(&format!("{}, line 1: bad_type", bad.display())), "{message}");
    let kept = folder.generations().root().join("rejects-of-last-failed-run.tsv");
    assert!(message.contains(&kept.display().to_string()) && listed(&kept, &bad).len() == 2, "{message}");
    let empty = folder.write("empty.jsonl", "\n");
    assert!(refused(&mut folder.load(&empty)).contains("nothing to load"));
    assert!(refused(&mut folder.load(empty.with_file_name("missing.jsonl"))).contains("missing.jsonl"));
    assert_eq!(folder.generations().current().expect("readable"), current);
    assert_eq!(folder.leftovers(), [""; 0]);
}
