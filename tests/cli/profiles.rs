//! Exporting, importing and erasing profiles.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use crate::cli::profile_server::{ask, serve};
use crate::cli::token::Keys;
use crate::cli::{run, run_on};
use support::TestFolder;
use support::program;

/// Three profiles, by reference.
const LINES: [&str; 3] = [
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000001","user":"usr-00000000-0000-4000-8000-000000000001","version":1,"attributes":{"name":"Ada","email":"a@example.org"}}"#,
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000002","domain":"dom-x","version":7,"schema":{"given":"{\"required\":[\"address\"]}"},"attributes":{"address":"ü \"\n"}}"#,
    r#"{"reference":"prf-00000000-0000-4000-8000-000000000003","user":"usr-00000000-0000-4000-8000-000000000002","version":2,"attributes":{}}"#,
];

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
        let (status, body) = ask(&server, &keys.good_token(), "GET", "/profiles/export", "");
        assert_eq!((status, body.lines().collect::<Vec<_>>()), (200, LINES.to_vec()));
    }
    let done = run_on(&folder, &["profiles", "export"]);
    assert_eq!(done.stdout.lines().collect::<Vec<_>>(), LINES, "{done:?}");
}
