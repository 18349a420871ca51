//! Folders that hold no store of profiles.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use support::machine::seeded;
use support::profile_writers::outcomes::{opening_failure, refusal, write_for};
use support::profile_writers::{Access, Mix, Writer, copy_folder, export};

/// Makes a folder with a store in it.
fn store(access: &Access) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let (_, seed) = seeded();
    let mut server = access.start(folder.path());
    write_for(&server, access, &mut Writer::several(2, seed, &[Mix::SMALL]), Duration::from_millis(100));
    server.terminate();
    assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    folder
}

/// Returns all files of a folder and their contents, without the lock.
fn files(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut files = BTreeMap::new();
    if folder.is_file() {
        return BTreeMap::from([(folder.to_owned(), fs::read(folder).ok())]);
    }
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files.extend(self::files(&path));
            files.insert(path, None);
        } else if !path.ends_with("LOCK") {
            files.insert(path.clone(), fs::read(path).ok());
        }
    }
    files
}

/// Makes the folder of the profiles a foreign one.
type Change = fn(&Path);

fn write(path: PathBuf, text: impl AsRef<[u8]>) {
    fs::write(path, text).expect("writable");
}

/// Contents of a folder that is not a store, with a word of the message.
const FOREIGN: [(&str, Change, &str); 6] = [
    (
        "a file",
        |profiles| {
            fs::remove_dir_all(profiles).expect("there");
            write(profiles.to_owned(), "mine");
        },
        "",
    ),
    (
        "a foreign file",
        |profiles| {
            fs::remove_dir_all(profiles.join("db")).expect("there");
            write(profiles.join("letter.txt"), "mine");
        },
        "letter.txt",
    ),
    (
        "another format",
        |profiles| write(profiles.join("db/store.json"), r#"{"kind":"mgdex profiles","format":7,"commit":1}"#),
        "format 7",
    ),
    ("an empty file of the engine", |profiles| write(profiles.join("db/db"), ""), "db/db"),
    ("no settings", |profiles| fs::remove_file(profiles.join("db/conf")).expect("there"), "conf"),
    ("a foreign file of the engine", |profiles| write(profiles.join("db/db"), "mine".repeat(5000)), ""),
];

#[test]
fn foreign_folders_are_left_untouched_and_other_services_run() {
    let access = Access::new();
    let whole = store(&access);
    for (what, change, word) in FOREIGN {
        let folder = TempDir::new().expect("a temporary folder");
        copy_folder(whole.path(), folder.path());
        let profiles = folder.path().join("profiles");
        change(&profiles);
        let before = files(&profiles);
        let exported = refusal(&export(folder.path()), &profiles, what);
        let server = access.start(folder.path());
        let message = opening_failure(&server, &access, &profiles, what).unwrap_or_else(|| panic!("{what} is served"));
        for message in [&exported, &message] {
            assert!(message.contains(word), "{message}; {what}");
        }
        assert!(files(&profiles) == before, "{what} was touched: {:?}", files(&profiles).keys());
    }
}

#[test]
fn empty_folders_become_stores() {
    let (folder, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    fs::create_dir(folder.path().join("profiles")).expect("writable");
    // A killed process left this.
    fs::create_dir(folder.path().join("profiles/creating-1")).expect("writable");
    let server = access.start(folder.path());
    write_for(&server, &access, &mut [Writer::new(0, 1, Mix::SMALL)], Duration::from_millis(50));
    assert!(!folder.path().join("profiles/creating-1").is_dir(), "rubbish stays");
}
