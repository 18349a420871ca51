//! Requests that wait for the end of a search: they do not block others, and end with the search.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use support::machine::wait_for;

use support::similarity::client::{Client, order};
use support::similarity::engine::WAITS;
use support::similarity::proteins::data;
use support::similarity::site::Site;

/// The limit on requests. A quarter of them may wait, and each client may have half of these.
const MAX_REQUESTS: usize = 8;
const NUM_WAITING: usize = MAX_REQUESTS / 4;

#[test]
fn waiting_requests_leave_places_for_others() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--max-requests", &MAX_REQUESTS.to_string()]);
    let id = Client::new(&server).begin(&order(0));
    site.wait_for_runs(1);
    let (answered, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for number in 1..7 {
            let client = Client { server: &server, number };
            let (id, answered, done) = (&id, &answered, &done);
            scope.spawn(move || {
                let answer = client.get(&format!("/searches/{id}?wait=20"));
                assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
                done.fetch_add(usize::from(answer.json()["state"] == "done"), Ordering::SeqCst);
                answered.fetch_add(1, Ordering::SeqCst);
            });
        }
        // As many as allowed wait, and the others are answered at once.
        wait_for("answers", || (answered.load(Ordering::SeqCst) == 6 - NUM_WAITING).then_some(()));
        for number in 10..40 {
            let client = Client { server: &server, number };
            assert_eq!(client.get("/proteins?limit=1").status, StatusCode::OK);
            assert_eq!(client.state(&id)["state"], "running");
        }
        assert_eq!((answered.load(Ordering::SeqCst), done.load(Ordering::SeqCst)), (6 - NUM_WAITING, 0));
        site.go();
    });
    // The waiting requests are answered at the end.
    assert_eq!(done.load(Ordering::SeqCst), NUM_WAITING);
}

#[test]
fn waiting_requests_end_with_their_search_or_time_out() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let ids = [0, 1].map(|number| client.begin(&order(number)));
    site.wait_for_runs(1);
    thread::scope(|scope| {
        for (id, state) in [(&ids[0], "running"), (&ids[1], "waiting")] {
            scope.spawn(move || {
                let began = Instant::now();
                let answer = client.get(&format!("/searches/{id}?wait=1"));
                assert_eq!(answer.json()["state"], state);
                assert!(began.elapsed() >= Duration::from_secs(1));
            });
        }
    });
    let states = thread::scope(|scope| {
        let waiting = ids.each_ref().map(|id| scope.spawn(move || client.get(&format!("/searches/{id}?wait=20"))));
        // Sleeps so that most likely both wait.
        thread::sleep(Duration::from_millis(200));
        site.go();
        waiting.map(|waiting| waiting.join().expect("no panic").json()["state"].clone())
    });
    assert_eq!(states, ["done", "done"]);
    // A search that has ended is answered without waiting.
    let began = Instant::now();
    assert_eq!(client.get(&format!("/searches/{}?wait=20", ids[0])).json()["state"], "done");
    assert!(began.elapsed() < Duration::from_secs(15));
    let answer = client.get(&format!("/searches/{}?wait=0", ids[0]));
    assert_eq!((answer.status, answer.header("cache-control")), (StatusCode::OK, "no-store"));
}

#[test]
fn stopping_servers_answer_waiting_requests() {
    let site = Site::with_engine(data(), WAITS);
    let mut server = site.serve(&[]);
    let id = Client::new(&server).begin(&order(0));
    site.wait_for_runs(1);
    let answer = thread::scope(|scope| {
        let (client, path) = (Client::new(&server), format!("/searches/{id}?wait=2"));
        let waiting = scope.spawn(move || client.get(&path));
        // Sleeps so that the request has reached the server.
        thread::sleep(Duration::from_millis(500));
        server.terminate();
        waiting.join().expect("no panic")
    });
    assert_eq!((answer.status, answer.json()["state"].as_str()), (StatusCode::OK, Some("running")));
    assert_eq!(server.wait().code(), Some(0), "{}", server.log());
}
