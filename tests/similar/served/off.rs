//! Servers without searches for similar proteins: they say so in a message, and serve everything
//! else.

use axum::http::{Method, StatusCode};
use support::machine::{Server, wait_for};
use support::{PROTEINS, PROTEINS_V2, TestFolder};
use tempfile::TempDir;

use support::similarity::client::{Client, JSON, detail, order};
use support::similarity::engine::AT_ONCE;
use support::similarity::proteins::{data, row};
use support::similarity::site::Site;

/// Checks that all requests for searches are 503, and others are not. Returns the message.
fn check_off(server: &Server) -> String {
    let client = Client::new(server);
    let id = "3f2f3b5e-7f0c-4c1e-9c55-0f4a3d0f4b6a";
    let searches = format!("{PROTEINS_V2}/searches");
    let mut sentences = Vec::new();
    for (method, path) in [
        (Method::POST, searches.clone()),
        (Method::GET, format!("{searches}/{id}")),
        (Method::GET, format!("{searches}/{id}?wait=20")),
        (Method::GET, format!("{searches}/{id}/hits")),
        (Method::DELETE, format!("{searches}/{id}")),
    ] {
        let body = if method == Method::POST { order(0).to_string() } else { String::new() };
        let answer = client.ask(method.clone(), &path, &JSON, body);
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{method} {path}: {answer:?}");
        sentences.push(detail(&answer));
    }
    sentences.dedup();
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    assert!(sentences[0].ends_with('.') && !sentences[0].contains('/'), "{sentences:?}");
    assert_eq!(server.get("/readyz").0, 200);
    assert_eq!(server.get("/portal").0, 200);
    assert_eq!(server.get(&format!("{PROTEINS}/protein/12")).0, 200);
    assert_eq!(server.get(&format!("{PROTEINS_V2}/openapi.json")).0, 200);
    let found = client.get("/proteins?q=length:%5B1+TO+*%5D&limit=1").json();
    assert_eq!(found["total"]["value"], 300);
    assert!(!server.log().contains(" ERROR "), "{}", server.log());
    sentences.remove(0)
}

#[test]
fn servers_without_hmmer_serve_everything_else() {
    let (site, empty) = (Site::with_installed(data()), TempDir::new().expect("a temporary folder"));
    let server = Server::of_command(site.command(&[]).env("PATH", empty.path()));
    let sentence = check_off(&server);
    assert!(sentence.contains("is not installed") && sentence.contains("apt-get install hmmer"), "{sentence}");
    let server = Server::of_command(site.command(&[]).env_remove("PATH"));
    check_off(&server);
    assert!(!site.searches().is_dir());
}

#[test]
fn servers_with_searches_disabled_serve_everything_else() {
    let site = Site::with_engine(data(), AT_ONCE);
    let sentence = check_off(&site.serve(&["--no-similarity"]));
    assert!(sentence.contains("started without"), "{sentence}");
    let server = Server::of_command(site.command(&[]).env("MGDEX_NO_SIMILARITY", "1"));
    assert_eq!(check_off(&server), sentence);
    assert!(!site.searches().is_dir() && site.num_runs() == 0);
}

#[test]
fn kept_searches_return_with_the_engine() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let id = Client::new(&server).search(&order(0));
    let hits = Client::new(&server).text(&id, "format=ndjson");
    drop(server);
    check_off(&site.serve(&["--no-similarity"]));
    let server = site.serve(&[]);
    assert_eq!(Client::new(&server).text(&id, "format=ndjson"), hits);
    assert_eq!(site.num_runs(), 1);
}

#[test]
fn searches_without_proteins_are_refused() {
    let site = Site::with_engine(TestFolder::empty(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let answer = client.post(&order(0));
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
    assert!(detail(&answer).contains("mgdex index"), "{answer:?}");
    // Proteins may be added later.
    site.data.publish_rows(&row(12, "MKVLAARSTWMKVLAARSTW"));
    wait_for("the proteins", || (client.post(&order(0)).status != answer.status).then_some(()));
    client.search(&order(0));
}
