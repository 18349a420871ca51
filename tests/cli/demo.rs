//! The demo shows requests that have answers, that for a profile among them, and keeps its index.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use support::machine::{Server, wait_for};
use support::program;
use support::{TestFolder, data_text};

#[test]
fn the_demo_shows_requests_that_have_answers_and_keeps_its_index() {
    let folder = TestFolder::empty();
    let mut generations = BTreeSet::new();
    for _ in 0..2 {
        // At the second start the private key is still there, of which the public one is made again.
        let _ = fs::remove_file(folder.path().join("mgdex-data/demo-keys/public.pem"));
        let mut command = program();
        command.args(["--listen", "127.0.0.1:0"]).current_dir(folder.path());
        let mut server = Server::of_command(&mut command);
        // The lines come just after the log line that the start waits for.
        let shown = wait_for("the examples", || {
            let text = server.stdout();
            text.ends_with("in a browser.\n").then_some(text)
        });
        let urls: Vec<&str> =
            shown.lines().filter_map(|line| line.trim().strip_prefix("curl '")?.strip_suffix('\'')).collect();
        assert_eq!(urls.len(), 5, "{shown}");
        let with_token = shown.lines().find(|line| line.contains("Bearer")).expect("a request with the token");
        asks_for_a_profile(&server, with_token, folder.path());
        for url in urls {
            let path = url.strip_prefix(&format!("http://{}", server.address())).expect("its own address");
            let (status, body) = server.get(path);
            assert_eq!(status, 200, "{url}");
            let body: Value = serde_json::from_str(&body).expect("JSON");
            let is_protein = body["mgyp"].is_string() || body[0]["mgyp"].is_string();
            assert!(is_protein || body["data"][2]["id"].is_string(), "{url}: {body}");
        }
        let readiness: Value = serde_json::from_str(&server.get("/readyz").1).expect("JSON");
        assert_eq!(readiness["proteins"]["num_records"], 10_035);
        assert_eq!(readiness["catalogue"]["num_records"], 35_167);
        generations.insert(format!("{} {}", readiness["proteins"]["generation"], readiness["catalogue"]["generation"]));
        server.terminate();
        assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    }
    assert_eq!(generations.len(), 1, "the second start uses the index of the first");
    assert!(folder.path().join("mgdex-data/proteins/CURRENT").is_file());
    assert!(folder.path().join("mgdex-data/directory/CURRENT").is_file());
    let mode =
        |name: &str| folder.path().join("mgdex-data/demo-keys").join(name).metadata().expect(name).mode() & 0o777;
    assert_eq!(
        (mode("private.pem"), mode("token"), mode("."), mode("public.pem") & 0o200),
        (0o600, 0o600, 0o700, 0o200)
    );
}

/// Checks that the last request that is shown gets the profile of the demo's user, when a shell executes it.
fn asks_for_a_profile(server: &Server, command: &str, folder: &Path) {
    assert!(command.len() < 150 && command.ends_with("/my/profile'"), "{command}");
    let done = Command::new("sh").args(["-c", command]).current_dir(folder).output().expect("a shell and curl");
    let profile: Value = serde_json::from_slice(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
    assert_eq!(profile["attributes"]["email"], "demo@example.org", "{profile}");
    let user = profile["user"]["userReference"].as_str().expect("a user").to_owned();
    assert!(data_text("profiles/directory.jsonl").contains(&user), "{user}");
    assert_eq!(server.get("/my/profile").0, 401, "nobody else gets it");
}

#[test]
fn the_demo_makes_no_token_for_keys_of_others() {
    let folder = TestFolder::empty();
    let key = folder.path().join("public.pem");
    fs::write(&key, rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).expect("a key").public_key_pem())
        .expect("writable");
    let mut command = program();
    command.args(["--listen", "127.0.0.1:0", "--jwt-key"]).arg(&key).current_dir(folder.path());
    let server = Server::of_command(&mut command);
    let shown = wait_for("the examples", || {
        let text = server.stdout();
        text.ends_with("in a browser.\n").then_some(text)
    });
    assert!(!shown.contains("Bearer"), "{shown}");
    assert!(!folder.path().join("mgdex-data/demo-keys").is_dir());
}
