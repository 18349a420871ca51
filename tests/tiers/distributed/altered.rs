//! Objects that are altered or missing.

use std::fs::{self, OpenOptions};

use support::TestFolder;
use support::generation::segment_file;
use support::machine::wait_for;

use support::replicas::{Site, measured, served_state, wait_for_problem, wait_until_served};

#[test]
fn flipped_bits_are_refused_until_they_are_fixed() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let first = site.publish_state(1);
    let mut replica = site.replica(folder.path());
    wait_until_served(&replica, first);
    replica.kill();
    let second = site.publish_state(2);
    let object = site.object_of(second);
    let sound = fs::read(&object).expect("published");
    let mut damaged = sound.clone();
    damaged[sound.len() / 2] ^= 4;
    fs::write(&object, damaged).expect("writable");
    let replica = site.replica(folder.path());
    let name = object.file_name().expect("a name").to_string_lossy().into_owned();
    wait_for_problem(&replica, "refused: object", &[&name, "is refused"]);
    wait_for("another attempt", || (measured(&replica, "mgdex_replica_refusals_total") >= 2).then_some(()));
    assert_eq!(replica.log().matches("a new generation cannot be adopted").count(), 1, "{}", replica.log());
    assert_eq!(measured(&replica, "mgdex_replica_lag_generations"), 1);
    assert_eq!((served_state(&replica), replica.get("/readyz").0), (1, 200));
    fs::write(object, sound).expect("writable");
    wait_until_served(&replica, second);
    assert_eq!(served_state(&replica), 2);
}

#[test]
fn damaged_files_of_a_replica_are_fetched_again() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let first = site.publish_state(1);
    let replica = site.replica(folder.path());
    wait_until_served(&replica, first);
    let fetched = measured(&replica, "mgdex_replica_fetched_bytes_total");
    // No request for proteins is sent before the damage is noticed.
    OpenOptions::new().write(true).open(segment_file(&folder, "term")).and_then(|file| file.set_len(1)).expect("there");
    wait_for("another fetch", || (measured(&replica, "mgdex_replica_fetched_bytes_total") > fetched).then_some(()));
    wait_until_served(&replica, first);
    assert_eq!(served_state(&replica), 1);
    wait_for("the end of the problem", || {
        let (status, body) = replica.get("/readyz");
        (status == 200 && !body.contains("problem")).then_some(())
    });
}
