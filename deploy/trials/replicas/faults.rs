//! Faults under load. After each of them, all replicas serve the newest publication.

use std::fs;
use std::thread;
use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use support::TestFolder;
use support::machine::kill_after;

use super::site::{Trial, succeeded};
use super::store::Store;

/// The duration of a broken link: longer than any part needs to notice.
const CUT: Duration = Duration::from_secs(5);

pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) stores: Stores,
    pub(crate) happen: fn(&mut Trial, &mut StdRng),
}

/// The stores that a fault is tried with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stores {
    All,
    /// With a server only in the long form, where it takes long.
    FolderFirst,
    /// A folder has no process.
    Server,
}

pub(crate) const ALL: [Fault; 9] = [
    Fault { name: "publications alone", stores: Stores::All, happen: publications },
    Fault { name: "a replica is killed", stores: Stores::All, happen: replica_killed },
    Fault { name: "the publisher is killed while it uploads", stores: Stores::FolderFirst, happen: publisher_killed },
    Fault { name: "the object store is killed", stores: Stores::Server, happen: store_killed },
    Fault { name: "a replica loses the object store", stores: Stores::FolderFirst, happen: store_cut_off },
    Fault { name: "the load balancer loses a replica", stores: Stores::All, happen: replica_cut_off },
    Fault { name: "the disk of a replica is full", stores: Stores::FolderFirst, happen: disk_full },
    Fault { name: "a bit flips in the object store", stores: Stores::FolderFirst, happen: bit_flipped },
    Fault { name: "all replicas are updated", stores: Stores::All, happen: updated },
];

fn pick_two(random: &mut StdRng) -> (usize, usize) {
    if random.random() { (0, 1) } else { (1, 0) }
}

fn publications(trial: &mut Trial, _: &mut StdRng) {
    for _ in 0..2 {
        trial.publish_next();
        trial.wait_until_served();
    }
}

/// A replica is killed at any moment of its taking over, and misses a publication.
fn replica_killed(trial: &mut Trial, random: &mut StdRng) {
    let (one, other) = pick_two(random);
    trial.publish_next();
    thread::sleep(Duration::from_millis(random.random_range(0..1500)));
    trial.kill_replica(one);
    trial.wait_until_served_by(other);
    trial.publish_next();
    trial.wait_until_served_by(other);
    trial.restart_replica(one);
    trial.wait_until_served();
}

fn publisher_killed(trial: &mut Trial, random: &mut StdRng) {
    trial.load_next();
    let slow = trial.publish_command(&["--rate", "100K"]).spawn().expect("the binary");
    let killed = kill_after(slow, Duration::from_millis(random.random_range(500..3000)));
    assert!(!killed.status.success(), "{killed:?}: it was killed too late");
    // This takes over its lease, and continues where it stopped.
    trial.publish();
    trial.wait_until_served();
}

/// The problems reported of a store that cannot be reached: an empty folder, or another machine.
const STORE_PROBLEMS: &[&str] = &["refused: pointer", "store unreachable"];

fn store_killed(trial: &mut Trial, random: &mut StdRng) {
    trial.load_next();
    // A publisher is at work, or it is not.
    let publisher =
        random.random::<bool>().then(|| trial.publish_command(&["--rate", "100K"]).spawn().expect("the binary"));
    thread::sleep(Duration::from_millis(random.random_range(0..1500)));
    let Store::S3(s3) = &mut trial.site.store else { panic!("a folder has no process") };
    s3.kill();
    for replica in &trial.site.replicas {
        replica.wait_for_problem(STORE_PROBLEMS);
    }
    if let Some(publisher) = publisher {
        // It may just have ended, or it tries for long.
        let _ = kill_after(publisher, Duration::from_secs(1));
    }
    let Store::S3(s3) = &mut trial.site.store else { panic!("a folder has no process") };
    s3.restart();
    trial.publish();
    trial.wait_until_served();
}

fn store_cut_off(trial: &mut Trial, random: &mut StdRng) {
    let (one, other) = pick_two(random);
    let node = trial.site.replicas[one].node.clone();
    trial.site.store.disconnect(&node);
    trial.publish_next();
    trial.wait_until_served_by(other);
    trial.site.replicas[one].wait_for_problem(STORE_PROBLEMS);
    trial.site.store.connect(&node);
    trial.wait_until_served();
}

fn replica_cut_off(trial: &mut Trial, random: &mut StdRng) {
    let (one, other) = pick_two(random);
    // Its link to everybody, or to the load balancer alone.
    let (node, balancer) = (trial.site.replicas[one].node.clone(), trial.site.balancer_node());
    let is_alone = random.random();
    if is_alone {
        node.cut();
    } else {
        node.cut_from(&balancer);
    }
    trial.publish_next();
    trial.wait_until_served_by(other);
    thread::sleep(CUT);
    if is_alone {
        node.restore();
    } else {
        node.reconnect_to(&balancer);
    }
    trial.wait_until_served();
}

fn disk_full(trial: &mut Trial, random: &mut StdRng) {
    let (one, other) = pick_two(random);
    let filler = trial.site.replicas[one].fill();
    trial.publish_next();
    trial.wait_until_served_by(other);
    trial.site.replicas[one].wait_for_problem(&["no room"]);
    fs::remove_file(filler).expect("there");
    trial.wait_until_served();
}

/// An object is damaged before a replica has fetched it, and fixed by publishing again.
fn bit_flipped(trial: &mut Trial, random: &mut StdRng) {
    let (one, other) = pick_two(random);
    let nodes = [one, other].map(|replica| trial.site.replicas[replica].node.clone());
    for node in &nodes {
        trial.site.store.disconnect(node);
    }
    trial.publish_next();
    let object = trial.site.store.object_of(trial.newest().proteins);
    trial.site.store.flip(&object);
    for node in &nodes {
        trial.site.store.connect(node);
    }
    for replica in &trial.site.replicas {
        replica.wait_for_problem(&["refused: object"]);
    }
    trial.site.store.remove(&object);
    succeeded(&trial.publish_command(&[]).output().expect("the binary"));
    trial.wait_until_served();
}

/// All replicas are updated, one after the other, to another program, while publications continue.
fn updated(trial: &mut Trial, _: &mut StdRng) {
    let folder = TestFolder::empty();
    let program = folder.path().join("mgdex-next");
    fs::copy(support::program().get_program(), &program).expect("room");
    for replica in 0..trial.site.replicas.len() {
        trial.publish_next();
        trial.update_replica(replica, &program);
    }
    trial.wait_until_served();
    for replica in 0..trial.site.replicas.len() {
        trial.update_replica(replica, support::program().get_program().as_ref());
    }
}
