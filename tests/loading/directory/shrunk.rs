//! Directories that have lost most of the current entries are published only if that is allowed.

use std::path::PathBuf;

use serde_json::json;

use crate::loading::directory::{Folder, acknowledged, domain_line, refused, user, user_line};

/// The users of the current directory, of whom the first five are locked.
const NUM_USERS: u32 = 40;

/// Returns the lines of some users, and of some domains.
fn lines(users: impl IntoIterator<Item = u32>, num_domains: u32) -> Vec<String> {
    let users = users.into_iter().map(|number| user_line(number, number < 5));
    users.chain((0..num_domains).map(|number| domain_line(&number.to_string(), &[number], &[]))).collect()
}

/// Returns a folder with a directory, and one of the lines of the next.
fn folder(next: &[String]) -> (Folder, PathBuf) {
    let folder = Folder::new();
    folder.load_lines(&lines(0..NUM_USERS, 8));
    let input = folder.write("next.jsonl", next.join("\n"));
    (folder, input)
}

#[test]
fn directories_that_lost_more_than_half_are_refused_unless_allowed() {
    for (next, problem) in [
        (lines(0..19, 8), "the new directory has 19 users, and the present one, gen-"),
        (lines(0..40, 3), "the new directory has 3 domains, and the present one, gen-"),
        (lines(0..40, 0), "the new directory has 0 domains, and the present one, gen-"),
        (lines(3..40, 8), "the new directory does not have 3 of the 5 locked users of the present one, gen-"),
    ] {
        let (folder, input) = folder(&next);
        let current = folder.generations().current().expect("readable");
        let last_words = refused(&mut folder.load(&input));
        for part in [problem, "Nothing was published", "--allow-shrink"] {
            assert!(last_words.contains(part), "{part} is not in {last_words}");
        }
        assert_eq!(folder.generations().current().expect("readable"), current);
        assert_eq!(folder.leftovers(), [""; 0]);
        let report = folder.report_of(&acknowledged(folder.load(&input).arg("--allow-shrink")));
        assert_eq!(report["warnings"], json!(null), "it was meant");
        assert_ne!(folder.generations().current().expect("readable"), current);
    }
}

#[test]
fn losses_up_to_half_are_reported_and_missing_locks_are_warnings() {
    let unlocked = lines([], 4).into_iter().chain((0..20).map(|number| user_line(number, false))).collect();
    for (next, logged, warnings) in [
        (
            unlocked,
            vec!["users: 40 before, 20 now", "locked users: 5 before, 0 now, 0 of the previous ones missing"],
            0,
        ),
        (lines(2..40, 8), vec!["locked users: 5 before, 3 now, 2 of the previous ones missing"], 1),
        (lines(0..40, 8), vec![], 0),
    ] {
        let (folder, input) = folder(&next);
        let current = folder.generations().current().expect("readable").expect("published");
        let strict = folder.load(&input).arg("--strict").output().expect("the program");
        assert_eq!(strict.status.code(), Some(i32::from(warnings > 0)), "{strict:?}");
        if warnings > 0 {
            let last_words = String::from_utf8_lossy(&strict.stderr).into_owned();
            let expected = "the new directory does not have 2 of the 5 locked users of the present one, gen-";
            assert!(last_words.contains(expected) && last_words.contains("--strict"), "{last_words}");
            assert_eq!(folder.generations().current().expect("readable"), Some(current));
            let done = acknowledged(&mut folder.load(&input));
            assert!(String::from_utf8_lossy(&done.stderr).contains(" WARN "), "{done:?}");
            assert_eq!(folder.report_of(&done)["warnings"].as_array().map(Vec::len), Some(warnings));
        } else {
            let log = String::from_utf8_lossy(&strict.stderr).into_owned();
            assert!(logged.iter().all(|line| log.contains(line)), "{log}");
            let report = folder.report_of(&strict);
            assert_eq!(report["changes"]["present"], json!(current));
            let numbers = report["changes"]["numbers"].as_array().expect("a list");
            assert_eq!(
                numbers.iter().map(|number| &number["what"]).collect::<Vec<_>>(),
                ["user", "locked user", "domain"]
            );
            assert_eq!(numbers[0]["before"], NUM_USERS);
            assert_eq!(
                log.lines().filter(|line| line.contains(" before, ")).count(),
                if logged.is_empty() { 0 } else { 3 }
            );
        }
    }
    assert!(!Folder::new().load_lines(&lines(0..1, 0)).to_string().contains("gen-"), "nothing to compare with");
}

#[test]
fn replaced_locked_users_are_compared_by_identity() {
    let others = (50..55).map(|number| user_line(number, true));
    let (folder, input) = folder(&lines(5..40, 8).into_iter().chain(others).collect::<Vec<_>>());
    let message = refused(&mut folder.load(&input));
    assert!(message.contains("does not have 5 of the 5 locked users"), "{message}");
    assert!(folder.open().is_locked(user(0)));
}

#[test]
fn dry_runs_describe_the_publication_and_publish_nothing() {
    let (folder, input) = folder(&lines(2..40, 3));
    let current = folder.generations().current().expect("readable");
    let before = std::fs::read_dir(folder.data().join("directory")).expect("there").count();
    let dry_run = |options: &[&str]| {
        let done = folder.load(&input).arg("--dry-run").args(options).output().expect("the program");
        (done.status.code(), String::from_utf8(done.stdout).expect("text"), done.stderr)
    };
    let (code, report, _) = dry_run(&[]);
    assert_eq!(code, Some(1), "{report}");
    for line in [
        "ok      rows: 41 read, 41 accepted, 0 rejected",
        "ok      users: 40 before, 38 now",
        "ok      locked users: 5 before, 3 now, 2 of the previous ones missing",
        "BROKEN  domains: 8 before, 3 now: such a loss is published only with --allow-shrink",
    ] {
        assert!(report.lines().any(|found| found == line), "{line} is not in {report}");
    }
    assert!(report.contains("the new directory does not have 2 of the 5 locked users"), "{report}");
    let (code, report, _) = dry_run(&["--allow-shrink"]);
    assert!(code == Some(0) && report.contains("ok      domains: 8 before, 3 now\n"), "{report}");
    let input = folder.write("next.jsonl", lines(2..40, 8).join("\n"));
    let strict = folder.load(&input).args(["--dry-run", "--strict"]).output().expect("the program");
    assert!(strict.status.code() == Some(1) && String::from_utf8_lossy(&strict.stdout).contains("BROKEN  --strict: "));
    let missing = folder.load("missing.jsonl").arg("--dry-run").output().expect("the program");
    assert!(
        missing.status.code() == Some(1) && String::from_utf8_lossy(&missing.stdout).starts_with("BROKEN  users and")
    );
    assert_eq!(folder.generations().current().expect("readable"), current);
    assert_eq!(
        std::fs::read_dir(folder.data().join("directory")).expect("there").count(),
        before,
        "nothing is written"
    );
    let empty = Folder::new();
    let done = acknowledged(empty.load(&input).arg("--dry-run"));
    assert!(String::from_utf8_lossy(&done.stdout).contains("ok      users: 0 before, 38 now\n"), "{done:?}");
    assert!(!empty.data().is_dir(), "not even a folder is made");
}
