//! Loads beside a running server, which switches to each new catalogue without a failed request.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;

use crate::loading::catalogue::{Folder, acknowledged};
use support::machine::{Server, wait_for};

/// Catalogues that are loaded under load.
const NUM_STATES: usize = 3;

/// Clients that ask at the same time.
const NUM_CLIENTS: usize = 2;

/// The samples of a state.
const NUM_SAMPLES: usize = 100;

/// Loads a state, whose samples all name its number.
fn load(folder: &Folder, number: usize) {
    let sample =
        |sample| format!(r#"{{"type": "samples", "id": "ERS{sample}", "attributes": {{"species": "{number}"}}}}"#);
    let lines: Vec<String> = (0..NUM_SAMPLES).map(sample).collect();
    acknowledged(&mut folder.load([folder.write("state.jsonl", lines.join("\n"))]));
}

/// Asks for all samples, and returns the number of the state that all of them are of.
fn served(server: &Server) -> String {
    let (status, body) = server.get("/metagenomics/api/v1/samples?page_size=250");
    assert_eq!(status, 200, "{body}");
    let page: Value = serde_json::from_str(&body).expect("JSON");
    let samples = page["data"].as_array().expect("a list");
    let numbers: BTreeSet<&str> =
        samples.iter().map(|sample| sample["attributes"]["species"].as_str().expect("a text")).collect();
    assert_eq!((samples.len(), numbers.len()), (NUM_SAMPLES, 1), "an answer is of one catalogue");
    (*numbers.first().expect("one")).to_owned()
}

#[test]
fn running_servers_switch_catalogues_without_failed_requests() {
    let folder = Folder::new();
    let server = Server::start(&folder.data());
    let (status, body) = server.get("/metagenomics/api/v1/samples");
    assert_eq!(status, 503);
    assert!(body.contains("mgdex catalogue load"), "{body}");
    load(&folder, 0);
    wait_for("the first catalogue", || {
        (server.get("/metagenomics/api/v1/samples").0 == 200).then(|| assert_eq!(served(&server), "0"))
    });
    let is_over = AtomicBool::new(false);
    let seen: BTreeSet<String> = thread::scope(|scope| {
        let ask = || {
            let mut seen = BTreeSet::new();
            while !is_over.load(Ordering::Relaxed) {
                seen.insert(served(&server));
            }
            seen
        };
        let clients: Vec<_> = (0..NUM_CLIENTS).map(|_| scope.spawn(ask)).collect();
        for number in 1..=NUM_STATES {
            load(&folder, number);
            wait_for("the next catalogue", || (served(&server) == number.to_string()).then_some(()));
        }
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().expect("no failed request")).collect()
    });
    assert!(seen.len() > NUM_STATES / 2, "only {seen:?} were seen");
    assert!(!server.log().contains("ERROR"), "{}", server.log());
}

#[test]
fn a_second_server_over_the_same_catalogue_is_refused_with_a_reason() {
    let folder = Folder::new();
    load(&folder, 0);
    let _first = Server::start(&folder.data());
    let mut second = support::program();
    second.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.data());
    let message = crate::loading::catalogue::refused(&mut second);
    assert!(message.contains("another mgdex process"), "{message}");
}
