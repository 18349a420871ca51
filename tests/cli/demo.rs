//! The demo shows requests that have answers, and keeps its index.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::TestFolder;
use crate::machine::{Server, wait_for};
use crate::mgdex;

#[test]
fn the_demo_shows_requests_that_have_answers_and_keeps_its_index() {
    let folder = TestFolder::empty();
    let mut generations = BTreeSet::new();
    for _ in 0..2 {
        let mut command = mgdex();
        command.args(["--listen", "127.0.0.1:0"]).current_dir(folder.path());
        let mut server = Server::of_command(&mut command);
        // The lines come just after the log line that the start waits for.
        let shown = wait_for("the examples", || {
            let text = server.stdout();
            (text.matches("curl").count() == 5 && text.ends_with('\n')).then_some(text)
        });
        let urls: Vec<&str> =
            shown.lines().filter_map(|line| line.trim().strip_prefix("curl '")?.strip_suffix('\'')).collect();
        assert_eq!(urls.len(), 5, "{shown}");
        for url in urls {
            let path = url.strip_prefix(&format!("http://{}", server.address())).expect("its own address");
            let (status, body) = server.get(path);
            assert_eq!(status, 200, "{url}");
            let body: Value = serde_json::from_str(&body).expect("JSON");
            let is_protein = body["mgyp"].is_string() || body[0]["mgyp"].is_string();
            assert!(is_protein || body["data"][2]["id"].is_string(), "{url}: {body}");
        }
        let readiness: Value = serde_json::from_str(&server.get("/readyz").1).expect("JSON");
        assert_eq!(readiness["proteins"]["num_records"], 10_000);
        assert_eq!(readiness["catalogue"]["num_records"], 9_839);
        generations.insert(format!("{} {}", readiness["proteins"]["generation"], readiness["catalogue"]["generation"]));
        server.terminate();
        assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    }
    assert_eq!(generations.len(), 1, "the second start uses the index of the first");
    assert!(folder.path().join("mgdex-data/proteins/CURRENT").is_file());
}
