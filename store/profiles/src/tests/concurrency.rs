//! Many who write at once.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

use super::*;

#[test]
fn no_merge_is_lost_and_versions_rise_strictly() {
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
