//! The bundled resources, loaded once for all tests, and read independently of the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use api::Api;
use api::ServiceConfig;
use api_catalogue::LocalCatalogue;
use api_proteins::LocalProteins;
use axum::http::Method;
use serde_json::Value;
use store::Generations;

use support::{Answer, data, data_text, send, services};

/// The prefix of the service.
pub(crate) const CATALOGUE: &str = "/metagenomics/api/v1";

/// The prefix of links in answers to [`send`].
pub(crate) const BASE_URL: &str = "http://mgdex.test";

/// The bundled files.
pub(crate) const COLLECTIONS: [&str; 11] = [
    "biomes",
    "studies",
    "samples",
    "assemblies",
    "pipeline-tools",
    "cogs",
    "runs",
    "analyses",
    "publications",
    "pipelines",
    "experiment-types",
];

/// A data folder with all bundled resources.
pub(crate) static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("catalogue");
    // Removes the folder of an earlier run, if there was one.
    let _ = std::fs::remove_dir_all(&folder);
    let mut load = support::program();
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(&folder);
    load.args(COLLECTIONS.map(|name| data(&file_of(name))));
    load.arg("--links").arg(data("catalogue/links/study-publications.jsonl.gz"));
    let output = load.output().expect("the binary");
    assert!(output.status.success(), "{output:?}");
    folder
});

static ROUTER: LazyLock<Api> = LazyLock::new(|| router_over(&FOLDER, &ServiceConfig::default()));

/// Returns the router.
pub(crate) fn router() -> &'static Api {
    &ROUTER
}

/// Returns the name of a bundled file.
fn file_of(collection: &str) -> String {
    format!("catalogue/collections/{collection}.jsonl.gz")
}

/// Returns the resources of a bundled file, in its order. Each file is read once.
pub(crate) fn resources(collection: &'static str) -> &'static [Value] {
    static READ: Mutex<BTreeMap<&str, &[Value]>> = Mutex::new(BTreeMap::new());
    let read = || {
        let text = data_text(&file_of(collection));
        text.lines().map(|line| serde_json::from_str(line).expect("a resource")).collect::<Vec<_>>().leak()
    };
    READ.lock().unwrap_or_else(PoisonError::into_inner).entry(collection).or_insert_with(|| read())
}

/// Returns the router of a server over a data folder.
pub(crate) fn router_over(folder: &Path, config: &ServiceConfig) -> Api {
    let catalogue = LocalCatalogue::open(Generations::new(folder.join("catalogue"))).expect("a whole generation");
    let proteins = LocalProteins::open(Generations::new(folder.join("proteins"))).expect("none");
    Api::new(&services(Arc::new(proteins), Arc::new(catalogue)), config)
}

/// Sends a request with a method and headers to a path below the prefix.
pub(crate) async fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(&ROUTER, method, &format!("{CATALOGUE}{path}"), headers).await
}

/// Sends a GET request to a path below the prefix.
pub(crate) async fn get(path: &str) -> Answer {
    ask(Method::GET, path, &[]).await
}

/// Returns the JSON of a successful answer.
pub(crate) async fn get_json(path: &str) -> Value {
    get(path).await.checked(200, path).json()
}

/// Returns the detail of a refused request.
pub(crate) async fn refusal(path: &str) -> String {
    let answer = get(path).await.checked(400, path);
    answer.json()["errors"][0]["detail"].as_str().expect("a text").to_owned()
}

/// Returns the ids of the resources of a page.
pub(crate) fn ids(page: &Value) -> Vec<&str> {
    page["data"].as_array().expect("a list").iter().map(|resource| resource["id"].as_str().expect("a text")).collect()
}
