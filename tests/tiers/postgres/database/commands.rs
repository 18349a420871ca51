//! `mgdex profiles` on a database.

use std::process::Output;

use support::postgres::{new_schema, run};
use support::{TestFolder, program};

const USER: &str = "usr-00000000-0000-4000-8000-000000000001";

/// Three profiles, by reference.
const LINES: [&str; 3] = [
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000001","user":"usr-00000000-0000-4000-8000-000000000001","version":1,"attributes":{"name":"Ada","email":"a@example.org"}}"#,
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000002","domain":"dom-x","version":7,"schema":{"given":"{\"required\":[\"address\"]}"},"attributes":{"address":"ü \"\n"}}"#,
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000003","user":"usr-00000000-0000-4000-8000-000000000002","version":2,"attributes":{}}"#,
];

/// Runs `mgdex profiles` on a database.
fn profiles(address: &str, arguments: &[&str]) -> Output {
    program().env("MGDEX_PROFILES", address).arg("profiles").args(arguments).output().expect("the binary")
}

/// Returns the output of a command that must succeed.
fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Returns the error message of a command that must fail.
fn failed(output: &Output) -> String {
    assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b""[..]), "{output:?}");
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Writes lines to a file, and returns its path.
fn file(folder: &TestFolder, name: &str, lines: &[&str]) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, lines.join("\n") + "\n").expect("writable");
    path.to_str().expect("text").to_owned()
}

#[test]
fn exports_are_imported_into_a_database_and_back() {
    let (folder, address) = (TestFolder::empty(), new_schema());
    let lines = file(&folder, "lines.jsonl", &LINES);
    assert_eq!(succeeded(&profiles(&address, &["import", &lines])), "3 profiles imported\n");
    let expected = LINES.join("\n") + "\n";
    assert_eq!(succeeded(&profiles(&address, &["export"])), expected);
    let backup = folder.path().join("backup.jsonl.zst");
    succeeded(&profiles(&address, &["export", backup.to_str().expect("text")]));
    let data = folder.path().join("data");
    let embedded = |command: &str| {
        let mut program = program();
        program.args(["profiles", command, "--data"]).arg(&data);
        program
    };
    succeeded(&embedded("import").arg(&backup).output().expect("the binary"));
    assert_eq!(succeeded(&embedded("export").output().expect("the binary")), expected);
    // Nothing is added to the existing profiles.
    let problem = failed(&profiles(&address, &["import", &lines]));
    assert!(problem.contains("3 profiles already"), "{problem}");
}

#[test]
fn bad_lines_are_named_and_nothing_is_imported() {
    let (folder, address) = (TestFolder::empty(), new_schema());
    let same_owner =
        LINES[0].replace("prf-00000000-0000-4000-8000-000000000001", "prf-00000000-0000-4000-8000-000000000009");
    let bad = file(&folder, "bad.jsonl", &[LINES[0], "5", LINES[1], LINES[0], "{", &same_owner]);
    let problem = failed(&profiles(&address, &["import", &bad]));
    for part in ["line 2: it is not", "line 4: the profile prf-", "line 5: it is not", "line 6: usr-", "4 bad lines"] {
        assert!(problem.contains(part), "{part}: {problem}");
    }
    assert_eq!(run(&address, "SELECT count(*) FROM profiles"), "0");
}

#[test]
fn profiles_are_erased_by_owner_and_the_erasure_is_logged() {
    let (folder, address) = (TestFolder::empty(), new_schema());
    let lines = file(&folder, "lines.jsonl", &LINES);
    succeeded(&profiles(&address, &["import", &lines]));
    let erased = succeeded(&profiles(&address, &["erase", USER]));
    assert_eq!(erased, "prf-00000000-0000-4000-8000-000000000001 erased\n");
    assert_eq!(succeeded(&profiles(&address, &["export"])), LINES[1..].join("\n") + "\n");
    let message = failed(&profiles(&address, &["erase", USER]));
    assert!(message.contains("has no profile"), "{message}");
    let message = failed(&profiles(&address, &["erase", "prf-00000000-0000-4000-8000-000000000001"]));
    assert!(message.contains("no such profile"), "{message}");
    let noted: serde_json::Value =
        serde_json::from_str(&run(&address, "SELECT line FROM profiles_audit")).expect("one line");
    assert_eq!((&noted["action"], &noted["owner"], &noted["actor"]), (&"erase".into(), &USER.into(), &().into()));
}

/// Servers have a setting for the time that lines are kept.
#[test]
fn commands_delete_no_lines_of_the_audit_log() {
    let (folder, address) = (TestFolder::empty(), new_schema());
    let lines = file(&folder, "lines.jsonl", &LINES);
    succeeded(&profiles(&address, &["import", &lines]));
    let old = "INSERT INTO profiles_audit (written_at, profile, line) VALUES ('1999-12-31', gen_random_uuid(), '{}')";
    run(&address, old);
    succeeded(&profiles(&address, &["erase", USER]));
    succeeded(&profiles(&address, &["export"]));
    assert_eq!(run(&address, "SELECT count(*) FROM profiles_audit"), "2");
}

#[test]
fn unreachable_databases_are_named() {
    let message = failed(&profiles("postgres://mgdex@127.0.0.1:1/mgdex?sslmode=disable", &["export"]));
    assert!(message.contains("unavailable"), "{message}");
}
