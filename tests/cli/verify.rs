//! Damaged data are found and named, and not served.

use std::fs::{self, File};

use crate::cli::{rows, run, run_on};
use support::generation::{current_folder, segment_file};
use support::machine::{Server, wait_for};
use support::{TestFolder, program};

#[test]
fn verify_lists_the_checked_data() {
    let folder = TestFolder::of_rows(&rows());
    folder.publish_rows(&rows());
    let done = run_on(&folder, &["verify"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done:?}");
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert!(
        lines.len() == 2 && lines.iter().all(|line| line.starts_with("ok") && line.contains("3 records")),
        "{done:?}"
    );
    let name = current_folder(&folder).file_name().expect("a name").to_string_lossy().into_owned();
    let marked: Vec<_> = lines.iter().filter(|line| line.contains("(current)")).collect();
    assert!(marked.len() == 1 && marked[0].contains(&name), "{done:?}");

    let done = run_on(&TestFolder::empty(), &["verify"]);
    assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
}

#[test]
fn an_unusable_folder_for_copies_is_not_reported_as_damage() {
    let folder = TestFolder::empty();
    folder.publish_catalogue(vec![folder.input("studies.jsonl", r#"{"type": "studies", "id": "MGYS1"}"#)]);
    let verify = |temporary: &str| {
        let temporary = folder.path().join(temporary);
        run(program().args(["verify", "--data"]).arg(folder.path()).env("TMPDIR", temporary))
    };
    assert_eq!(verify("").code, Some(0));
    for temporary in ["nowhere", "studies.jsonl"] {
        let done = verify(temporary);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
        assert!(done.stderr.contains("was not checked: ") && done.stderr.contains("TMPDIR"), "{done:?}");
    }
}

#[test]
fn torn_generations_are_refused_with_a_remedy() {
    let folder = TestFolder::of_rows(&rows());
    let path = segment_file(&folder, "store");
    let length = path.metadata().expect("there").len();
    File::options().write(true).open(&path).and_then(|file| file.set_len(length - 1)).expect("writable");
    for arguments in [&["show", "12"][..], &["search", "--pfam", "5"]] {
        let done = run_on(&folder, arguments);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{arguments:?}: {done:?}");
        for part in [&*current_folder(&folder).display().to_string(), "torn", "mgdex index", "CURRENT"] {
            assert!(done.stderr.contains(part), "{arguments:?}: {part} is not in {}", done.stderr);
        }
    }
    let server = Server::start(folder.path());
    assert!(server.log().contains("torn") && server.get("/readyz").0 == 503, "{}", server.log());
    let done = run_on(&folder, &["verify"]);
    assert!(done.code == Some(1) && done.stdout.starts_with("BROKEN"), "{done:?}");
}

#[test]
fn verify_names_a_missing_current_generation() {
    let folder = TestFolder::of_rows(&rows());
    folder.publish_rows(&rows());
    fs::remove_dir_all(current_folder(&folder)).expect("ours");
    let done = run_on(&folder, &["verify"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let name = current_folder(&folder).file_name().expect("a name").to_string_lossy().into_owned();
    assert!(format!("{}{}", done.stdout, done.stderr).contains(&name), "{done:?}");
}

#[test]
fn verify_survives_any_damage() {
    let folder = TestFolder::of_rows(&rows());
    folder.publish_rows(&rows());
    for extension in ["fast", "term", "idx", "store"] {
        let path = segment_file(&folder, extension);
        let whole = fs::read(&path).expect("readable");
        // The engine trusts the ends of its files more than their middles.
        for position in [0, whole.len() / 2, whole.len() - 5, whole.len() - 40] {
            let mut bytes = whole.clone();
            bytes[position] ^= 0xff;
            fs::write(&path, bytes).expect("writable");
            let done = run_on(&folder, &["verify"]);
            assert_eq!(done.code, Some(1), "{extension} {position}: {done:?}");
            assert!(done.stdout.contains(&path.display().to_string()), "{extension} {position}: {done:?}");
            assert_eq!(done.stdout.lines().filter(|line| line.starts_with("ok")).count(), 1, "{done:?}");
            let served = run_on(&folder, &["show", "12"]);
            assert!(served.code.is_some_and(|code| code < 2), "{extension} {position}: {served:?}");
        }
        fs::write(&path, whole).expect("writable");
    }
    assert_eq!(run_on(&folder, &["verify"]).code, Some(0));
}

#[test]
fn verify_checks_generations_despite_a_damaged_current() {
    let folder = TestFolder::of_rows(&rows());
    fs::write(folder.generations().root().join("CURRENT"), "nonsense").expect("writable");
    let done = run_on(&folder, &["verify"]);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(lines.len() == 2 && lines[0].starts_with("BROKEN") && lines[1].starts_with("ok"), "{done:?}");
}

#[test]
fn generations_without_a_current_one_are_reported_and_restored() {
    let folder = TestFolder::of_rows(&rows());
    fs::remove_file(folder.generations().root().join("CURRENT")).expect("there");
    let done = run_on(&folder, &["verify"]);
    assert!(done.code == Some(1) && done.stdout.starts_with("BROKEN") && done.stdout.contains("CURRENT"), "{done:?}");
    assert!(run_on(&folder, &["generations"]).stdout.contains("CURRENT is missing"));
    let searched = run_on(&folder, &["search", "--pfam", "1"]);
    assert!(searched.code == Some(1) && searched.stderr.contains("`mgdex rollback proteins --data"), "{searched:?}");
    let server = Server::start(folder.path());
    assert!(server.log().contains(" WARN CURRENT is missing"), "{}", server.log());
    // Without naming the data: only one kind has a generation to return to.
    assert_eq!(run_on(&folder, &["rollback"]).code, Some(0));
    wait_for("the generation", || server.get("/readyz").1.contains("\"proteins\":{\"status\":\"ready\"").then_some(()));
    assert_eq!(run_on(&folder, &["verify"]).code, Some(0));
}

#[test]
fn the_demo_keeps_generations_without_a_current_one() {
    let folder = TestFolder::of_rows(&rows());
    let before = folder.generations().names().expect("readable");
    fs::remove_file(folder.generations().root().join("CURRENT")).expect("there");
    let done = run_on(&folder, &["--listen", "127.0.0.1:0"]);
    assert!(done.code == Some(1) && done.stderr.contains("`mgdex rollback proteins --data"), "{done:?}");
    assert_eq!(folder.generations().names().expect("readable"), before);
}
