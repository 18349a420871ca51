//! What is harvested can be loaded, and gives the answers of the server that it came from.

use std::path::Path;

use api::Api;
use serde_json::{Value, json};
use support::{TestFolder, data_text, program};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::answers::{Paths, V2};
use super::documents::{Documents, SMALL};
use super::server::{FaultyServer, Plan};
use super::{harvest, succeed};

/// Loads a harvest, and returns a router over it.
pub(super) fn loaded(harvest: &Path) -> (TestFolder, Api) {
    let folder = TestFolder::empty();
    let mut load = program();
    load.args(["catalogue", "load", "--quiet", "--max-rejects", "0", "--data"])
        .arg(folder.path())
        .arg("--v2")
        .arg(harvest);
    succeed(&mut load);
    let router = folder.router();
    (folder, router)
}

#[test]
fn a_harvest_of_everything_answers_like_the_server() {
    let documents = Documents::bundled();
    let server = FaultyServer::start(&documents, Plan::default());
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &["--analyses", "annotations"]));
    let (_folder, loaded) = loaded(folder.path());
    let mut paths = Paths::of(&documents);
    for line in data_text("catalogue-v2/answers.jsonl.gz").lines() {
        let recorded: Value = serde_json::from_str(line).expect("an answer");
        paths.others.push(recorded["path"].as_str().expect("a path").replace(' ', "%20"));
    }
    assert_eq!(paths.differences(V2, server.router(), &loaded), [""; 0]);
}

#[test]
fn a_harvest_is_loaded_at_once_if_it_should_be() {
    let documents = Documents::of_studies(&SMALL);
    let server = FaultyServer::start(&documents, Plan::default());
    let (folder, data) = (TempDir::new().expect("a temporary folder"), TestFolder::empty());
    let arguments = ["--analyses", "none", "--load", "--data", data.path().to_str().expect("text")];
    succeed(&mut harvest(&server.url(), folder.path(), &arguments));
    let router = data.router();
    let runtime = Runtime::new().expect("threads");
    let json = |path: &str| runtime.block_on(support::get(&router, path)).json();
    assert_eq!(json(&format!("{V2}/studies/"))["count"], SMALL.len());
    assert_eq!(json(&format!("{V2}/analyses/"))["count"], 0);
    assert_ne!(json("/readyz")["catalogue"], json!(null));
}
