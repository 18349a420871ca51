//! Searches on a disk that is nearly full, or full: new ones are refused, and all other requests
//! are answered.

use std::fs::{self, File};

use axum::http::StatusCode;
use rustix::fs::{FallocateFlags, fallocate};
use serde_json::json;
use support::machine::{Mount, or_skip};

use support::similarity::client::{Client, detail, order};
use support::similarity::engine::WAITS;
use support::similarity::proteins::data;
use support::similarity::site::Site;

/// More than must be free, and less than that with the ballast.
const DISK: &str = "300m";
const BALLAST_BYTES: u64 = 60 << 20;

#[test]
fn nearly_full_disks_refuse_new_searches_and_answer_other_requests() {
    let site = Site::with_engine(data(), WAITS);
    fs::create_dir(site.searches()).expect("new");
    let Some(disk) = or_skip(Mount::tmpfs(DISK, &site.searches())) else { return };
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let ids = [0, 1].map(|number| client.begin(&order(number)));
    site.wait_for_runs(1);
    let ballast = disk.path().join("ballast");
    let file = File::create(&ballast).expect("writable");
    fallocate(&file, FallocateFlags::empty(), 0, BALLAST_BYTES).expect("room");
    let refused = client.post(&order(2));
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{refused:?}");
    let detail = detail(&refused);
    assert!(
        detail.contains("no space left for search results") && detail.ends_with('.') && !detail.contains('/'),
        "{detail}"
    );
    // Jobs accepted before continue, and a known query needs no space.
    assert_eq!(client.post(&order(1)).status, StatusCode::ACCEPTED);
    site.go();
    for id in &ids {
        let state = client.wait(id);
        assert_eq!((&state["state"], &state["hits"]), (&json!("done"), &json!(300)));
        assert_eq!(client.text(id, "format=fasta").matches('>').count(), 300);
    }
    assert_eq!(client.post(&order(0)).status, StatusCode::OK);
    assert_eq!(client.post(&order(2)).status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(client.get("/proteins?limit=3").status, StatusCode::OK);
    assert_eq!((server.get("/readyz").0, server.get("/healthz").0), (200, 200));
    assert_eq!(client.remove(&ids[0]).status, StatusCode::NO_CONTENT);
    drop(file);
    fs::remove_file(&ballast).expect("there");
    client.search(&order(2));
}

#[test]
fn disks_that_fill_during_a_search_end_only_that_search() {
    let site = Site::with_engine(data(), WAITS);
    fs::create_dir(site.searches()).expect("new");
    // There is space, but no more files can be made.
    let options = ["-t", "tmpfs", "-o", &format!("size={DISK},nr_inodes=64"), "tmpfs"];
    let Some(disk) = or_skip(Mount::new(options, &site.searches())) else { return };
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let ids = [0, 1].map(|number| client.begin(&order(number)));
    site.wait_for_runs(1);
    let ballast: Vec<_> = (0..64).map(|number| disk.path().join(format!("ballast-{number}"))).collect();
    let fill = |first: usize| first + ballast[first..].iter().take_while(|path| File::create(path).is_ok()).count();
    let num_files = fill(0);
    assert!(num_files > 20 && num_files < 64, "{num_files}");
    site.go();
    for id in &ids {
        let state = client.wait(id);
        assert_eq!(state["state"], "failed", "{state}");
        let problem = state["problem"].as_str().expect("a sentence");
        assert!(!problem.is_empty() && !problem.contains('/'), "{problem}");
        assert_eq!(client.hits(id, "format=tsv").status, StatusCode::CONFLICT);
    }
    // Failed searches keep no query, so that some files are free again.
    let num_files = fill(num_files);
    let refused = client.post(&order(2));
    assert!(refused.status.is_server_error() && !detail(&refused).contains('/'), "{refused:?}");
    assert_eq!((client.get("/proteins?limit=3").status, server.get("/readyz").0), (StatusCode::OK, 200));
    for path in &ballast[..num_files] {
        fs::remove_file(path).expect("there");
    }
    let ids = [0, 1, 2].map(|number| client.search(&order(number)));
    drop(server);
    let server = site.serve(&[]);
    assert!(ids.iter().all(|id| Client::new(&server).state(id)["state"] == "done"));
    assert_eq!(site.files().len(), 3 * 5, "{:?}", site.files());
}
