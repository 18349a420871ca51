//! Generations are listed, and a rollback returns to the previous one.

use std::fs;

use crate::cli::{rows, run, run_on};
use support::TestFolder;
use support::generation::{current_name, segment_file};
use support::machine::{Server, wait_for};

#[test]
fn generations_are_listed_with_their_inputs() {
    let folder = TestFolder::of_rows(&rows());
    let first = current_name(&folder);
    folder.publish_rows(&rows());
    let second = current_name(&folder);
    let done = run_on(&folder, &["generations"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done:?}");
    let line = |name| done.stdout.lines().find(|line| line.starts_with(&format!("proteins/{name}"))).expect("listed");
    assert!(
        line(second).contains("(current): 3 proteins, 0 replaced, ") && !line(first).contains("(current)"),
        "{done:?}"
    );
    assert!(line(first).contains(" built 20") && line(first).contains(" by mgdex "), "{done:?}");
    assert_eq!(done.stdout.lines().filter(|line| line.starts_with("    from ")).count() % 2, 0, "{done:?}");
    assert!(done.stdout.contains("rows.csv"), "{done:?}");
    let empty = TestFolder::empty();
    assert_eq!(run_on(&empty, &["generations"]).stdout, "");
    let missing = empty.path().join("missing");
    let done = run(support::program().args(["generations", "--quiet", "--data"]).arg(&missing));
    assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
    assert_eq!(done.stderr, format!("mgdex: no such folder: {}\n", missing.display()));
}

#[test]
fn rollback_accepts_the_listed_name_of_a_generation() {
    let folder = TestFolder::of_rows(&rows());
    let roll_back = |to| run_on(&folder, &["rollback", "proteins", "--to", to]);
    let done = roll_back("gen-nope");
    assert!(
        done.code == Some(2)
            && done.stderr.contains("a generation is named gen-<uuid>, as `mgdex generations` lists them"),
        "{done:?}"
    );
    let unknown = "gen-00000000-0000-0000-0000-000000000007";
    let done = roll_back(unknown);
    let expected = format!("no generation is named {unknown}: `mgdex generations` lists them");
    assert!(done.code == Some(1) && done.stderr.contains(&expected), "{done:?}");
}

#[test]
fn running_servers_follow_a_rollback() {
    let folder = TestFolder::of_rows(&rows());
    let first = current_name(&folder);
    folder.publish_rows(&rows().replace("MKVL", "MKVV"));
    let second = current_name(&folder);
    let server = Server::start(folder.path());
    let wait_until_served =
        |name: String| wait_for("the generation", || server.get("/readyz").1.contains(&name).then_some(()));
    wait_until_served(second.to_string());
    let done = run_on(&folder, &["rollback"]);
    assert_eq!(
        (done.code, done.stdout.trim_end()),
        (Some(0), &*folder.generations().path(first).display().to_string())
    );
    wait_until_served(first.to_string());
    assert!(run_on(&folder, &["generations"]).stdout.contains(&format!("proteins/{second} (left by a rollback)")));
    let again = run_on(&folder, &["rollback", "proteins"]);
    assert!(again.code == Some(1) && again.stderr.contains(&second.to_string()), "{again:?}");
    assert_eq!(run_on(&folder, &["rollback", "proteins", "--to", &second.to_string()]).code, Some(0));
    wait_until_served(second.to_string());
    assert_eq!(run_on(&folder, &["rollback", "catalogue"]).code, Some(1));
    assert_eq!(run_on(&folder, &["rollback", "proteins", "--to", "gen-1"]).code, Some(2));
    assert_eq!(current_name(&folder), second);
}

#[test]
fn rollback_to_a_damaged_generation_is_refused() {
    let folder = TestFolder::of_rows(&rows());
    let damaged = segment_file(&folder, "fast");
    let first = current_name(&folder);
    folder.publish_rows(&rows());
    let second = current_name(&folder);
    let mut bytes = fs::read(&damaged).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&damaged, bytes).expect("writable");
    for arguments in [&["rollback"][..], &["rollback", "proteins", "--to", &first.to_string()]] {
        let done = run_on(&folder, arguments);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
        for part in [&*damaged.display().to_string(), "checksum", &format!("{second} stays current")] {
            assert!(done.stderr.contains(part), "{part} is not in {}", done.stderr);
        }
    }
    assert_eq!((current_name(&folder), folder.generations().retired().expect("readable")), (second, None));
}
