//! Many concurrent writers.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

use super::*;

#[test]
fn no_merge_is_lost_and_versions_strictly_ascend() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Profiles::open(folder.path(), ProfilesConfig { attributes_max: 1000 }).expect("a store");
    let reference = create(&store, user(1), &[]).expect("made").reference;
    let versions = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for number in 0..32 {
            let (store, versions) = (&store, &versions);
            scope.spawn(move || {
                let mut last = 1;
                for round in 0..10 {
                    let key = format!("{number}-{round}");
                    let changed = change(store, reference, merge(&[(&key, "1")])).expect("changed");
                    assert!(changed.version > last);
                    last = changed.version;
                    let read = store.get(reference).expect("read").expect("there");
                    assert!(read.version >= last && read.attributes.get(&key) == Some("1"));
                    assert!(versions.lock().expect("whole").insert(last), "no version is given twice");
                }
            });
        }
    });
    let versions = versions.into_inner().expect("whole");
    assert_eq!(versions.into_iter().collect::<Vec<_>>(), (2..=321).collect::<Vec<_>>());
    let stored = store.get(reference).expect("read").expect("there");
    assert_eq!((stored.version, stored.attributes.len()), (321, 320));
    let state = store.state();
    assert!(state.num_writes == 321 && state.num_commits < 321, "writes share commits: {state:?}");
}

#[test]
fn one_conditional_write_wins_each_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let reference = create(&store, user(1), &[("count", "0")]).expect("made").reference;
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..10 {
                    loop {
                        let read = store.get(reference).expect("read").expect("there");
                        let count: u32 = read.attributes.get("count").expect("there").parse().expect("a number");
                        let next = AttributeChange::Replace(attributes(&[("count", &(count + 1).to_string())]));
                        match change_if(&store, reference, next, Precondition::IsOneOf(vec![read.version])) {
                            Ok(_) => break,
                            Err(ProfileFault::Refused(Refusal::Precondition(version))) => {
                                assert!(version > read.version);
                            }
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            });
        }
    });
    assert_eq!(store.get(reference).expect("read").expect("there").attributes.get("count"), Some("160"));
}

#[test]
fn an_owner_gets_one_profile() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    for number in 0..8 {
        let results: Vec<WriteResult> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| create(&store, user(number), &[]))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let (made, refused): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        let [Ok(made)] = &made[..] else { panic!("one is made: {made:?}") };
        for refused in refused {
            assert_eq!(refusal(refused), Refusal::Exists(made.reference));
        }
    }
    assert_eq!(store.state().num_profiles, 8);
}
