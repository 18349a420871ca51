//! The space of searches on the disk: clients do not evict the results of others, and the total
//! stays below the limit.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use axum::http::StatusCode;
use serde_json::{Value, json};

use support::similarity::client::{Client, detail, order};
use support::similarity::engine::{AT_ONCE, WAITS, profile};
use support::similarity::proteins::{QUERY, data};
use support::similarity::site::Site;

/// Returns an order of a profile that differs for each number.
fn order_of_profile(number: usize) -> Value {
    json!({ "hmm": profile(&QUERY.repeat(3)), "q": format!("length:[{} TO *]", 1 + number), "E": 1 })
}

/// Returns the number of bytes of a folder on the disk.
fn num_bytes(path: &Path) -> u64 {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let within: u64 = entries.map(|entry| num_bytes(&entry.path())).sum();
    within + path.symlink_metadata().map_or(0, |metadata| metadata.blocks() * 512)
}

#[test]
fn results_are_not_evicted_by_other_clients_or_failures() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&["--search-disk", "4M"]);
    let client = |number| Client { server: &server, number };
    let own = client(1).search(&order(0));
    let of_other: Vec<_> = (1..20).map(|number| client(2).search(&order(number))).collect();
    let is_kept = |id: &str| client(3).get(&format!("/searches/{id}")).status == StatusCode::OK;
    assert!(is_kept(&own));
    // The searches that ended first are removed.
    assert!(!is_kept(&of_other[0]) && is_kept(&of_other[18]));
    site.change_engine("exit 1");
    for number in 0..30 {
        let id = client(4).begin(&order_of_profile(number));
        let state = client(4).get(&format!("/searches/{id}?wait=20"));
        assert!(state.status == StatusCode::NOT_FOUND || state.json()["state"] == "failed", "{state:?}");
        let files = site.files();
        let mut queries = files.iter().filter_map(|file| file.strip_suffix("query.json"));
        assert!(queries.all(|run| files.contains(&format!("{run}hits.jsonl"))));
    }
    assert!(is_kept(&own) && is_kept(&of_other[18]));
    assert!(num_bytes(&site.searches()) < 4 << 20);
    // The next server knows the owners of the searches.
    drop(server);
    let server = site.serve(&["--search-disk", "1M"]);
    let client = Client::new(&server);
    assert_eq!(client.state(&own)["state"], "done");
    assert_eq!(client.get(&format!("/searches/{}", of_other[10])).status, StatusCode::NOT_FOUND);
}

#[test]
fn space_of_waiting_searches_is_limited_in_total_and_per_client() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1", "--search-disk", "8M"]);
    let client = |number| Client { server: &server, number };
    client(1).begin(&order_of_profile(0));
    site.wait_for_runs(1);
    client(2).begin(&order_of_profile(1));
    let refused = client(2).post(&order_of_profile(2));
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
    assert!(detail(&refused).contains("1 of your searches are waiting"), "{refused:?}");
    let refused = (3..40).find_map(|number| {
        let answer = client(number).post(&order_of_profile(number.into()));
        (answer.status != StatusCode::ACCEPTED).then_some(answer)
    });
    let refused = refused.expect("the queue is never full");
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
    assert!(detail(&refused).contains("queue is full"), "{refused:?}");
    let taken = num_bytes(&site.searches());
    assert!((1 << 20..3 << 20).contains(&taken), "{taken}");
    let other = Site::with_engine(data(), WAITS);
    let server = other.serve(&["--search-disk", "16K"]);
    let refused = Client::new(&server).post(&order(99));
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{refused:?}");
}

#[test]
fn searches_that_exceed_the_space_are_stopped() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&["--search-disk", "4M"]);
    let client = Client::new(&server);
    let kept = client.search(&order(0));
    for (number, script) in [
        "exec head -c 2M /dev/zero > alignments",
        "for name in hits domains alignments; do head -c 900000 /dev/zero > $name; done; cat > /dev/null; sleep 60",
    ]
    .into_iter()
    .enumerate()
    {
        site.change_engine(script);
        let state = client.wait(&client.begin(&order(1 + number)));
        let problem = state["problem"].as_str().unwrap_or_default();
        assert!(
            problem.contains(["the hits take more than 1 MiB", "the hits take more than 2 MiB"][number]),
            "{state}"
        );
        assert!(num_bytes(&site.searches()) < 1 << 20, "its files are left");
    }
    assert_eq!(client.state(&kept)["state"], "done");
}
