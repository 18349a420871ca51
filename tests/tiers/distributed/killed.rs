//! Replicas that are killed while they fetch.

use std::fs;

use support::TestFolder;
use support::machine::{Server, wait_for};

use support::replicas::{Site, fetches, readiness, served_state, wait_until_served};

#[test]
fn received_objects_are_not_fetched_again() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let name = site.publish_state(1);
    let mut slow = site.replica_command(folder.path(), &["--services", "proteins", "--follow-rate", "1500"]);
    let mut replica = Server::of_command(&mut slow);
    let journal = folder.path().join(format!("proteins/receiving-{name}/fetched"));
    let num_arrived = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    wait_for("some objects", || (num_arrived() > 3).then_some(()));
    let (status, body) = readiness(&replica);
    let progress = body["proteins"]["progress"].as_str().unwrap_or_default();
    assert!(status == 503 && progress.starts_with(&format!("fetching generation {name}: ")), "{status} {body}");
    replica.kill();
    let (num_arrived, num_all) = (num_arrived(), fetches(&replica)[0]);
    assert!(num_arrived < num_all, "{num_arrived} of {num_all}: it was killed too late");
    let replica = site.replica(folder.path());
    wait_until_served(&replica, name);
    assert_eq!(fetches(&replica), [num_all - num_arrived]);
    assert_eq!(served_state(&replica), 1);
    let left: Vec<_> = fs::read_dir(folder.path().join("proteins")).expect("there").flatten().collect();
    assert!(left.iter().all(|entry| !entry.file_name().to_string_lossy().starts_with("receiving")), "{left:?}");
}

#[test]
fn copies_of_the_catalogue_can_be_deleted() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    site.load_catalogue(&["--keep-sealed"]);
    site.publish(&[]);
    let serve = || Server::of_command(&mut site.replica_command(folder.path(), &["--services", "catalogue"]));
    let wait_until_ready = |server: &Server| {
        wait_for("the catalogue", || (readiness(server).1["catalogue"]["status"] == "ready").then_some(()));
        server.get("/metagenomics/api/v1/studies?page_size=5")
    };
    let mut replica = serve();
    let answer = wait_until_ready(&replica);
    assert_eq!(answer.0, 200);
    replica.kill();
    let verified = || {
        let output = support::machine::mgdex("verify", folder.path()).output().expect("the binary");
        support::replicas::succeeded(&output)
    };
    assert!(verified().contains("checked the database and its sealed copy"), "{}", verified());
    let name = readiness_name(folder.path());
    fs::remove_dir_all(folder.path().join("catalogue").join(name).join("resources")).expect("there");
    assert!(verified().contains("checked the sealed copy"), "{}", verified());
    let mut replica = serve();
    assert_eq!(wait_until_ready(&replica), answer);
    replica.kill();
    fs::remove_dir_all(folder.path().join("catalogue")).expect("there");
    assert_eq!(wait_until_ready(&serve()), answer);
}

/// Returns the name of the current generation of the catalogue.
fn readiness_name(data: &std::path::Path) -> String {
    fs::read_to_string(data.join("catalogue/CURRENT")).expect("published").trim().to_owned()
}
