//! The real server over damaged data.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use flate2::Crc;
use serde_json::Value;
use support::generation::{current_folder, current_name, segment_file};
use support::machine::{Server, acknowledged, wait_for};
use support::profile_writers::{Access, Connection};
use support::{TestFolder, data, program, states};

fn rows(state: u64) -> String {
    states::rows(state).replace("[2,1]", "[132,1]")
}

fn load_studies(folder: &Path) {
    let mut load = program();
    load.args(["catalogue", "load", "--quiet", "--data"])
        .arg(folder)
        .arg(data("catalogue/collections/studies.jsonl.gz"));
    acknowledged(&load.output().expect("the binary"));
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).expect("writable");
}

fn cut(path: &Path) {
    OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(0)).expect("writable");
}

/// Publishes the current generation as if another version had written it.
fn set_unknown_format(generation: &Path) {
    let path = generation.join("manifest.json");
    let text = fs::read_to_string(&path).expect("readable").replacen("\"format\": ", "\"format\": 9", 1);
    assert!(text.contains("\"format\": 9"), "{text}");
    let mut checksum = Crc::new();
    checksum.update(text.as_bytes());
    fs::write(&path, text).expect("writable");
    fs::write(generation.join("manifest.json.crc32"), format!("{:08x}", checksum.sum())).expect("writable");
}

fn readiness(server: &Server) -> (u16, Value) {
    let (status, body) = server.get("/readyz");
    (status, serde_json::from_str(&body).expect("JSON"))
}

/// Returns the number of the state that is served.
fn state_of(server: &Server) -> u64 {
    let (status, body) = server.get_protein("/protein/1");
    assert_eq!(status, 200, "{body}");
    serde_json::from_str::<Value>(&body).expect("JSON")["cluster_size"].as_u64().expect("a number")
}

#[test]
fn damaged_proteins_do_not_stop_the_server_or_the_catalogue() {
    let damages: [fn(&TestFolder); 4] = [
        |folder| flip(&segment_file(folder, "fast")),
        |folder| cut(&segment_file(folder, "store")),
        |folder| set_unknown_format(&current_folder(folder)),
        |folder| fs::write(folder.generations().root().join("CURRENT"), "nonsense").expect("writable"),
    ];
    for damage in damages {
        let folder = TestFolder::empty();
        load_studies(folder.path());
        folder.publish_rows(&rows(1));
        let first = current_name(&folder);
        damage(&folder);
        let server = Server::start(folder.path());
        let is_whole = current_name_or_none(&folder).is_none();
        let (status, state) = readiness(&server);
        assert!(state["proteins"]["problem"].is_string(), "{state}");
        assert_eq!(state["catalogue"]["status"], "ready", "{state}");
        assert_eq!(server.get("/metagenomics/api/v1/studies").0, 200);
        if is_whole {
            // It is only unknown which one is current.
            assert_eq!((status, &state["proteins"]["generation"]), (200, &first.to_string().into()), "{state}");
            continue;
        }
        assert_eq!((status, &state["proteins"]["status"]), (503, &"failed".into()), "{state}");
        let (status, body) = server.get_protein("/protein/1");
        assert!(status == 503 && body.contains("/readyz") && body.contains("mgdex index"), "{status} {body}");
        folder.publish_rows(&rows(2));
        wait_for("the new generation", || (readiness(&server).0 == 200).then_some(()));
        assert_eq!(state_of(&server), 2);
    }
}

fn current_name_or_none(folder: &TestFolder) -> Option<store::GenerationName> {
    folder.generations().current().ok().flatten()
}

#[test]
fn served_files_are_checked_unless_scrubbing_is_off() {
    let folder = TestFolder::of_rows(&rows(1));
    load_studies(folder.path());
    let serve = |rate: &str| {
        let mut command = program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--scrub-rate", rate, "--data"]).arg(folder.path());
        Server::of_command(&mut command)
    };
    let finding = "is undamaged";
    let server = serve("1G");
    wait_for("both services", || (server.log().matches(finding).count() == 2).then_some(()));
    drop(server);
    let server = serve("0");
    thread::sleep(Duration::from_secs(2));
    assert!(!server.log().contains(finding), "{}", server.log());
}

/// Truncates a file that a server serves, and waits until it serves the previous generation.
fn check_cut(
    file: impl FnOnce(&TestFolder) -> PathBuf,
    kind: &str,
    publish: impl Fn(&TestFolder),
) -> (TestFolder, Server) {
    let folder = TestFolder::empty();
    publish(&folder);
    let generations = store::Generations::new(folder.path().join(kind));
    let first = generations.current().expect("readable").expect("published").to_string();
    publish(&folder);
    let mut server = Server::start(folder.path());
    // No request is sent before the damage is reported: the system kills a process that reads a
    // mapped file beyond its end.
    cut(&file(&folder));
    wait_for("the previous generation", || (readiness(&server).1[kind]["generation"] == *first).then_some(()));
    let (status, state) = readiness(&server);
    assert!(status == 200 && state[kind]["problem"].is_string(), "{status} {state}");
    assert!(server.is_running());
    (folder, server)
}

#[test]
fn files_truncated_while_served_are_withdrawn() {
    let (folder, mut server) =
        check_cut(|folder| segment_file(folder, "store"), "proteins", |folder| drop(folder.publish_rows(&rows(1))));
    assert_eq!(state_of(&server), 1);
    // It is not opened again, even when its length is right again.
    server.kill();
    let length = fs::metadata(segment_file(&folder, "fast")).expect("there").len();
    OpenOptions::new()
        .write(true)
        .open(segment_file(&folder, "store"))
        .and_then(|file| file.write_all_at(b"?", length))
        .expect("writable");
    let server = Server::start(folder.path());
    assert_ne!(readiness(&server).1["proteins"]["generation"], current_name(&folder).to_string());

    let index_file = |folder: &TestFolder| {
        let generations = store::Generations::new(folder.path().join("catalogue"));
        let index = generations.path(generations.current().expect("readable").expect("published")).join("index");
        let paths = fs::read_dir(index).expect("there").map(|entry| entry.expect("readable").path());
        paths.into_iter().find(|path| path.extension().is_some_and(|end| end == "term")).expect("terms")
    };
    let (_folder, server) = check_cut(index_file, "catalogue", |folder| load_studies(folder.path()));
    assert_eq!(server.get("/metagenomics/api/v1/studies?search=soil").0, 200);
}

#[test]
fn rights_do_not_fall_back_to_the_directory_before_a_damaged_one() {
    let (folder, access) = (TestFolder::empty(), Access::new());
    folder.publish_rows(&rows(1));
    for is_locked in [true, false] {
        let line = format!(
            r#"{{"type":"user","userReference":"{}","accountNonLocked":{is_locked}}}"#,
            access.searcher_reference
        );
        let file = folder.path().join("directory.jsonl");
        fs::write(&file, line).expect("writable");
        let mut load = program();
        load.args(["directory", "load", "--quiet", "--data"]).arg(folder.path()).arg(file);
        let name = acknowledged(&load.output().expect("the binary"));
        if !is_locked {
            let keys = fs::read_dir(folder.path().join("directory").join(name.to_string())).expect("there");
            let mut keys = keys.map(|entry| entry.expect("readable").path());
            flip(&keys.find(|path| path.to_string_lossy().contains("keys")).expect("keys"));
        }
    }
    let server = access.start(folder.path());
    assert_eq!(state_of(&server), 1);
    let (status, state) = readiness(&server);
    assert_eq!((status, &state["directory"]["status"]), (503, &"failed".into()), "{state}");
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    let answer = connection.get("/profiles/info", &access.searcher).expect("an answer");
    assert_eq!(answer.status, 503, "{answer:?}");
}
