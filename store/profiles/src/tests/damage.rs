//! Folders with other content, and stores that are torn or damaged.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use store::Error;

use super::*;

/// Makes a store of some profiles and returns its folder.
fn filled(folder: &Path) -> PathBuf {
    let path = folder.join("profiles");
    let store = open(&path);
    for number in 0..40 {
        create(&store, user(number), &[("name", "Ada"), ("text", &"x".repeat(500))]).expect("made");
    }
    path
}

/// Opens a store and reads it completely; both may fail, but must not panic.
fn read_all(path: &Path) -> Result<usize, Error> {
    let store = Profiles::open(path, CONFIG)?;
    let lines: Vec<Vec<u8>> = store.snapshot()?.collect::<Result<_, _>>()?;
    for line in &lines {
        let profile: Profile = serde_json::from_slice(line).expect("the checksum is right, so this is");
        assert_eq!(store.get(profile.reference)?.as_ref(), Some(&profile));
        assert_eq!(store.find(&profile.owner)?.as_ref(), Some(&profile));
    }
    drop(store);
    assert_eq!(Profiles::verify(path)?, lines.len() as u64);
    Ok(lines.len())
}

/// Checks that a store is rejected with a message that contains its place and the remedy.
fn check_refused(path: &Path, reason: &str) {
    for error in [
        Profiles::open(path, CONFIG).err().expect("it is refused"),
        Profiles::verify(path).expect_err("it is refused"),
        ProfilesImport::begin(path).err().expect("it is refused"),
    ] {
        let text = error.to_string();
        assert!(text.contains(&*path.to_string_lossy()) && text.contains(reason), "{text}");
        assert!(text.contains("mgdex profiles import"), "{text}");
    }
}

#[test]
fn foreign_folders_are_rejected_and_unchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    fs::write(path.join("letter.txt"), "dear").expect("a file");
    check_refused(path, "it holds letter.txt, and no db");
    assert_eq!(fs::read_dir(path).expect("a folder").count(), 1, "nothing was made");
    fs::remove_file(path.join("letter.txt")).expect("a file");

    fs::create_dir(path.join("db")).expect("a folder");
    check_refused(path, "db/store.json is missing");
    let marker = path.join("db/store.json");
    fs::write(&marker, "{").expect("a file");
    check_refused(path, "db/store.json cannot be read");
    fs::write(&marker, r#"{"kind":"something","format":1}"#).expect("a file");
    check_refused(path, "it is of kind \"something\"");
    fs::write(&marker, r#"{"kind":"mgdex profiles","format":2}"#).expect("a file");
    check_refused(path, "has format 2, and this mgdex reads format 1");
    fs::write(&marker, r#"{"kind":"mgdex profiles","format":1}"#).expect("a file");
    check_refused(path, "db/db is missing or empty");
    assert_eq!(fs::read_dir(path.join("db")).expect("a folder").count(), 1, "the engine was not asked");
    fs::remove_dir_all(path.join("db")).expect("a folder");
    fs::write(path.join("db"), "a file").expect("a file");
    check_refused(path, "db/store.json is missing");
}

#[test]
fn an_open_store_is_locked() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    for error in [
        Profiles::open(folder.path(), CONFIG).err().expect("it is locked"),
        Profiles::verify(folder.path()).expect_err("it is locked"),
        ProfilesImport::begin(folder.path()).err().expect("it is locked"),
    ] {
        assert!(matches!(error, Error::ProfilesLocked { .. }), "{error}");
    }
    drop(store);
    open(folder.path());
}

#[test]
fn new_folders_are_private() {
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("data/profiles");
    drop(open(&folder));
    assert_eq!(fs::metadata(&folder).expect("made").permissions().mode() & 0o777, 0o700);
}

#[test]
fn missing_parts_are_rejected() {
    for (name, reason) in
        [("store.json", "store.json is missing"), ("db", "db/db is missing"), ("conf", "db/conf is missing")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let path = filled(folder.path());
        fs::remove_file(path.join("db").join(name)).expect("a file");
        check_refused(&path, reason);
    }
}

#[test]
fn a_damaged_record_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create(&store, user(1), &[]).expect("made");
    let other = create(&store, user(2), &[]).expect("made");
    let mut batch = sled::Batch::default();
    batch.insert(keys::profile(made.reference), b"rubbish");
    store.shared.database.apply(batch).expect("room");
    for error in [
        store.get(made.reference).expect_err("it is damaged").to_string(),
        store.find(&user(1)).expect_err("it is damaged").to_string(),
        change(&store, made.reference, merge(&[])).expect_err("it is damaged").to_string(),
        store.snapshot().expect("a snapshot").find_map(Result::err).expect("it is damaged").to_string(),
    ] {
        assert!(error.contains(&format!("the profile {} is damaged", made.reference)), "{error}");
        assert!(error.contains(&*folder.path().to_string_lossy()) && error.contains("profiles import"), "{error}");
    }
    assert_eq!(change(&store, other.reference, merge(&[])).expect("changed").version, 2, "others are not concerned");
    drop(store);
    let error = Profiles::verify(folder.path()).expect_err("it is damaged").to_string();
    assert!(error.contains(&format!("the profile {} is damaged", made.reference)), "{error}");
}

#[test]
fn a_check_compares_owners_and_search_entries_both_ways() {
    for is_removed in [true, false] {
        for key in
            [keys::owner(&user(1)), keys::owner(&user(9)), [keys::SEARCH, b"nothing"].concat(), keys::TOTALS.into()]
        {
            let folder = tempfile::tempdir().expect("a folder");
            let store = open(folder.path());
            let made = create(&store, user(1), &[("name", "Ada")]).expect("made");
            let is_there = store.shared.database.get(&key).expect("read").is_some();
            let mut batch = sled::Batch::default();
            if is_removed {
                batch.remove(key);
            } else {
                let value = record::Totals { commit: 1, num_profiles: 2 }.to_bytes();
                batch.insert(key, if is_there { value } else { made.reference.as_bytes().to_vec() });
            }
            store.shared.database.apply(batch).expect("room");
            drop(store);
            assert_eq!(Profiles::verify(folder.path()).is_ok(), is_removed && !is_there);
        }
    }
}

#[test]
fn half_written_snapshots_of_the_engine_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = filled(folder.path());
    fs::write(path.join("db/snap.FFFFFFFFFFFFFFFF.generating"), "torn").expect("a file");
    assert_eq!(read_all(&path).expect("sound"), 40);
}
