//! Many clients with one search, and more searches than may wait.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use axum::http::StatusCode;
use support::machine::wait_for;

use support::similarity::client::{Client, detail, id, order};
use support::similarity::engine::WAITS;
use support::similarity::proteins::data;
use support::similarity::site::Site;

#[test]
fn a_thousand_clients_with_the_same_query_share_one_run() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "2"]);
    let (ids, next) = (Mutex::new(BTreeSet::new()), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= 1000 {
                        return;
                    }
                    let client = Client { server: &server, number: u8::try_from(1 + number % 250).expect("small") };
                    let answer = client.post(&order(0));
                    assert!(matches!(answer.status, StatusCode::OK | StatusCode::ACCEPTED), "{answer:?}");
                    ids.lock().expect("no panic").insert(id(&answer));
                    // Some arrive while it waits, and some while it runs or after it has ended.
                    if number == 700 {
                        site.go();
                    }
                }
            });
        }
    });
    let ids = ids.into_inner().expect("no panic");
    // Each client has its own search.
    assert_eq!(ids.len(), 1000);
    for id in ids.iter().step_by(100) {
        let state = Client::new(&server).wait(id);
        assert_eq!((&state["state"], &state["hits"]), (&"done".into(), &300.into()));
    }
    assert_eq!(site.num_runs(), 1);
}

#[test]
fn clients_take_turns_and_share_the_queue() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = |number| Client { server: &server, number };
    let first = client(1).begin(&order(0));
    site.wait_for_runs(1);
    let of_one: Vec<_> = (1..9).map(|number| client(1).begin(&order(number))).collect();
    let refused = client(1).post(&order(9));
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
    assert!(detail(&refused).contains("8 of your searches are waiting"), "{refused:?}");
    // A known search does not count as a waiting one.
    let known = [client(1).begin(&order(0)), client(1).begin(&order(3))];
    assert_eq!(known.map(|id| site.run(&id)), [&first, &of_one[2]].map(|id| site.run(id)));
    let of_other = client(2).begin(&order(9));
    // The first client has used more processor time.
    let position = |id: &str| client(1).state(id)["position"].as_u64();
    assert_eq!((position(&of_one[0]), position(&of_other), position(&of_one[7])), (Some(1), Some(0), Some(8)));
    site.go();
    for id in of_one.iter().chain([&of_other]) {
        assert_eq!(client(1).wait(id)["state"], "done");
    }
    assert_eq!(site.num_runs(), 10);
}

#[test]
fn at_most_256_searches_wait() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = |number: usize| Client { server: &server, number: u8::try_from(1 + number / 8).expect("few clients") };
    client(0).begin(&order(300));
    site.wait_for_runs(1);
    let ids: BTreeSet<_> = (0..256).map(|number| client(number).begin(&order(number))).collect();
    assert_eq!(ids.len(), 256);
    let refused = client(256).post(&order(256));
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
    assert!(detail(&refused).contains("queue is full (256 searches)"), "{refused:?}");
    // A removed search makes room for another.
    assert_eq!(client(0).remove(ids.first().expect("some")).status, StatusCode::NO_CONTENT);
    let taken = client(256).post(&order(256));
    assert_eq!(taken.status, StatusCode::ACCEPTED, "{taken:?}");
    let all = site.files();
    wait_for("the folder of each", || {
        let folders: BTreeSet<_> = all.iter().filter_map(|file| file.split('/').next()).collect();
        (folders.len() == 257).then_some(())
    });
}
