//! Stores whose files were torn or altered.
//!
//! The promise, for a store that was closed in order and for that of a killed server: it is
//! refused, by a message that names the folder and says what to do, or it is complete, if the
//! damage is in data that the engine no longer reads. No profile is ever torn, altered or lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use tempfile::TempDir;

use support::machine::{rounds, seeded};
use support::profile_writers::outcomes::{opening_failure, refusal, write_for};
use support::profile_writers::{
    Access, Connection, Contents, Mix, Writer, copy_folder, export, exported, print_to_stderr, used_bytes,
};

/// One in this many damaged stores is served as well.
const DAMAGES_PER_SERVER: usize = 6;

/// Makes a store that was closed in order and opened several times.
fn make_store(access: &Access, seed: u64) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let mut writers = Writer::several(3, seed, &[Mix::SMALL, Mix::MIXED]);
    for _ in 0..3 {
        let mut server = access.start(folder.path());
        write_for(&server, access, &mut writers, Duration::from_millis(200));
        server.terminate();
        assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    }
    folder
}

/// Returns the files of a database that are not empty.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("profiles/db")).expect("readable");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let mut files: Vec<_> =
        paths.filter(|path| path.is_file() && path.metadata().expect("readable").len() > 0).collect();
    files.sort();
    files
}

/// Damages one of the files, usually the largest, and returns a description of the damage.
fn damage(folder: &Path, random: &mut StdRng) -> String {
    let files = files(folder);
    let path = if random.random_bool(0.75) {
        folder.join("profiles/db/db")
    } else {
        files[random.random_range(0..files.len())].clone()
    };
    let mut bytes = fs::read(&path).expect("readable");
    let used = used_bytes(&bytes).max(1);
    let at = random.random_range(0..used);
    let how = match random.random_range(0..6) {
        0 => {
            bytes[at] ^= 1 << random.random_range(0..8);
            "a bit is flipped"
        }
        1 => {
            let end = (at + 512).min(bytes.len());
            bytes[at / 512 * 512..end].fill(0);
            "a sector is zero"
        }
        2 => {
            let end = (at + 4096).min(bytes.len());
            random.fill(&mut bytes[at..end]);
            "a page is noise"
        }
        3 => {
            bytes.truncate(at);
            "the end is missing"
        }
        4 => {
            bytes[at..].fill(0);
            "the end is zero"
        }
        _ => {
            let from = random.random_range(0..used);
            let length = 4096.min(used - from.max(at));
            bytes.copy_within(from..from + length, at);
            "a page stands at another place"
        }
    };
    fs::write(&path, bytes).expect("writable");
    format!("{}: {how} at {at} of {used}", path.file_name().expect("a file").display())
}

/// Exports a damaged store, and returns whether it was refused.
fn is_refused(folder: &Path, whole: &Contents, context: &str) -> bool {
    let output = export(folder);
    if output.status.success() {
        let found = Contents::of_export(std::str::from_utf8(&output.stdout).expect("text"), context);
        assert!(found == *whole, "{} profiles instead of {}; {context}", found.0.len(), whole.0.len());
        return false;
    }
    refusal(&output, folder, context);
    true
}

/// Serves a damaged store: it is refused, or each profile is whole or a failure of the server.
fn check_served(access: &Access, folder: &Path, whole: &Contents, context: &str) {
    let server = access.start(folder);
    if opening_failure(&server, access, folder, context).is_some() {
        return;
    }
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    for (user, (_, state)) in &whole.0 {
        let answer = connection.get(&format!("/users/{user}/profile"), &access.administrator).expect("an answer");
        if answer.status < 500 {
            assert_eq!(answer.status, 200, "{user}: {answer:?}; {context}");
            assert!(answer.json()["attributes"].as_object() == Some(&state.attributes), "{user} is altered; {context}");
        }
    }
}

#[test]
fn damaged_stores_of_killed_servers_are_refused_or_whole() {
    let (folder, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let (mut random, seed) = seeded();
    let mut server = access.start(folder.path());
    let mut writers = [Writer::new(0, seed, Mix::SMALL)];
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    for _ in 0..60 {
        let answer = writers[0].write(&mut connection, &access).expect("an answer");
        assert!(answer.status < 300, "{answer:?}");
    }
    server.kill();
    let whole = Contents::known(&writers);
    let (mut num_refused, damages) = (0, rounds(12, 30));
    for number in 1..=damages {
        let torn = TempDir::new().expect("a temporary folder");
        copy_folder(folder.path(), torn.path());
        let context = format!("{}, damage {number}, seed {seed}", damage(torn.path(), &mut random));
        num_refused += usize::from(is_refused(torn.path(), &whole, &context));
    }
    print_to_stderr(&format!("{damages} damaged stores of a killed server: {num_refused} refused, the others whole"));
    assert!(num_refused > damages / 8, "only {num_refused} were refused, seed {seed}");
}

#[test]
fn damaged_stores_are_refused_or_whole() {
    let access = Access::new();
    let (mut random, seed) = seeded();
    let store = make_store(&access, seed);
    let whole = exported(store.path(), "before any damage");
    let (mut num_refused, damages) = (0, rounds(24, 80));
    for number in 1..=damages {
        let folder = TempDir::new().expect("a temporary folder");
        copy_folder(store.path(), folder.path());
        let context = format!("{}, damage {number}, seed {seed}", damage(folder.path(), &mut random));
        if number % DAMAGES_PER_SERVER == 0 {
            let served = TempDir::new().expect("a temporary folder");
            copy_folder(folder.path(), served.path());
            check_served(&access, served.path(), &whole, &context);
        }
        num_refused += usize::from(is_refused(folder.path(), &whole, &context));
    }
    print_to_stderr(&format!("{damages} damaged stores: {num_refused} refused, the others whole"));
    assert!(num_refused > damages / 8, "only {num_refused} of {damages} were refused, seed {seed}");
}
