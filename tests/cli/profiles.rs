//! Serving profiles with keys, SIGHUP, backup and the way back.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use crate::cli::token::{Keys, USER};
use crate::cli::{run, run_on};
use support::TestFolder;
use support::machine::{Server, read_answer, wait_for};
use support::program;

/// Three profiles, by reference.
const LINES: [&str; 3] = [
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000001","user":"usr-00000000-0000-4000-8000-000000000001","version":1,"attributes":{"name":"Ada","email":"a@example.org"}}"#,
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000002","domain":"dom-x","version":7,"schema":{"given":"{\"required\":[\"address\"]}"},"attributes":{"address":"ü \"\n"}}"#,
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000003","user":"usr-00000000-0000-4000-8000-000000000002","version":2,"attributes":{}}"#,
];

/// Starts a server with a key.
fn serve(folder: &TestFolder, keys: &Keys, more: &[&str]) -> Server {
    let mut command = program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--jwt-key"]).arg(&keys.public).arg("--data").arg(folder.path());
    Server::of_command(command.args(more))
}

/// Sends a GET request with a token.
fn get(server: &Server, path: &str, token: &str) -> (u16, String) {
    let mut stream = server.connect();
    write!(stream, "GET {path} HTTP/1.0\r\nhost: mgdex.test\r\nauthorization: Bearer {token}\r\n\r\n")
        .expect("the server reads");
    read_answer(&mut stream)
}

/// Sends SIGHUP, and waits until the log shows the result.
fn hang_up(server: &Server, expected: &str) {
    let num_before = server.log().matches(expected).count();
    let sent = Command::new("sh").args(["-c", "kill -HUP \"$0\"", &server.id().to_string()]).status();
    assert!(sent.expect("a shell").success());
    wait_for(expected, || (server.log().matches(expected).count() > num_before).then_some(()));
}

/// Imports lines from standard input.
fn import(folder: &TestFolder, lines: &str) -> crate::cli::Done {
    let path = folder.path().join("lines.jsonl");
    fs::write(&path, lines).expect("writable");
    let input = Stdio::from(fs::File::open(path).expect("readable"));
    run(program().args(["profiles", "import", "--data"]).arg(folder.path()).stdin(input))
}

#[test]
fn exports_are_imported_into_another_store() {
    let text = LINES.join("\n") + "\n";
    let first = TestFolder::empty();
    let done = import(&first, &text);
    assert_eq!((done.code, &*done.stdout), (Some(0), "3 profiles imported\n"), "{done:?}");
    let done = run_on(&first, &["profiles", "export"]);
    assert_eq!((done.code, &done.stdout), (Some(0), &text), "{done:?}");

    for name in ["backup.jsonl", "backup.jsonl.gz", "backup.jsonl.zst"] {
        let path = first.path().join(name);
        let file = path.to_str().expect("text");
        let done = run_on(&first, &["profiles", "export", file]);
        assert_eq!((done.code, &*done.stdout), (Some(0), ""), "{done:?}");
        let second = TestFolder::empty();
        let done = run_on(&second, &["profiles", "import", file]);
        assert_eq!((done.code, &*done.stdout), (Some(0), "3 profiles imported\n"), "{done:?}");
        assert_eq!(run_on(&second, &["profiles", "export", "-"]).stdout, text);
    }
    let mut unpacked = String::new();
    let packed = fs::File::open(first.path().join("backup.jsonl.gz")).expect("there");
    MultiGzDecoder::new(packed).read_to_string(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, text);
    assert_eq!(fs::read_to_string(first.path().join("backup.jsonl")).expect("text"), text);
}

#[test]
fn bad_lines_fail_an_import_and_change_nothing() {
    let folder = TestFolder::empty();
    let same_owner =
        LINES[0].replace("prf-00000000-0000-4000-8000-000000000001", "prf-00000000-0000-4000-8000-000000000009");
    let unfit = LINES[1]
        .replace(r#""address":"#, r#""street":"#)
        .replace("dom-x", "dom-y")
        .replace("000000000002", "000000000008");
    let bad = [LINES[0], "5", LINES[1], LINES[0], "{", &same_owner, &unfit, LINES[2]].join("\n");
    let done = import(&folder, &bad);
    assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
    for expected in [
        "line 2: it is not a profile",
        "line 4: the profile prf-",
        "line 5: it is not a profile",
        "line 6: usr-",
        "line 7: its attributes do not conform",
        "5 bad lines",
    ] {
        assert!(done.stderr.contains(expected), "{expected}: {}", done.stderr);
    }
    let done = import(&folder, &"nonsense\n".repeat(1000));
    assert_eq!(done.code, Some(1));
    for number in 1..=1000 {
        assert!(done.stderr.contains(&format!("line {number}: it is not a profile")), "{number}: {}", done.stderr);
    }
    assert!(done.stderr.ends_with(" has 1000 bad lines: nothing was imported\n"), "{}", done.stderr);

    let done = import(&folder, &LINES.join("\n"));
    assert_eq!(
        (done.code, &*done.stdout),
        (Some(0), "3 profiles imported\n"),
        "nothing of the others is there: {done:?}"
    );
    let done = import(&folder, LINES[0]);
    assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
    assert!(done.stderr.contains("3 profiles already"), "{}", done.stderr);
    assert_eq!(run_on(&folder, &["profiles", "export"]).stdout.lines().count(), 3);
}

#[test]
fn erased_profiles_are_logged_without_values() {
    let folder = TestFolder::empty();
    import(&folder, &LINES.join("\n"));
    let done = run_on(&folder, &["profiles", "erase", "dom-x"]);
    let reference = "prf-00000000-0000-4000-8000-000000000002";
    assert_eq!((done.code, &*done.stdout), (Some(0), &*format!("{reference} erased\n")), "{done:?}");
    assert_eq!(run_on(&folder, &["profiles", "export"]).stdout, [LINES[0], LINES[2], ""].join("\n"));
    for (subject, problem) in [("dom-x", "dom-x has no profile"), (reference, reference), ("usr-1", "usr-<uuid>")] {
        let done = run_on(&folder, &["profiles", "erase", subject]);
        assert!(done.code != Some(0) && done.stderr.contains(problem), "{done:?}");
    }
    let log = fs::read_to_string(folder.path().join("profiles-audit.jsonl")).expect("a log");
    let line: Value = serde_json::from_str(&log).expect("one line");
    let members = ["actor", "action", "profile", "owner", "keys", "outcome"].map(|name| line[name].clone());
    assert_eq!(Value::from(members.to_vec()), serde_json::json!([null, "erase", reference, "dom-x", [], 204]));
}

#[test]
fn exports_do_not_create_a_store() {
    let folder = TestFolder::empty();
    let [profiles, file] = ["profiles", "backup.jsonl"].map(|name| folder.path().join(name));
    let check_refused = || {
        for more in [&[][..], &["--skip-damaged"], &[file.to_str().expect("text")]] {
            let done = run_on(&folder, &[&["profiles", "export"][..], more].concat());
            assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
            for expected in ["there are no profiles in", folder.path().to_str().expect("text"), "profiles import"] {
                assert!(done.stderr.contains(expected), "{expected}: {}", done.stderr);
            }
            assert!(!file.is_file(), "nothing is written");
        }
    };
    check_refused();
    assert!(!profiles.is_dir(), "nothing is made");
    fs::create_dir(&profiles).expect("new");
    check_refused();
    fs::write(profiles.join("LOCK"), "").expect("writable");
    check_refused();
    let names = fs::read_dir(&profiles).expect("readable").map(|entry| entry.expect("an entry").file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["LOCK"], "nothing is made");
}

/// Damages the record of a line in a closed store so that the engine does not notice.
///
/// A record ends with the line and a CRC-32 of it, and the engine has one over more than that.
/// Adding the polynomial of the CRC-32 to any bytes keeps a checksum over them. These are the last
/// byte of the line and the checksum of the record, which stores it the other way round.
fn damage(folder: &TestFolder, line: &str) {
    let path = folder.path().join("profiles/db/db");
    let mut bytes = fs::read(&path).expect("the engine's file");
    let places = bytes.windows(line.len()).enumerate().filter(|(_, window)| *window == line.as_bytes());
    let ends: Vec<usize> = places.map(|(place, _)| place + line.len()).collect();
    assert!(!ends.is_empty());
    for end in ends {
        for (byte, term) in bytes[end - 1..].iter_mut().zip([0x41, 0x06, 0x71, 0xdb, 0x01]) {
            *byte ^= term;
        }
    }
    fs::write(&path, bytes).expect("writable");
}

#[test]
fn damaged_profiles_fail_an_export_or_are_skipped() {
    let folder = TestFolder::empty();
    assert_eq!(import(&folder, &LINES.join("\n")).code, Some(0));
    let path = folder.path().join("backup.jsonl");
    let file = path.to_str().expect("text");
    let done = run_on(&folder, &["profiles", "export", "--skip-damaged", file]);
    assert_eq!((done.code, &*done.stdout), (Some(0), ""), "nothing is damaged: {done:?}");
    let whole = fs::read_to_string(&path).expect("text");
    assert_eq!(whole.lines().collect::<Vec<_>>(), LINES);
    damage(&folder, LINES[0]);
    damage(&folder, LINES[2]);

    for file in [file, "-"] {
        let done = run_on(&folder, &["profiles", "export", file]);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
        for expected in ["prf-00000000-0000-4000-8000-000000000001 is damaged", "--skip-damaged"] {
            assert!(done.stderr.contains(expected), "{expected}: {}", done.stderr);
        }
    }
    assert_eq!(fs::read_to_string(&path).expect("text"), whole, "the file of before is there still");

    let to_output = run_on(&folder, &["profiles", "export", "--skip-damaged"]);
    let to_file = run_on(&folder, &["profiles", "export", file, "--skip-damaged"]);
    let sound = format!("{}\n", LINES[1]);
    assert_eq!((&*to_output.stdout, &*to_file.stdout), (&*sound, ""));
    assert_eq!(fs::read_to_string(&path).expect("text"), sound);
    for done in [to_output, to_file] {
        assert_eq!(done.code, Some(1), "{done:?}");
        for number in [1, 3] {
            let named = format!("left out: the profile prf-00000000-0000-4000-8000-00000000000{number} is damaged\n");
            assert_eq!(done.stderr.matches(&named).count(), 1, "{}", done.stderr);
        }
        let last = done.stderr.lines().last().expect("a line");
        assert!(last.starts_with("mgdex: 2 damaged profiles are missing: 1 profiles are in "), "{last}");
    }
    let second = TestFolder::empty();
    let done = run_on(&second, &["profiles", "import", file]);
    assert_eq!((done.code, &*done.stdout), (Some(0), "1 profiles imported\n"), "{done:?}");
}

#[test]
fn impossible_exports_and_imports_are_refused() {
    let folder = TestFolder::empty();
    let done = run_on(&folder, &["profiles", "import", "missing.jsonl"]);
    assert!(done.code == Some(1) && done.stderr.contains("missing.jsonl"), "{done:?}");
    assert_eq!(import(&folder, LINES[0]).code, Some(0));
    let done = run_on(&folder, &["profiles", "export", "/dev/null"]);
    assert!(done.code == Some(1) && done.stderr.contains("/dev/null"), "{done:?}");
    assert!(!fs::metadata("/dev/null").expect("a device").is_file());
    let done = run_on(&folder, &["profiles", "export", "/missing/backup.jsonl"]);
    assert!(done.code == Some(1) && done.stderr.contains("/missing/backup.jsonl"), "{done:?}");
}

#[test]
fn without_keys_no_store_is_opened_and_the_log_gives_the_reason() {
    let folder = TestFolder::empty();
    let mut server =
        Server::of_command(program().args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path()));
    assert!(server.log().contains("401") && server.log().contains("--jwt-key"), "{}", server.log());
    assert_eq!(server.get("/my/profile").0, 401);
    hang_up(&server, "SIGHUP");
    assert_eq!(server.get("/healthz").0, 200, "SIGHUP ends nothing");
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0, "nothing is made");
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn bad_keys_prevent_a_server_from_starting() {
    let folder = TestFolder::empty();
    let keys = Keys::new(&folder, "a");
    let started = |key: &std::path::Path| {
        run(program().args(["serve", "--listen", "127.0.0.1:0", "--jwt-key"]).arg(key).arg("--data").arg(folder.path()))
    };
    for (key, expected) in [(&keys.private, "a private key"), (&folder.path().join("missing.pem"), "cannot read")] {
        let done = started(key);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
        assert!(done.stderr.contains(expected) && done.stderr.contains(key.to_str().expect("text")), "{done:?}");
    }
    assert!(!folder.path().join("profiles").is_dir());
}

#[test]
fn sighup_rereads_keys_and_reopens_the_audit_log() {
    let folder = TestFolder::empty();
    let [old, new] = ["old", "new"].map(|name| Keys::new(&folder, name));
    let (old_token, new_token) = (old.good_token(), new.good_token());
    let server = serve(&folder, &old, &[]);
    let (status, body) = get(&server, "/my/profile", &old_token);
    let profile: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!((status, &profile["user"]["userReference"]), (200, &USER.into()), "{body}");
    assert_eq!(get(&server, "/my/profile", &new_token).0, 401);
    let audit = folder.path().join("profiles-audit.jsonl");
    let text = wait_for("the line of the first read, which makes the profile", || {
        fs::read_to_string(&audit).ok().filter(|text| text.ends_with('\n'))
    });
    assert!(text.contains("\"provision\"") && text.contains(USER) && !text.contains("k@example.org"), "{text}");

    let whole = fs::read(&old.public).expect("there");
    fs::write(&old.public, "half").expect("writable");
    hang_up(&server, "the previous keys stay in use");
    assert_eq!(get(&server, "/my/profile", &old_token).0, 200);
    fs::write(&old.public, whole).expect("writable");

    fs::copy(&new.public, &old.public).expect("writable");
    fs::rename(&audit, folder.path().join("moved.jsonl")).expect("there");
    hang_up(&server, "the audit log was opened again");
    assert_eq!(get(&server, "/my/profile", &old_token).0, 401);
    assert_eq!(get(&server, "/my/profile", &new_token).0, 200);
    assert!(audit.is_file());
}

#[test]
fn the_audit_log_can_be_standard_output_and_tokens_must_name_the_issuer() {
    let folder = TestFolder::empty();
    let keys = Keys::new(&folder, "a");
    let server = serve(&folder, &keys, &["--audit-log", "-", "--jwt-issuer", "https://i"]);
    assert_eq!(get(&server, "/my/profile", &keys.good_token()).0, 401);
    let token = keys.token(&["--sub", USER, "--issuer", "https://i"]).stdout;
    assert_eq!(get(&server, "/my/profile", token.trim_end()).0, 200);
    wait_for("the line", || server.stdout().contains("\"provision\"").then_some(()));
    assert!(!folder.path().join("profiles-audit.jsonl").is_file());
}

#[test]
fn commands_beside_a_running_server_suggest_a_remedy() {
    let folder = TestFolder::empty();
    assert_eq!(import(&folder, &LINES.join("\n")).code, Some(0));
    let keys = Keys::new(&folder, "a");
    let done = run_on(&folder, &["verify"]);
    assert!(done.code == Some(0) && done.stdout.contains("ok      profiles: 3 profiles"), "{done:?}");
    {
        let server = serve(&folder, &keys, &[]);
        for arguments in [&["profiles", "export"][..], &["profiles", "import", "-"]] {
            let done = run_on(&folder, arguments);
            assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
            assert!(done.stderr.contains("GET /profiles/export"), "{}", done.stderr);
        }
        let done = run_on(&folder, &["verify"]);
        assert!(done.code == Some(0) && done.stdout.contains("in use  profiles"), "{done:?}");
        let (status, body) = get(&server, "/profiles/export", &keys.good_token());
        assert_eq!((status, body.lines().collect::<Vec<_>>()), (200, LINES.to_vec()));
    }
    let done = run_on(&folder, &["profiles", "export"]);
    assert_eq!(done.stdout.lines().collect::<Vec<_>>(), LINES, "{done:?}");
}
