//! A store of profiles and a directory that were made once and must open as long as their format is
//! supported.
//!
//! `frozen/profiles/v1` is a data folder as `frozen/profiles/regenerate.sh` has made it of
//! `frozen/profiles/inputs`; only the file of the database is compressed. If a test here fails, the
//! program has to change, not the folder.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use store::{DomainReference, Generations, Owner, UserReference};
use store_profiles::{
    AttributeChange, DirectoryGeneration, Membership, Permission, Precondition, Profile, ProfileFault, Profiles,
    ProfilesConfig, Refusal, SearchKey,
};
use tempfile::TempDir;

/// Returns a path in the frozen data.
fn frozen(name: &str) -> PathBuf {
    support::project("tests/frozen/profiles").join(name)
}

/// Returns a copy of the store: the engine writes into it when it opens it.
fn copied() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("db");
    fs::create_dir(&database).expect("new");
    for entry in fs::read_dir(frozen("v1/profiles/db")).expect("committed").map(|entry| entry.expect("readable")) {
        let name = entry.file_name().into_string().expect("text");
        match name.strip_suffix(".gz") {
            Some(name) => {
                let mut compressed = MultiGzDecoder::new(File::open(entry.path()).expect("readable"));
                io::copy(&mut compressed, &mut File::create(database.join(name)).expect("new")).expect("room");
            }
            None => drop(fs::copy(entry.path(), database.join(name)).expect("room")),
        }
    }
    folder
}

/// Returns the lines that the store was made of.
fn lines() -> Vec<String> {
    let text = fs::read_to_string(frozen("inputs/profiles.jsonl")).expect("committed");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn frozen_stores_open_whole_and_accept_writes() {
    let folder = copied();
    assert_eq!(Profiles::verify(folder.path()).expect("whole"), 4);
    let profiles = Profiles::open(folder.path(), ProfilesConfig { attributes_max: 200 }).expect("whole");
    let exported: Vec<String> = profiles
        .snapshot()
        .expect("sound")
        .map(|line| String::from_utf8(line.expect("sound")).expect("text"))
        .collect();
    assert_eq!(exported, lines());
    for line in lines() {
        let profile: Profile = serde_json::from_str(&line).expect("a profile");
        assert_eq!(profiles.get(profile.reference).expect("sound").as_ref(), Some(&profile));
        assert_eq!(profiles.find(&profile.owner).expect("sound"), Some(profile));
    }
    let ajay: UserReference = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4".parse().expect("a reference");
    assert_eq!(profiles.search(SearchKey::Email, "aJAY@alibaba.com", 9).expect("sound"), [ajay]);
    assert_eq!(profiles.search(SearchKey::Name, "Ajay", 9).expect("sound"), []);

    let billing = Owner::Domain("dom-b38d6175-61e8-4d40-98da-df9188d91c82".parse().expect("a reference"));
    let reference = profiles.find(&billing).expect("sound").expect("frozen").reference;
    let anybody: Permission = Arc::new(|| true);
    let remove = |key: &str| {
        let change = AttributeChange::Remove(key.to_owned());
        profiles.change(reference, change, Precondition::None, &anybody)
    };
    assert!(matches!(remove("address"), Err(ProfileFault::Refused(Refusal::Invalid(_)))), "its schema still counts");
    assert_eq!(remove("cost_center").expect("it is not required").version, 4);
}

#[test]
fn frozen_directories_open_and_answer() {
    let generations = Generations::new(frozen("v1/directory"));
    let directory = DirectoryGeneration::open_current(&generations).expect("whole").expect("committed");
    let users = ["usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4", "usr-d8749acf-6a22-4438-accc-cc8d1877ba36"];
    let [ajay, karo] = users.map(|user| user.parse().expect("a reference"));
    let domains = ["dom-b38d6175-61e8-4d40-98da-df9188d91c82", "dom-empty", "dom-other"];
    let [team, empty, other]: [DomainReference; 3] = domains.map(|domain| domain.parse().expect("a reference"));
    assert_eq!([ajay, karo].map(|user| directory.is_locked(user)), [false, true]);
    assert_eq!([&team, &empty, &other].map(|domain| directory.has_domain(domain)), [true, true, false]);
    assert_eq!(directory.membership(&team, ajay), Membership { is_member: true, is_manager: false });
    assert_eq!(directory.membership(&team, karo), Membership { is_member: false, is_manager: true });
    assert_eq!(directory.membership(&empty, ajay), Membership::default());
}
