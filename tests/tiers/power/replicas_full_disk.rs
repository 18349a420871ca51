//! Replicas whose disk is full.

use std::fs;

use support::TestFolder;
use support::machine::{Mount, Server, or_skip, wait_for};

use support::replicas::{Site, served_state, wait_for_problem, wait_until_served};

#[test]
fn replicas_with_a_full_disk_serve_their_data_until_there_is_room() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let Some(disk) = or_skip(Mount::tmpfs("80m", folder.path())) else { return };
    let first = site.publish_state(1);
    let replica = site.replica(disk.path());
    wait_until_served(&replica, first);
    let filler = disk.path().join("filler");
    fs::write(&filler, vec![0; 40 << 20]).expect("room");
    let second = site.publish_state(2);
    wait_for_problem(&replica, "no room", &["bytes of free space", &second.to_string()]);
    assert_eq!(served_state(&replica), 1);
    fs::remove_file(&filler).expect("there");
    wait_until_served(&replica, second);
    assert_eq!(served_state(&replica), 2);
}

#[test]
fn partial_downloads_are_removed_when_the_disk_gets_full() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let Some(disk) = or_skip(Mount::tmpfs("80m", folder.path())) else { return };
    let name = site.publish_state(1);
    let slowly = ["--services", "proteins", "--follow-rate", "1500"];
    let replica = Server::of_command(&mut site.replica_command(disk.path(), &slowly));
    let receiving = disk.path().join(format!("proteins/receiving-{name}"));
    wait_for("some objects", || {
        fs::read_to_string(receiving.join("fetched")).is_ok_and(|text| text.lines().count() > 3).then_some(())
    });
    let filler = disk.path().join("filler");
    fs::write(&filler, vec![0; 40 << 20]).expect("room");
    wait_for_problem(&replica, "no room", &["bytes of free space"]);
    wait_for("the room", || (!receiving.is_dir()).then_some(()));
    fs::remove_file(&filler).expect("there");
    wait_until_served(&replica, name);
    assert_eq!(served_state(&replica), 1);
}
