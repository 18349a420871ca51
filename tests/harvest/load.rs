//! A harvest can be loaded, and then gives the same answers as its server.

use std::path::Path;

use serde_json::{Value, json};
use support::{TestFolder, data_text, program};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::answers::{Paths, V2};
use super::documents::{Documents, SMALL, Source};
use super::server::{FaultyServer, Plan};
use super::{harvest, succeed};

/// Loads a harvest, and returns a router over it.
pub(super) fn loaded(harvest: &Path) -> Source {
    let folder = TestFolder::empty();
    let mut load = program();
    load.args(["catalogue", "load", "--quiet", "--max-rejects", "0", "--data"])
        .arg(folder.path())
        .arg("--v2")
        .arg(harvest);
    succeed(&mut load);
    Source::over(folder)
}

#[test]
fn a_harvest_of_everything_answers_like_the_server() {
    let documents = Documents::bundled();
    let source = documents.publish();
    let server = FaultyServer::start(&source, Plan::default());
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &["--analyses", "annotations"]));
    let mut paths = Paths::of(&documents);
    for line in data_text("catalogue-v2/answers.jsonl.gz").lines() {
        let recorded: Value = serde_json::from_str(line).expect("an answer");
        paths.others.push(recorded["path"].as_str().expect("a path").replace(' ', "%20"));
    }
    assert_eq!(paths.differences(&source.router, &loaded(folder.path()).router), [""; 0]);
}

#[test]
fn harvests_are_loaded_at_once_on_request() {
    let documents = Documents::of_studies(&SMALL);
    let server = FaultyServer::start(&documents.publish(), Plan::default());
    let (folder, data) = (TempDir::new().expect("a temporary folder"), TestFolder::empty());
    let arguments = ["--analyses", "none", "--load", "--data", data.path().to_str().expect("text")];
    // The path of version 2 need not be given.
    succeed(&mut harvest(server.url().trim_end_matches(V2), folder.path(), &arguments));
    let router = data.router();
    let runtime = Runtime::new().expect("threads");
    let json = |path: &str| runtime.block_on(support::get(&router, path)).json();
    assert_eq!(json(&format!("{V2}/studies/"))["count"], SMALL.len());
    assert_eq!(json(&format!("{V2}/analyses/"))["count"], 0);
    assert_ne!(json("/readyz")["catalogue"], json!(null));
}
