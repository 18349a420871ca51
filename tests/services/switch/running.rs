//! A server that is running starts to use new generations.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::TestFolder;
use support::machine::{Inputs, Server, acknowledged, wait_for};

use super::{publish, state_of_search};

/// The longest time in which a running server must start to use a new generation.
const TAKE_OVER_MAX: Duration = Duration::from_secs(10);

/// Returns the number of the state that a server answers from.
fn served_state(server: &Server) -> u64 {
    let (status, body) = server.get_protein("/protein/search?biome_id=2&limit=1000");
    assert_eq!(status, 200, "{body}");
    state_of_search(&serde_json::from_str(&body).expect("JSON"), 1000)
}

/// Publishes a state with the binary, and waits until a running server serves it.
fn publish_and_wait(inputs: &Inputs, folder: &TestFolder, server: &Server, number: u64) {
    let name = acknowledged(&inputs.index(folder.path(), number).output().expect("the binary")).to_string();
    let started = Instant::now();
    wait_for("the new generation to be served", || {
        let (status, body) = server.get("/readyz");
        assert_eq!(status, 200, "{body}");
        let body: Value = serde_json::from_str(&body).expect("JSON");
        (body["proteins"]["generation"] == name).then_some(())
    });
    assert!(started.elapsed() < TAKE_OVER_MAX, "{:?}", started.elapsed());
    assert_eq!(served_state(server), number);
}

#[test]
fn running_servers_take_over_the_first_generation_and_skip_incomplete_ones() {
    let (inputs, folder) = (Inputs::new(), TestFolder::empty());
    let server = Server::start(folder.path());
    let (status, body) = server.get_protein("/protein/1");
    assert!(status == 503 && body.contains("mgdex index"), "{status} {body}");
    publish_and_wait(&inputs, &folder, &server, 1);
    let torn = folder.generations().path(publish(&folder, 2));
    fs::write(torn.join("manifest.json"), "{}").expect("writable");
    wait_for("the log line", || server.log().contains("a new generation cannot be served").then_some(()));
    assert_eq!(served_state(&server), 1);
    publish_and_wait(&inputs, &folder, &server, 3);
}
