//! Stores that are made from exports.

use std::fs;

use store::Error;

use super::*;

/// Makes a profile that no store has.
fn profile(number: u128, pairs: &[(&str, &str)]) -> Profile {
    let reference = ProfileReference::from_bytes((number << 64).to_be_bytes());
    Profile { reference, owner: user(number), version: 7, schema: None, attributes: attributes(pairs) }
}

#[test]
fn an_export_becomes_a_store_with_the_same_export() {
    let folder = tempfile::tempdir().expect("a folder");
    let profiles: Vec<Profile> = (0..2500).map(|number| profile(number, &[("name", "Ada")])).collect();
    // An empty store is replaced, with any leftovers of an unfinished one.
    drop(open(folder.path()));
    fs::create_dir(folder.path().join("creating-x")).expect("a folder");
    let mut import = ProfilesImport::begin(folder.path()).expect("an import");
    assert!(matches!(Profiles::open(folder.path(), CONFIG), Err(Error::ProfilesLocked { .. })));
    for profile in profiles.iter().rev() {
        import.add(profile).expect("room").expect("no problem");
    }
    assert_eq!(import.finish().expect("room"), 2500);
    let names: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|name| name.expect("a name").file_name()).collect();
    assert!(!names.iter().any(|name| name == "creating-x"));
    assert_eq!(Profiles::verify(folder.path()).expect("sound"), 2500);
    let store = open(folder.path());
    assert_eq!(lines(store.snapshot().expect("a snapshot")), profiles);
    assert_eq!(store.search(SearchKey::Name, "Ada", 3).expect("read"), [0, 1, 2].map(user_reference));
    assert_eq!(change(&store, profiles[5].reference, merge(&[])).expect("changed").version, 8);
    drop(store);
    match ProfilesImport::begin(folder.path()) {
        Err(Error::ProfilesPresent { num_profiles: 2500, .. }) => {}
        other => panic!("nothing is replaced: {:?}", other.err()),
    }
    assert_eq!(open(folder.path()).state().num_profiles, 2500);
}

#[test]
fn bad_profiles_are_named_and_the_others_imported() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut import = ProfilesImport::begin(folder.path()).expect("an import");
    let mut problem = |profile: &Profile| import.add(profile).expect("room").err();
    let first = profile(1, &[]);
    assert_eq!(problem(&first), None);
    for _ in 0..2 {
        assert_eq!(problem(&first), Some(format!("the profile {} already exists", first.reference)));
        let second = Profile { owner: user(1), ..profile(2, &[]) };
        assert_eq!(problem(&second), Some(format!("{} already has a profile", user(1))));
        // Once in the batch, and once in the database.
        for number in 0..1000 {
            problem(&profile(1000 + number, &[]));
        }
    }
    let large = "x".repeat(PROFILE_BYTES_MAX);
    assert_eq!(problem(&profile(3, &[("a", &large)])), Some(format!("it has more than {PROFILE_BYTES_MAX} bytes")));
    for version in [0, u64::MAX] {
        assert_eq!(
            problem(&Profile { version, ..profile(3, &[]) }),
            Some(format!("the version {version} is impossible"))
        );
    }
    assert_eq!(import.finish().expect("room"), 1001);
    assert_eq!(Profiles::verify(folder.path()).expect("sound"), 1001);
}

#[test]
fn unfinished_imports_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut import = ProfilesImport::begin(folder.path()).expect("an import");
    import.add(&profile(1, &[])).expect("room").expect("no problem");
    drop(import);
    let names: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|name| name.expect("a name").file_name()).collect();
    assert_eq!(names, ["LOCK"]);
    assert_eq!(Profiles::verify(folder.path()).expect("nothing is there"), 0);
    assert_eq!(open(folder.path()).state().num_profiles, 0);
}
