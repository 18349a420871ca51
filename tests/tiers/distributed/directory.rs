//! The directory at a replica: locked users are locked there too, and a directory known to be
//! outdated is not used.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use support::machine::{Server, wait_for};
use support::profile_writers::{Access, Answer, Connection, print_to_stderr};
use support::{TestFolder, program};

use support::replicas::{Site, readiness, succeeded};

/// Longer than an outdated directory is used.
const OUTDATED: Duration = Duration::from_secs(6);

/// Publishes a directory with one user.
fn publish_directory(site: &Site, access: &Access, is_locked: bool) -> String {
    let file = site.publisher.path().join("directory.jsonl");
    let user = json!({"type": "user", "userReference": access.searcher_reference, "accountNonLocked": !is_locked});
    fs::write(&file, user.to_string()).expect("writable");
    let mut load = program();
    load.args(["directory", "load", "--quiet", "--data"]).arg(site.publisher.path()).arg(file);
    succeeded(&load.output().expect("the binary"));
    site.publish(&[]);
    fs::read_to_string(site.publisher.path().join("directory/CURRENT")).expect("loaded").trim().to_owned()
}

fn ask(replica: &Server, access: &Access) -> Answer {
    let mut connection = Connection::open(replica.address()).expect("the server accepts");
    connection.get("/my/profile", &access.searcher).expect("an answer")
}

fn wait_for_status(replica: &Server, access: &Access, status: u16) -> Answer {
    wait_for("the answer", || Some(ask(replica, access)).filter(|answer| answer.status == status))
}

#[test]
fn locks_arrive_and_profiles_close_while_a_newer_directory_is_unavailable() {
    let (site, folder, access) = (Site::new(), TestFolder::empty(), Access::new());
    let key = access.public_key();
    let serve = || {
        let mut command = site.replica_command(folder.path(), &["--services", "profiles", "--jwt-key"]);
        Server::of_command(command.arg(&key))
    };
    let mut replica = serve();
    // Locks are not known yet.
    assert_eq!(ask(&replica, &access).status, 503);
    assert_eq!(readiness(&replica).1["directory"]["status"], "fetching");
    publish_directory(&site, &access, false);
    wait_for_status(&replica, &access, 200);

    // Newer data are unknown while the store is away.
    let away = site.store().with_extension("away");
    fs::rename(site.store(), &away).expect("there");
    wait_for("the problem", || readiness(&replica).1["directory"]["problem"].is_string().then_some(()));
    thread::sleep(OUTDATED);
    assert_eq!(ask(&replica, &access).status, 200);
    let (status, body) = readiness(&replica);
    assert_eq!(status, 200, "{body}");
    fs::rename(&away, site.store()).expect("there");

    replica.kill();
    let locked = publish_directory(&site, &access, true);
    let object = site.object_of_kind("directory", &locked);
    let mut damaged = fs::read(&object).expect("published");
    damaged[0] ^= 1;
    fs::write(&object, damaged).expect("writable");
    let replica = serve();
    let refused = wait_for_status(&replica, &access, 503);
    assert!(refused.body.contains("newer directory") && refused.header("retry-after") == "5", "{refused:?}");
    let (status, body) = readiness(&replica);
    assert_eq!((status, &body["directory"]["status"]), (503, &"failed".into()), "{body}");
    assert_eq!(body["directory"]["problem"], "refused: object", "{body}");
    assert!(body["directory"]["asked_seconds_ago"].is_u64(), "{body}");
    // It is known also while the store is away.
    fs::rename(site.store(), &away).expect("there");
    wait_for("the problem", || replica.log().contains("cannot be followed for now").then_some(()));
    assert_eq!(ask(&replica, &access).status, 503);
    fs::rename(&away, site.store()).expect("there");

    fs::remove_file(&object).expect("there");
    site.publish(&[]);
    let answer = wait_for_status(&replica, &access, 401);
    assert!(answer.body.contains("ACCOUNT_LOCKED"), "{answer:?}");
    assert_eq!(readiness(&replica).0, 200);

    let published = Instant::now();
    publish_directory(&site, &access, false);
    wait_for_status(&replica, &access, 200);
    print_to_stderr(&format!(
        "a change of the directory has arrived {:.1?} after its loading began",
        published.elapsed()
    ));
}
