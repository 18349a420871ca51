//! A clock that is set back: searches that ended in the future are kept, and new ones are found.

use std::fs;

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::machine::Server;

use support::similarity::client::{Client, order};
use support::similarity::engine::{AT_ONCE, WAITS};
use support::similarity::proteins::data;
use support::similarity::site::Site;

/// Changes a time in a file of a search.
fn set(site: &Site, id: &str, (file, name): (&str, &str), time: &str) {
    let path = site.searches().join(site.run(id)).join(file);
    let text = fs::read_to_string(&path).expect("readable");
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    *value.pointer_mut(name).unwrap_or_else(|| panic!("{text}")) = json!(time);
    fs::write(&path, value.to_string()).expect("writable");
}

const FINISHED: (&str, &str) = ("done.json", "/finished");
const CREATED: (&str, &str) = ("job.json", "/asked/0/created");

fn assert_quiet(server: &Server) {
    let log = server.log();
    assert!(!log.contains("panicked") && !log.contains(" ERROR "), "{log}");
}

#[test]
fn searches_that_have_ended_in_the_future_are_kept() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let ids = [0, 1, 2, 3].map(|number| Client::new(&server).search(&order(number)));
    drop(server);
    set(&site, &ids[0], FINISHED, "2099-01-02T03:04:05.678901234Z");
    set(&site, &ids[1], CREATED, "2099-01-02T03:04:05Z");
    for time in [FINISHED, CREATED] {
        set(&site, &ids[2], time, "2098-01-02T03:04:05+14:00");
        // An old search is removed.
        set(&site, &ids[3], time, "2020-01-02T03:04:05Z");
    }
    let server = site.serve(&["--search-keep", "1h"]);
    let client = Client::new(&server);
    for id in &ids[..3] {
        let state = client.state(id);
        assert_eq!(state["state"], "done", "{state}");
        assert_eq!(client.text(id, "format=ndjson").lines().count(), 300);
    }
    let state = client.state(&ids[0]);
    assert_eq!(
        (&state["finished"], &state["expires"]),
        (&json!("2099-01-02T03:04:05Z"), &json!("2099-01-02T04:04:05Z"))
    );
    assert_eq!(client.state(&ids[1])["created"], "2099-01-02T03:04:05Z");
    assert_eq!(client.get(&format!("/searches/{}", ids[3])).status, StatusCode::NOT_FOUND);
    // New searches are added and removed as usual.
    let new = [4, 5].map(|number| client.search(&order(number)));
    assert_eq!(client.remove(&new[0]).status, StatusCode::NO_CONTENT);
    assert_eq!(client.remove(&ids[0]).status, StatusCode::NO_CONTENT);
    assert_eq!(client.state(&ids[2])["state"], "done");
    assert_eq!(site.run(&client.begin(&order(2))), site.run(&ids[2]));
    assert_eq!(site.num_runs(), 6);
    assert_quiet(&server);
}

#[test]
fn searches_queued_in_the_future_run() {
    let site = Site::with_engine(data(), WAITS);
    let mut server = site.serve(&["--search-jobs", "1"]);
    let ids = [0, 1, 2].map(|number| Client::new(&server).begin(&order(number)));
    site.wait_for_runs(1);
    server.kill();
    set(&site, &ids[1], CREATED, "2099-01-02T03:04:05Z");
    site.go();
    let server = site.serve(&[]);
    for id in &ids {
        assert_eq!(Client::new(&server).wait(id)["state"], "done");
    }
    assert_quiet(&server);
}

#[test]
fn searches_with_very_late_times_are_answered() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let ids = [0, 1].map(|number| Client::new(&server).search(&order(number)));
    drop(server);
    set(&site, &ids[0], FINISHED, "9999-12-31T23:59:59Z");
    set(&site, &ids[1], CREATED, "9999-12-31T23:59:59Z");
    let server = site.serve(&["--search-keep", "365d"]);
    let client = Client::new(&server);
    for id in &ids {
        for path in [format!("/searches/{id}"), format!("/searches/{id}/hits")] {
            let answer = client.get(&path);
            assert_eq!(answer.status, StatusCode::OK, "{path}: {answer:?}");
        }
    }
    assert_eq!(client.post(&order(0)).status, StatusCode::OK);
    assert_eq!(client.get("/proteins?limit=1").status, StatusCode::OK);
    assert_quiet(&server);
}
