//! A disk that fails, and one that is slow.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

use super::*;
use crate::Error;

/// Syncs pass.
const PASSES: u8 = 0;
/// Syncs wait for another state.
const WAITS: u8 = 1;
/// Syncs fail.
const FAILS: u8 = 2;
/// Syncs panic.
const PANICS: u8 = 3;

/// Opens a store whose syncs do as they are told.
fn open_told(folder: &Path) -> (Profiles, Arc<AtomicU8>) {
    let told = Arc::new(AtomicU8::new(PASSES));
    let state = Arc::clone(&told);
    let sync = move |file: &File| {
        while state.load(Ordering::SeqCst) == WAITS {
            thread::sleep(Duration::from_millis(1));
        }
        match state.load(Ordering::SeqCst) {
            FAILS => Err(io::Error::other("the disk is gone")),
            PANICS => panic!("the disk is gone"),
            _ => file.sync_data(),
        }
    };
    (Profiles::open_with(folder, CONFIG, Box::new(sync)).expect("a store"), told)
}

/// Checks that an error is the final one.
fn check_failed<T>(result: Result<T, Error>) {
    match result {
        Err(Error::ProfilesFailed(problem)) => assert!(problem.contains("the disk is gone"), "{problem}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it should have failed"),
    }
}

#[test]
fn nothing_is_shown_before_it_is_on_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, told) = open_told(folder.path());
    let made = create(&store, user(1), &[("name", "old")]).expect("made");
    told.store(WAITS, Ordering::SeqCst);
    thread::scope(|scope| {
        let write = scope.spawn(|| change(&store, made.reference, merge(&[("name", "new")])));
        // The change is in the database by now, or soon.
        thread::sleep(Duration::from_millis(100));
        let read = scope.spawn(|| store.get(made.reference).expect("read").expect("there").version);
        let found = scope.spawn(|| store.search(SearchKey::Name, "old", 9).expect("read").len());
        thread::sleep(Duration::from_millis(100));
        assert!(!read.is_finished() && !found.is_finished() && !write.is_finished());
        told.store(PASSES, Ordering::SeqCst);
        assert_eq!(read.join().expect("no panic"), 2);
        assert_eq!(found.join().expect("no panic"), 0);
        assert_eq!(write.join().expect("no panic").expect("changed").version, 2);
    });
}

#[test]
fn a_failed_sync_is_final_and_shows_nothing_of_the_write() {
    for failure in [FAILS, PANICS] {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, told) = open_told(folder.path());
        let kept = create(&store, user(1), &[("name", "old")]).expect("made");
        let mut snapshot = store.snapshot().expect("a snapshot");
        told.store(WAITS, Ordering::SeqCst);
        thread::scope(|scope| {
            let write = scope.spawn(|| change(&store, kept.reference, merge(&[("name", "new")])));
            thread::sleep(Duration::from_millis(100));
            // Refused by a write of the same commit or a later one, neither of which is ever on the disk.
            let later = scope.spawn(|| create(&store, user(2), &[]));
            let read = scope.spawn(|| store.get(kept.reference));
            let found = scope.spawn(|| store.search(SearchKey::Name, "new", 9));
            thread::sleep(Duration::from_millis(50));
            told.store(failure, Ordering::SeqCst);
            for write in [write, later] {
                match write.join().expect("no panic") {
                    Err(WriteError::Failed(error)) => check_failed::<()>(Err(error)),
                    other => panic!("it should have failed: {other:?}"),
                }
            }
            check_failed(read.join().expect("no panic"));
            check_failed(found.join().expect("no panic"));
        });
        told.store(PASSES, Ordering::SeqCst);
        check_failed(store.get(kept.reference));
        check_failed(store.find(&user(1)));
        check_failed(store.search(SearchKey::Name, "old", 9));
        check_failed(store.snapshot());
        check_failed(snapshot.next().expect("an error"));
        assert!(snapshot.next().is_none());
        assert!(matches!(create(&store, user(3), &[]), Err(WriteError::Failed(Error::ProfilesFailed(_)))));
        assert_eq!(store.state().num_writes, 1);
        assert!(store.state().failure.expect("a reason").contains("the disk is gone"));
        drop((snapshot, store));

        // What was acknowledged is there; what was not may be, since only the sync failed.
        let store = open(folder.path());
        let read = store.get(kept.reference).expect("read").expect("there");
        assert!(read == kept || read.attributes.get("name") == Some("new"));
        assert_eq!(store.find(&user(3)).expect("read"), None);
    }
}
