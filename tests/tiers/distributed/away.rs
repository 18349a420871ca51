//! Stores that are away for a while.

use std::fs;

use support::TestFolder;
use support::machine::wait_for;

use support::replicas::{Site, readiness, served_state, wait_for_problem, wait_until_served};

#[test]
fn replicas_serve_their_data_while_the_store_is_away() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let first = site.publish_state(1);
    let mut replica = site.replica(folder.path());
    wait_until_served(&replica, first);
    let away = site.store().with_extension("away");
    fs::rename(site.store(), &away).expect("there");
    wait_for_problem(&replica, "refused: pointer", &["CURRENT-proteins"]);
    assert_eq!((served_state(&replica), readiness(&replica).0), (1, 200));
    // It also starts without a store.
    replica.kill();
    let replica = site.replica(folder.path());
    wait_for_problem(&replica, "refused: pointer", &["CURRENT-proteins"]);
    assert_eq!((served_state(&replica), readiness(&replica).0), (1, 200));
    fs::rename(&away, site.store()).expect("there");
    wait_for("the store", || readiness(&replica).1["proteins"].get("problem").is_none().then_some(()));
    wait_until_served(&replica, site.publish_state(2));
    assert_eq!(served_state(&replica), 2);
}
