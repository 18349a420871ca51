//! Servers that are killed or stopped: the next server runs the accepted searches once, and nothing
//! else remains.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use rand::RngExt;
use serde_json::Value;
use support::PROTEINS_V2;
use support::machine::{Server, rounds, seeded, wait_for};
use tempfile::TempDir;

use support::similarity::client::{Client, JSON, detail, id, order};
use support::similarity::engine::{AT_ONCE, WAITS, assert_gone, kill};
use support::similarity::proteins::data;
use support::similarity::site::{Site, files, run};

const NUM_RUNNING: usize = 2;

/// The number of searches of a client that may wait.
const NUM_OF_CLIENT: usize = 8;

/// The files of a search that is done.
const FILES: [&str; 5] = ["done.json", "hits.jsonl", "hits.offsets", "job.json", "query.json"];

/// Copies the proteins of a site, so that the searches are the same, and runs them without
/// interruption.
fn uninterrupted(site: &Site, orders: &[Value]) -> BTreeMap<String, Vec<u8>> {
    let copy = TempDir::new().expect("a temporary folder");
    copy_folder(&site.data.path().join("proteins"), &copy.path().join("proteins"));
    let server = Server::of_command(&mut site.command_over(copy.path(), &[]));
    let begin = |(number, order)| client(&server, number).begin(order);
    let ids: Vec<String> = orders.iter().enumerate().map(begin).collect();
    hits(&server, copy.path(), &ids)
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).expect("new");
    for entry in fs::read_dir(from).expect("readable") {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("readable");
        if path.is_dir() {
            copy_folder(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).expect("copied");
        }
    }
}

/// Returns the client that requests the search with a number.
fn client(server: &Server, number: usize) -> Client<'_> {
    Client { server, number: u8::try_from(1 + number / NUM_OF_CLIENT).expect("few clients") }
}

/// Waits for searches, and returns their hits by folder, after checking that there are no other
/// files.
fn hits(server: &Server, data: &Path, ids: &[String]) -> BTreeMap<String, Vec<u8>> {
    let client = Client::new(server);
    let hits = ids.iter().map(|id| {
        let state = client.wait(id);
        assert_eq!(state["state"], "done", "{state}");
        (run(&data.join("searches"), id), client.hits(id, "format=ndjson").body)
    });
    let hits: BTreeMap<_, _> = hits.collect();
    assert!(hits.values().all(|hits| hits.len() > 100_000));
    let mut expected: Vec<String> = hits.keys().flat_map(|run| FILES.map(|file| format!("{run}/{file}"))).collect();
    expected.sort();
    assert_eq!(files(&data.join("searches")), expected);
    hits
}

#[test]
fn unfinished_searches_of_a_killed_server_are_run_once_by_the_next() {
    let site = Site::with_engine(data(), WAITS);
    let num_waiting = rounds(10, 50);
    let mut server = site.serve(&["--search-jobs", &NUM_RUNNING.to_string()]);
    let orders: Vec<Value> = (0..NUM_RUNNING + num_waiting).map(order).collect();
    let mut ids = Vec::new();
    for (number, order) in orders.iter().enumerate() {
        ids.push(client(&server, number).begin(order));
        site.wait_for_runs((number + 1).min(NUM_RUNNING));
    }
    let states = |server: &Server| {
        let mut states = BTreeMap::<String, usize>::new();
        for id in &ids {
            *states.entry(Client::new(server).state(id)["state"].as_str().expect("text").to_owned()).or_default() += 1;
        }
        states
    };
    let expected: BTreeMap<_, _> = [("running".to_owned(), NUM_RUNNING), ("waiting".to_owned(), num_waiting)].into();
    assert_eq!(states(&server), expected);
    server.kill();
    assert_gone(&site.pids());
    let read = |id: &String| fs::read(site.searches().join(site.run(id)).join("job.json")).ok();
    let created: Vec<_> = ids.iter().map(read).collect();
    // A server that is killed while it accepts a search leaves a part of it.
    fs::create_dir(site.searches().join(format!("{}.new", site.run(&ids[0])))).expect("new");
    let server = site.serve(&["--search-jobs", &NUM_RUNNING.to_string()]);
    site.wait_for_runs(2 * NUM_RUNNING);
    assert_eq!(states(&server), expected);
    site.go();
    let found = hits(&server, site.data.path(), &ids);
    assert_eq!(site.num_runs(), NUM_RUNNING + ids.len());
    assert_gone(&site.pids());
    let kept: Vec<_> = ids.iter().map(read).collect();
    assert_eq!(kept, created);
    assert!(found == uninterrupted(&site, &orders), "the hits differ");
}

#[test]
fn servers_killed_at_any_moment_lose_no_accepted_search() {
    let site = Site::with_engine(data(), AT_ONCE);
    let (mut random, seed) = seeded();
    let orders: Vec<Value> = (0..rounds(12, 24)).map(order).collect();
    let accepted = Mutex::new(BTreeSet::new());
    for round in 0..rounds(4, 12) as u64 {
        let mut server = site.serve(&["--search-jobs", "2"]);
        let delay = Duration::from_millis(random.random_range(0..=100 * round));
        thread::scope(|scope| {
            let asking: Vec<_> = (0..3)
                .map(|part| {
                    let (server, orders, accepted) = (&server, &orders, &accepted);
                    scope.spawn(move || {
                        for (number, order) in orders.iter().enumerate().skip(part).step_by(3) {
                            let (client, path) = (client(server, number), format!("{PROTEINS_V2}/searches"));
                            let answer = client.try_ask(Method::POST, &path, &JSON, order.to_string().as_bytes());
                            let Some(answer) = answer else { return };
                            if answer.status != StatusCode::TOO_MANY_REQUESTS {
                                accepted.lock().expect("no panic").insert(id(&answer));
                            }
                        }
                    })
                })
                .collect();
            thread::sleep(delay);
            kill(&[server.id().to_string()]);
            for asking in asking {
                asking.join().expect("no panic");
            }
        });
        server.wait();
    }
    if site.num_runs() > 0 {
        assert_gone(&site.pids());
    }
    let server = site.serve(&[]);
    let client = Client::new(&server);
    for id in accepted.lock().expect("no panic").iter() {
        // The search exists at once.
        client.state(id);
    }
    let ids: Vec<String> = orders
        .iter()
        .map(|order| {
            wait_for("room", || {
                let answer = client.post(order);
                (answer.status != StatusCode::TOO_MANY_REQUESTS).then(|| id(&answer))
            })
        })
        .collect();
    let runs: BTreeSet<_> = ids.iter().map(|id| site.run(id)).collect();
    assert!(accepted.lock().expect("no panic").iter().all(|id| runs.contains(&site.run(id))));
    assert!(hits(&server, site.data.path(), &ids) == uninterrupted(&site, &orders), "the hits differ, seed {seed}");
}

#[test]
fn stopping_servers_stop_the_engine_and_continue_after_a_restart() {
    let site = Site::with_engine(data(), WAITS);
    let mut server = site.serve(&["--search-jobs", "1"]);
    let ids = [0, 1].map(|number| Client::new(&server).begin(&order(number)));
    site.wait_for_runs(1);
    server.terminate();
    assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    assert_gone(&site.pids());
    site.go();
    let server = site.serve(&["--search-jobs", "1"]);
    hits(&server, site.data.path(), &ids);
    assert_eq!(site.num_runs(), 3);
}

#[test]
fn folder_of_searches_is_created_on_demand_and_used_by_one_server() {
    let site = Site::with_engine(data(), AT_ONCE);
    let servers = [site.serve(&[]), site.serve(&[])];
    assert!(!site.searches().is_dir());
    let [first, second] = servers.each_ref().map(Client::new);
    let id = first.search(&order(0));
    let answer = second.post(&order(0));
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
    assert_eq!(second.get(&format!("/searches/{id}")).status, StatusCode::NOT_FOUND);
    let message = detail(&answer);
    assert!(
        message.contains("cannot be used") && !message.contains('/') && servers[1].log().contains("another process")
    );
    assert_eq!(servers[1].get("/readyz").0, 200);
    assert_eq!(site.run(&first.begin(&order(0))), site.run(&id));
    assert_eq!(site.num_runs(), 1);
}
