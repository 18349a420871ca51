//! The portal: pages for people, over the real router and real stores.

mod beside;
mod chain;
mod choosing;
mod comparing;
mod conditions;
mod contrast;
mod counted;
mod entry;
mod finding;
mod hostile;
mod links;
mod lists;
mod neighbours;
mod numbers;
mod own;
mod pages;
mod plots;
mod published;
mod scan;
mod searching;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;

use api::{Api, ServiceConfig, Services};
use axum::http::{Method, StatusCode};
use support::{Answer, TestFolder, data, data_text, encoded, hostile, send};

/// The `Accept` header of a browser.
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

/// The number of bundled samples that are loaded: enough for several pages.
const NUM_SAMPLES: usize = 120;

/// The bundled proteins, some of the bundled resources, and a study and a sample whose texts are
/// hostile.
struct Site {
    _folder: TestFolder,
    api: Api,
}

static SITE: LazyLock<Site> = LazyLock::new(|| {
    let folder = TestFolder::of_sample();
    let api = Api::new(&services(&folder), &ServiceConfig::default());
    Site { _folder: folder, api }
});

/// Loads the catalogue into a folder, and returns the router that serves it.
fn services(folder: &TestFolder) -> Services {
    let whole = ["biomes", "studies", "assemblies", "publications"];
    let mut inputs: Vec<_> = whole.iter().map(|name| data(&format!("catalogue/collections/{name}.jsonl.gz"))).collect();
    let samples = data_text("catalogue/collections/samples.jsonl.gz");
    let samples: Vec<&str> = samples.lines().take(NUM_SAMPLES).collect();
    inputs.push(file(folder, "samples.jsonl", &samples.join("\n")));
    inputs.push(file(folder, "hostile.jsonl", &hostile().map(|resource| resource.to_string()).join("\n")));
    folder.publish_catalogue(inputs.into_iter().map(indexer::Input::Path).collect());
    folder.services()
}

fn file(folder: &TestFolder, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::File::create(&path).and_then(|mut file| file.write_all(text.as_bytes())).expect("writable");
    path
}

/// Sends a request as a browser does.
async fn visit(path: &str) -> Answer {
    visit_at(&SITE.api, path).await
}

async fn visit_at(api: &Api, path: &str) -> Answer {
    send(api, Method::GET, path, &[BROWSER]).await
}

/// Returns the text of a page that exists.
async fn page(path: &str) -> String {
    page_of(&visit(path).await)
}

/// Returns the text of an answer that is a page.
fn page_of(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::OK, "{}", String::from_utf8_lossy(&answer.body));
    text(answer)
}

fn text(answer: &Answer) -> String {
    answer.text().to_owned()
}

/// Returns the addresses on this server that a page links to, as written in its links.
fn addresses(page: &str) -> Vec<String> {
    let found = page.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(address, _)| address);
    let own = found.filter(|address| address.starts_with('/'));
    own.map(|address| address.replace("&#38;", "&").replace("&amp;", "&").replace("&#39;", "'").replace("&#34;", "\""))
        .collect()
}
