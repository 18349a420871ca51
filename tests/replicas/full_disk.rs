//! Replicas whose disk is full.

use std::fs;

use support::TestFolder;
use support::machine::{Mount, or_skip};

use crate::site::{Site, served_state, wait_for_problem, wait_until_served};

#[test]
fn a_replica_with_a_full_disk_serves_what_it_has_until_there_is_room() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let Some(disk) = or_skip(Mount::tmpfs("80m", folder.path())) else { return };
    let first = site.publish_state(1);
    let replica = site.replica(disk.path());
    wait_until_served(&replica, first);
    let filler = disk.path().join("filler");
    fs::write(&filler, vec![0; 40 << 20]).expect("room");
    let second = site.publish_state(2);
    let problem = wait_for_problem(&replica, "bytes of free space");
    assert!(problem.contains(&second.to_string()), "{problem}");
    assert_eq!(served_state(&replica), 1);
    fs::remove_file(&filler).expect("there");
    wait_until_served(&replica, second);
    assert_eq!(served_state(&replica), 2);
}
