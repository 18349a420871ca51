//! Snapshots of a store during writes.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::super::files::opening::OpenedStore;
use super::super::files::verify::verify;
use super::*;

/// Returns all profiles, by reference.
fn sorted(mut profiles: Vec<Profile>) -> Vec<Profile> {
    profiles.sort_unstable_by_key(|profile| profile.reference);
    profiles
}

#[test]
fn a_snapshot_shows_its_beginning_whatever_is_written_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made: Vec<Profile> =
        (0..300).map(|number| create(&store, user(number), &[("name", "old")]).expect("made")).collect();
    let mut expected = sorted(made.clone());
    let mut early = store.snapshot().expect("a snapshot");
    let first = early.next().expect("one").expect("a line");
    assert_eq!(first, record::line(&expected[0]));
    for profile in &made {
        change(&store, profile.reference, merge(&[("name", "new")])).expect("changed");
        change(&store, profile.reference, merge(&[("name", "newer")])).expect("changed");
    }
    let later = store.snapshot().expect("a snapshot");
    for number in 300..350 {
        create(&store, user(number), &[]).expect("made");
    }
    for profile in &made[..100] {
        change(&store, profile.reference, merge(&[("name", "newest")])).expect("changed");
    }
    assert_eq!(lines(early), expected[1..]);
    for profile in &mut expected {
        profile.version = 3;
        profile.attributes.set("name", "newer");
    }
    assert_eq!(lines(later), expected);
    // The copies for them are removed.
    wait_for_removal(&store);
    drop(store);
    let store = OpenedStore::open_if_present(folder.path(), Box::new(File::sync_data));
    let store = store.expect("sound").expect("there");
    assert_eq!(store.database.keys(keys::COPY, 1).expect("read").len(), 0);
    assert_eq!(verify(&store).expect("sound"), 350);
}

#[test]
fn a_snapshot_under_constant_writes_is_of_one_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let references: Vec<ProfileReference> =
        (0..200).map(|number| create(&store, user(number), &[("round", "0")]).expect("made").reference).collect();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        // One after the other, so that at any moment the first ones are at most one round ahead of
        // the last ones.
        scope.spawn(|| {
            for round in 1.. {
                for reference in &references {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    change(&store, *reference, merge(&[("round", &round.to_string())])).expect("changed");
                }
            }
        });
        for _ in 0..10 {
            let snapshot = store.snapshot().expect("a snapshot");
            thread::sleep(std::time::Duration::from_millis(20));
            let shown = lines(snapshot);
            assert_eq!(shown.len(), references.len());
            let round = |reference: &ProfileReference| {
                let profile = shown.iter().find(|profile| profile.reference == *reference).expect("shown");
                let round = profile.attributes.get("round").expect("there").parse::<u64>().expect("a number");
                assert_eq!(profile.version, round + 1);
                round
            };
            let rounds: Vec<u64> = references.iter().map(round).collect();
            assert!(rounds.is_sorted_by(|left, right| left >= right) && rounds[0] - rounds[199] <= 1, "{rounds:?}");
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_snapshot_outlives_the_store_and_what_it_leaves_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create(&store, user(1), &[]).expect("made");
    let snapshot = store.snapshot().expect("a snapshot");
    change(&store, made.reference, merge(&[("a", "1")])).expect("changed");
    drop(store);
    let error = Profiles::open(folder.path(), CONFIG).err().expect("it is still in use").to_string();
    assert!(error.contains("GET /profiles/export"), "{error}");
    assert_eq!(lines(snapshot), [made]);
    let store = open(folder.path());
    assert_eq!(lines(store.snapshot().expect("a snapshot"))[0].version, 2);
    wait_for_removal(&store);
}

/// Waits until all copies are removed.
fn wait_for_removal(store: &Profiles) {
    let started = Instant::now();
    while num_copies(store) > 0 {
        assert!(started.elapsed() < Duration::from_mins(1), "{} copies stay", num_copies(store));
        thread::sleep(Duration::from_millis(1));
    }
    // They are gone before their removal is synced. The committer begins a snapshot only after
    // that.
    drop(store.snapshot().expect("a snapshot"));
}

#[test]
fn copies_are_removed_a_few_at_a_time_and_each_time_synced() {
    const NUM_PROFILES: u128 = 600;
    let folder = tempfile::tempdir().expect("a folder");
    let num_syncs = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&num_syncs);
    let sync = move |file: &File| {
        counter.fetch_add(1, Ordering::SeqCst);
        file.sync_data()
    };
    let store = Profiles::open_with(folder.path(), CONFIG, Box::new(sync)).expect("a store");
    let made: Vec<Profile> = (0..NUM_PROFILES).map(|number| create(&store, user(number), &[]).expect("made")).collect();
    let snapshot = store.snapshot().expect("a snapshot");
    for profile in &made {
        change(&store, profile.reference, merge(&[("a", "b")])).expect("changed");
    }
    assert_eq!(num_copies(&store), made.len());
    let before = num_syncs.load(Ordering::SeqCst);
    drop(snapshot);
    wait_for_removal(&store);
    // The engine would reuse removed entries at once and overwrite them.
    let removals = num_syncs.load(Ordering::SeqCst) - before;
    assert_eq!(removals, 3, "for {NUM_PROFILES} copies");
}

#[test]
fn leftover_copies_of_a_killed_process_are_removed_and_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let profile = create(&store, user(1), &[("a", "1")]).expect("made");
    drop(store);
    let left = OpenedStore::open_if_present(folder.path(), Box::new(File::sync_data)).expect("sound");
    let left = left.expect("there");
    let mut batch = sled::Batch::default();
    for snapshot in [0, 7] {
        batch.insert(keys::copy(snapshot, profile.reference), b"of another time");
    }
    left.database.apply(batch).expect("applied");
    left.database.make_durable().expect("synced");
    drop(left);

    let store = open(folder.path());
    let snapshot = store.snapshot().expect("a snapshot");
    change(&store, profile.reference, merge(&[("a", "2")])).expect("changed");
    assert_eq!(lines(snapshot), [profile]);
    wait_for_removal(&store);
}
