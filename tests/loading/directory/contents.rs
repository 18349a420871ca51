//! Inputs of a directory and their contents.

use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use store_profiles::{DirectoryContents, Membership};

use crate::loading::directory::{Folder, acknowledged, domain, domain_line, user, user_line};

/// Returns the role of a user in a domain.
const fn membership(is_member: bool, is_manager: bool) -> Membership {
    Membership { is_member, is_manager }
}

/// Some users and domains.
fn lines() -> Vec<String> {
    vec![
        user_line(1, false),
        domain_line("a", &[1, 2, 2, 1], &[2, 3]),
        user_line(2, true),
        domain_line("b38d6175-61e8-4d40-98da-df9188d91c82", &[9], &[]),
        domain_line("empty", &[], &[]),
    ]
}

/// Returns all that is in a folder, itself included.
fn walk(path: PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(&path).into_iter().flatten().map(|entry| entry.expect("readable").path());
    let mut found: Vec<_> = entries.flat_map(walk).collect();
    found.push(path);
    found
}

#[test]
fn directories_are_readable_by_their_owner_only() {
    let folder = Folder::new();
    folder.load_lines(&lines());
    folder.load_lines(&lines());
    let rolled_back = support::program().args(["rollback", "directory", "--data"]).arg(folder.data()).output();
    assert!(rolled_back.expect("the binary").status.success());
    let paths = walk(folder.data().join("directory"));
    assert!(paths.len() > 5, "{paths:?}");
    for path in paths {
        let metadata = path.metadata().expect("readable");
        let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.mode() & 0o777, expected, "{}", path.display());
    }
}

/// Checks that a folder serves these.
fn assert_loaded(folder: &Folder) {
    let directory = folder.open();
    let contents = DirectoryContents { num_users: 2, num_locked: 1, num_domains: 3, num_memberships: 4 };
    assert_eq!(directory.contents(), &contents);
    assert!(!directory.is_locked(user(1)) && directory.is_locked(user(2)) && !directory.is_locked(user(9)));
    let of_a = [1, 2, 3, 9].map(|number| directory.membership(&domain("a"), user(number)));
    assert_eq!(
        of_a,
        [membership(true, false), membership(true, true), membership(false, true), membership(false, false)]
    );
    let other = domain("b38d6175-61e8-4d40-98da-df9188d91c82");
    assert_eq!(
        directory.membership(&other, user(9)),
        membership(true, false),
        "who has no line is a member all the same"
    );
    assert!(
        directory.has_domain(&other) && directory.has_domain(&domain("empty")) && !directory.has_domain(&domain("b"))
    );
}

#[test]
fn plain_gzip_zstd_and_standard_input_load_alike() {
    let text = lines().join("\n");
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    let compressed = [
        ("lines.jsonl", format!("\u{feff}{}\r\n\r\n", text.replace('\n', "\r\n")).into_bytes()),
        ("lines.jsonl.gz", encoder.finish().expect("memory")),
        ("lines.jsonl.zst", zstd::encode_all(text.as_bytes(), 1).expect("memory")),
    ];
    for (name, bytes) in &compressed {
        let folder = Folder::new();
        let report = folder.report_of(&acknowledged(&mut folder.load(folder.write(name, bytes))));
        assert_eq!((&report["num_read"], &report["num_rejected"]), (&json!(5), &json!(0)), "{name}");
        assert_loaded(&folder);
    }
    let folder = Folder::new();
    let mut child = folder.load("-").stdin(Stdio::piped()).spawn().expect("the program");
    child.stdin.take().expect("piped").write_all(&compressed[1].1).expect("read");
    let output = child.wait_with_output().expect("a child");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(folder.report_of(&output)["files"][0]["name"], "standard input");
    assert_loaded(&folder);
}

#[test]
fn loads_replace_the_whole_directory() {
    let folder = Folder::new();
    folder.load_lines(&lines());
    folder.load_lines(&[domain_line("other", &[1], &[])]);
    let directory = folder.open();
    assert!(!directory.has_domain(&domain("a")) && directory.has_domain(&domain("other")));
    assert!(!directory.is_locked(user(2)), "who has no line is not locked");
    assert_eq!(folder.generations().names().expect("readable").len(), 2, "the one before is kept");
}

#[test]
fn names_and_addresses_are_nowhere_in_the_data() {
    let folder = Folder::new();
    let lines = [user_line(1, false), domain_line("a", &[1], &[]), user_line(2, false).replace("usr-", "usr ")];
    acknowledged(folder.load(folder.write("lines.jsonl", lines.join("\n"))).args(["--max-rejects", "1"]));
    let current = folder.generations().current().expect("readable").expect("published");
    for entry in fs::read_dir(folder.generations().path(current)).expect("readable") {
        let path = entry.expect("readable").path();
        let text = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
        for part in ["login-", "example.org", "name-of-", "a description"] {
            assert!(!text.contains(part), "{part} is in {}", path.display());
        }
    }
}
