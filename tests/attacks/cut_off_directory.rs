//! A directory that lost most of its lines in transfer would unlock accounts, since users that are
//! not listed are not locked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::json;
use support::TestFolder;
use support::machine::{Server, wait_for};
use support::profile_writers::{Access, Connection};

/// The number of users in addition to the locked one.
const NUM_OTHERS: u32 = 500;

fn load(data: &Path, name: &str, lines: impl AsRef<[u8]>, options: &[&str]) -> Output {
    let file: PathBuf = data.join(name);
    fs::write(&file, lines).expect("writable");
    let mut load = support::program();
    load.args(["directory", "load", "--data"]).arg(data).args(options).arg(&file).output().expect("the binary")
}

fn status(server: &Server, access: &Access) -> u16 {
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    connection.get("/my/profile", &access.searcher).expect("an answer").status
}

#[test]
fn truncated_directories_unlock_no_accounts() {
    let (folder, access) = (TestFolder::empty(), Access::new());
    let line =
        |user: &str, is_open| json!({"type": "user", "userReference": user, "accountNonLocked": is_open}).to_string();
    let mut lines: Vec<String> =
        (0..NUM_OTHERS).map(|number| line(&format!("usr-00000000-0000-4000-8000-{number:012}"), true)).collect();
    let (others, unsaid) = (lines.clone(), json!({"type": "user", "userReference": access.searcher_reference}));
    lines.push(line(&access.searcher_reference, false));
    let whole = lines.join("\n");
    assert!(load(folder.path(), "whole.jsonl", &whole, &[]).status.success());
    let server = access.start(folder.path());
    wait_for("the directory", || (status(&server, &access) == 401).then_some(()));
    let current = || fs::read_to_string(folder.path().join("directory/CURRENT")).expect("published");
    let before = current();

    for (name, text) in [
        ("one.jsonl", lines[0].clone()),
        ("two-fifths.jsonl", lines[..lines.len() * 2 / 5].join("\n")),
        ("without-the-last.jsonl", others.join("\n")),
        ("bytes.jsonl", whole[..whole.len() - 3].to_owned()),
        ("unsaid.jsonl", format!("{}\n{unsaid}\n", others.join("\n"))),
        ("null.jsonl", whole.replace("false", "null")),
        ("misspelt.jsonl", whole.replace("\"accountNonLocked\":false", "\"accountNonlocked\":false")),
    ] {
        let done = load(folder.path(), name, text, &[]);
        assert_eq!((done.status.code(), done.stdout.len()), (Some(1), 0), "{name}: {done:?}");
    }
    assert_eq!((status(&server, &access), current()), (401, before), "nothing has changed");

    // A user may allow it explicitly.
    assert!(load(folder.path(), "open.jsonl", whole.replace("false", "true"), &[]).status.success());
    wait_for("the account", || (status(&server, &access) == 200).then_some(()));
}
