//! Searches that are removed while they wait, while they run, and after they have ended.

use axum::http::StatusCode;
use support::machine::wait_for;

use support::similarity::client::{Client, detail, id, order};
use support::similarity::engine::{WAITS, assert_gone};
use support::similarity::proteins::data;
use support::similarity::site::Site;

/// Waits for a search, and for the processes that it has started.
const WAITS_WITH_OTHERS: &str = "sleep 1000 & echo $! >> PIDS; flock -s GO true; exec REAL \"$@\"";

/// Starts a search again, after a removed one has ended.
fn begin_again(client: Client, number: usize) -> String {
    wait_for("the end of the last run", || {
        let answer = client.post(&order(number));
        if answer.status == StatusCode::CONFLICT {
            assert!(detail(&answer).contains("being deleted"), "{answer:?}");
            return None;
        }
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{answer:?}");
        Some(id(&answer))
    })
}

#[test]
fn running_searches_are_removed_with_all_processes_of_their_engine() {
    let site = Site::with_engine(data(), WAITS_WITH_OTHERS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let id = client.begin(&order(0));
    site.wait_for_runs(2);
    assert_eq!(client.state(&id)["state"], "running");
    let answer = client.remove(&id);
    assert_eq!((answer.status, answer.body.len()), (StatusCode::NO_CONTENT, 0));
    for path in [format!("/searches/{id}"), format!("/searches/{id}?wait=1"), format!("/searches/{id}/hits")] {
        let answer = client.get(&path);
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(detail(&answer).contains(&id), "{answer:?}");
    }
    assert_eq!(client.remove(&id).status, StatusCode::NOT_FOUND);
    assert_gone(&site.pids());
    wait_for("the end of its folder", || site.files().is_empty().then_some(()));
    // The place is free, and the same search runs again.
    let id = begin_again(client, 0);
    site.wait_for_runs(4);
    site.go();
    assert_eq!(client.wait(&id)["hits"], 300);
    assert_eq!(site.num_runs(), 4);
    assert_gone(&site.pids());
}

#[test]
fn waiting_requests_are_answered_when_their_search_is_removed() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let id = client.begin(&order(0));
    site.wait_for_runs(1);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| client.get(&format!("/searches/{id}?wait=20")));
        // It may arrive before the other one. Then there is nothing to wait for.
        assert_eq!(client.remove(&id).status, StatusCode::NO_CONTENT);
        assert_eq!(waiting.join().expect("no panic").status, StatusCode::NOT_FOUND);
    });
    assert_gone(&site.pids());
}

#[test]
fn waiting_and_finished_searches_are_removed_and_can_be_restarted() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let mut ids = [0, 1, 2].map(|number| client.begin(&order(number)));
    site.wait_for_runs(1);
    assert_eq!(client.remove(&ids[1]).status, StatusCode::NO_CONTENT);
    assert_eq!(client.get(&format!("/searches/{}", ids[1])).status, StatusCode::NOT_FOUND);
    assert_eq!(client.remove(&ids[1]).status, StatusCode::NOT_FOUND);
    assert_eq!(client.state(&ids[2])["position"], 0);
    assert_eq!(site.files().iter().filter(|file| file.ends_with("/job.json")).count(), 2);
    site.go();
    assert_eq!(client.wait(&ids[2])["state"], "done");
    assert_eq!(site.num_runs(), 2);
    // A finished search is removed at once with its hits.
    let hits = client.text(&ids[2], "format=ndjson");
    assert_eq!(client.remove(&ids[2]).status, StatusCode::NO_CONTENT);
    assert_eq!(client.hits(&ids[2], "format=ndjson").status, StatusCode::NOT_FOUND);
    ids[2] = begin_again(client, 2);
    assert_eq!(client.wait(&ids[2])["state"], "done");
    assert_eq!(client.text(&ids[2], "format=ndjson"), hits);
    ids[1] = begin_again(client, 1);
    assert_eq!(client.wait(&ids[1])["state"], "done");
    assert_eq!(site.num_runs(), 4);
    // A removed search is still removed after a restart.
    assert_eq!(client.remove(&ids[0]).status, StatusCode::NO_CONTENT);
    drop(server);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    assert_eq!(client.get(&format!("/searches/{}", ids[0])).status, StatusCode::NOT_FOUND);
    assert_eq!(client.state(&ids[1])["state"], "done");
}

#[test]
fn unknown_searches_are_404() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let long = "9".repeat(5000);
    for id in ["3f2f3b5e-7f0c-4c1e-9c55-0f4a3d0f4b6a", "x", "LOCK", "..", "%2e%2e%2fproteins", "%00", &long] {
        for answer in [client.get(&format!("/searches/{id}")), client.hits(id, "format=tsv"), client.remove(id)] {
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{id}: {answer:?}");
            assert!(!detail(&answer).is_empty() && answer.body.len() < 500, "{answer:?}");
        }
    }
    for wait in ["21", "-1", "x", "1.5", "18446744073709551616"] {
        let answer = client.get(&format!("/searches/x?wait={wait}"));
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wait}: {answer:?}");
    }
    assert_eq!(client.get("/searches/x?pause=1").status, StatusCode::UNPROCESSABLE_ENTITY);
}
