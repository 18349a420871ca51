//! A failing disk and a slow one.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use store::Error;

use super::*;

/// Syncs succeed.
const PASSES: u8 = 0;
/// Syncs wait for another state.
const WAITS: u8 = 1;
/// Syncs fail.
const FAILS: u8 = 2;
/// Syncs panic.
const PANICS: u8 = 3;
/// The next sync succeeds, and all later ones fail.
const PASSES_ONCE: u8 = 4;

/// Opens a store whose syncs follow the state, and are counted as they begin.
fn open_counted(folder: &Path) -> (Profiles, Arc<AtomicU8>, Arc<AtomicUsize>) {
    let (sync_state, num_syncs) = (Arc::new(AtomicU8::new(PASSES)), Arc::new(AtomicUsize::new(0)));
    let (state, counter) = (Arc::clone(&sync_state), Arc::clone(&num_syncs));
    let sync = move |file: &File| {
        counter.fetch_add(1, Ordering::SeqCst);
        while state.load(Ordering::SeqCst) == WAITS {
            thread::sleep(Duration::from_millis(1));
        }
        match state.load(Ordering::SeqCst) {
            FAILS => Err(io::Error::other("the disk is gone")),
            PANICS => panic!("the disk is gone"),
            PASSES_ONCE => {
                state.store(FAILS, Ordering::SeqCst);
                file.sync_data()
            }
            _ => file.sync_data(),
        }
    };
    (Profiles::open_with(folder, CONFIG, Box::new(sync)).expect("a store"), sync_state, num_syncs)
}

/// Puts a write into the queue of the committing thread.
fn submit(store: &Profiles, write: ProfileWrite, permission: Permission) -> mpsc::Receiver<Answered> {
    let (answer, answered) = mpsc::sync_channel(1);
    let submission = Submission { write, checked: None, permission, answer };
    store.committer.send(Message::Write(Box::new(submission))).expect("it runs");
    answered
}

/// Waits until an expected event, which is soon.
fn wait_until(has_happened: impl Fn() -> bool) {
    while !has_happened() {
        thread::sleep(Duration::from_millis(1));
    }
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
    let (store, sync_state, num_syncs) = open_counted(folder.path());
    let made = create(&store, user(1), &[("name", "old")]).expect("made");
    let before = num_syncs.load(Ordering::SeqCst);
    sync_state.store(WAITS, Ordering::SeqCst);
    thread::scope(|scope| {
        let write = scope.spawn(|| change(&store, made.reference, merge(&[("name", "new")])));
        // The change is in the database by now.
        wait_until(|| num_syncs.load(Ordering::SeqCst) > before);
        let read = scope.spawn(|| store.get(made.reference).expect("read").expect("there").version);
        let found = scope.spawn(|| store.search(SearchKey::Name, "old", 9).expect("read").len());
        thread::sleep(Duration::from_millis(100));
        let all_wait = !read.is_finished() && !found.is_finished() && !write.is_finished();
        sync_state.store(PASSES, Ordering::SeqCst);
        assert!(all_wait);
        assert_eq!(read.join().expect("no panic"), 2);
        assert_eq!(found.join().expect("no panic"), 0);
        assert_eq!(write.join().expect("no panic").expect("changed").version, 2);
    });
}

#[test]
fn a_failed_sync_is_final_and_shows_nothing_of_the_write() {
    for failure in [FAILS, PANICS] {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, sync_state, num_syncs) = open_counted(folder.path());
        let kept = create(&store, user(1), &[("name", "old")]).expect("made");
        let mut snapshot = store.snapshot().expect("a snapshot");
        let before = num_syncs.load(Ordering::SeqCst);
        sync_state.store(WAITS, Ordering::SeqCst);
        thread::scope(|scope| {
            let write = scope.spawn(|| change(&store, kept.reference, merge(&[("name", "new")])));
            wait_until(|| num_syncs.load(Ordering::SeqCst) > before);
            // Rejected because of a write of the same commit or a later one. Neither is ever on the
            // disk.
            let later = scope.spawn(|| create(&store, user(2), &[]));
            let read = scope.spawn(|| store.get(kept.reference));
            let found = scope.spawn(|| store.search(SearchKey::Name, "new", 9));
            thread::sleep(Duration::from_millis(50));
            sync_state.store(failure, Ordering::SeqCst);
            for write in [write, later] {
                match write.join().expect("no panic") {
                    Err(ProfileFault::Failed(error)) => check_failed::<()>(Err(error)),
                    other => panic!("it should have failed: {other:?}"),
                }
            }
            check_failed(read.join().expect("no panic"));
            check_failed(found.join().expect("no panic"));
        });
        sync_state.store(PASSES, Ordering::SeqCst);
        check_failed(store.get(kept.reference));
        check_failed(store.find(&user(1)));
        check_failed(store.search(SearchKey::Name, "old", 9));
        check_failed(store.snapshot());
        check_failed(snapshot.next().expect("an error"));
        assert!(snapshot.next().is_none());
        assert!(matches!(create(&store, user(3), &[]), Err(ProfileFault::Failed(Error::ProfilesFailed(_)))));
        assert_eq!(store.state().num_writes, 1);
        assert!(store.state().failure.expect("a reason").to_string().contains("the disk is gone"));
        drop((snapshot, store));

        // Acknowledged writes are stored; the others may be, since only the sync failed.
        let store = open(folder.path());
        let read = store.get(kept.reference).expect("read").expect("there");
        assert!(read == kept || read.attributes.get("name") == Some("new"));
        assert_eq!(store.find(&user(3)).expect("read"), None);
    }
}

#[test]
fn after_a_failed_sync_nothing_more_is_written_not_even_the_removal_of_copies() {
    // More than are removed at a time.
    const NUM_PROFILES: u128 = 600;
    let folder = tempfile::tempdir().expect("a folder");
    let (store, sync_state, num_syncs) = open_counted(folder.path());
    let made: Vec<Profile> = (0..NUM_PROFILES).map(|number| create(&store, user(number), &[]).expect("made")).collect();
    let snapshot = store.snapshot().expect("a snapshot");
    for profile in &made {
        change(&store, profile.reference, merge(&[("a", "b")])).expect("changed");
    }
    let before = num_syncs.load(Ordering::SeqCst);
    sync_state.store(WAITS, Ordering::SeqCst);
    drop(snapshot);
    // The first copies are being removed.
    wait_until(|| num_syncs.load(Ordering::SeqCst) > before);
    let num_left = num_copies(&store);
    assert!((1..made.len()).contains(&num_left), "{num_left}");
    let answers =
        submit(&store, ProfileWrite::Change(made[0].reference, merge(&[("a", "c")]), Precondition::None), anybody());
    sync_state.store(PASSES_ONCE, Ordering::SeqCst);
    assert!(matches!(answers.recv().expect("an answer"), Err(ProfileFault::Failed(Error::ProfilesFailed(_)))));
    check_failed(store.snapshot());
    // The engine did not even begin to remove more.
    assert_eq!((num_copies(&store), num_syncs.load(Ordering::SeqCst)), (num_left, before + 2));
}

#[test]
fn permissions_are_checked_right_before_the_commit() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, sync_state, num_syncs) = open_counted(folder.path());
    let made = create(&store, user(1), &[("a", "1")]).expect("made");
    let before = num_syncs.load(Ordering::SeqCst);
    let is_permitted = Arc::new(AtomicBool::new(true));
    let asked = Arc::clone(&is_permitted);
    let permission: Permission = Arc::new(move || asked.load(Ordering::SeqCst));
    sync_state.store(WAITS, Ordering::SeqCst);
    let write = |value: &str| ProfileWrite::Change(made.reference, merge(&[("a", value)]), Precondition::None);
    let first = submit(&store, write("2"), anybody());
    wait_until(|| num_syncs.load(Ordering::SeqCst) > before);
    // It waits for the first one. Its permission is revoked only then.
    let second = submit(&store, write("3"), permission);
    is_permitted.store(false, Ordering::SeqCst);
    sync_state.store(PASSES, Ordering::SeqCst);
    let first = written(first.recv().expect("an answer"));
    assert_eq!(refusal(second.recv().expect("an answer")), Refusal::NotPermitted);
    let panics: Permission = Arc::new(|| panic!("a fault of the caller"));
    assert_eq!(refusal(submit(&store, write("4"), panics).recv().expect("an answer")), Refusal::NotPermitted);
    assert_eq!(store.get(made.reference).expect("read").expect("there"), first);
    change(&store, made.reference, merge(&[("a", "5")])).expect("the store goes on");
}

#[test]
fn unknown_free_space_blocks_writes_and_is_in_the_state() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (path, moved) = (folder.path().join("profiles"), folder.path().join("moved"));
    let store = open(&path);
    std::fs::rename(&path, &moved).expect("movable");
    let problem = || store.state().unwritable.map(|problem| problem.kind());
    assert!(matches!(create(&store, user(1), &[]), Err(ProfileFault::Failed(Error::NoRoom { .. }))));
    assert_eq!((problem(), store.state().failure), (Some("free space unknown"), None));
    std::fs::rename(&moved, &path).expect("movable");
    create(&store, user(1), &[]).expect("room");
    assert_eq!(problem(), None);
}
