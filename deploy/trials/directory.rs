//! The directory, which servers follow over the object store.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use store::UserReference;
use support::machine::{Server, or_skip, wait_for};
use support::network::Network;
use support::profile_writers::{Access, Connection, print_to_stderr};
use support::{TestFolder, program};
use uuid::Uuid;

/// The number of times the user is locked and unlocked.
const NUM_LOCKS: usize = 2;

/// Loads a directory with one user, and publishes it.
fn publish(publisher: &TestFolder, store: &Path, user: UserReference, is_locked: bool) {
    let line = json!({"type": "user", "userReference": user.to_string(), "accountNonLocked": !is_locked});
    publisher.input("directory.jsonl", format!("{line}\n"));
    let mut load = program();
    load.args(["directory", "load", "--quiet"]).arg(publisher.path().join("directory.jsonl"));
    let mut publish = program();
    publish.args(["publish", "--quiet", "--to"]).arg(store);
    for mut command in [load, publish] {
        let done = command.arg("--data").arg(publisher.path()).output().expect("the binary");
        assert!(done.status.success(), "{done:?}");
    }
}

/// Waits until a server gives a user this answer.
fn wait_until_answered(server: &Server, token: &str, status: u16) {
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    wait_for("the directory", || {
        (connection.get("/my/profile", token).expect("an answer").status == status).then_some(())
    });
}

#[test]
fn all_servers_apply_locks_of_a_published_directory() {
    let Some(network) = or_skip(Network::new()) else { return };
    let (access, publisher, store) = (Access::new(), TestFolder::empty(), TestFolder::empty());
    let user = UserReference::new(Uuid::new_v4());
    let token = access.token(user);
    publish(&publisher, store.path(), user, false);
    let folders = [(); 2].map(|()| TestFolder::empty());
    let servers = [0, 1].map(|number: usize| {
        let machine = network.node(&format!("server{number}"));
        let mut command = access.serve_at(&format!("{}:8080", machine.address()), folders[number].path());
        command.args(["--services", "profiles", "--follow"]).arg(store.path());
        Server::of_command(&mut machine.on(&command))
    });
    for server in &servers {
        wait_until_answered(server, &token, 200);
    }
    let mut slowest = Duration::ZERO;
    for is_locked in [true, false].repeat(NUM_LOCKS) {
        publish(&publisher, store.path(), user, is_locked);
        let started = Instant::now();
        for server in &servers {
            wait_until_answered(server, &token, if is_locked { 401 } else { 200 });
        }
        slowest = slowest.max(started.elapsed());
    }
    print_to_stderr(&format!(
        "who was locked was locked on both servers {slowest:.1?} after the directory was published, at the latest"
    ));
}
