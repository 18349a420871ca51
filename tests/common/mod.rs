//! What the tests share: an index in a temporary folder, and requests to the real router over it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use api::catalogue::LocalCatalogue;
use api::proteins::LocalProteins;
use api::{ServiceConfig, Services};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use flate2::read::MultiGzDecoder;
use http_body_util::BodyExt;
use indexer::{Input, PortalPlan, Published};
use serde_json::Value;
use store::Generations;
use tempfile::TempDir;
use tower::ServiceExt;

/// The prefix of the protein service.
pub(crate) const PROTEINS: &str = "/metagenomics/proteins/api/v1";

/// Returns the path of a bundled file.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// Returns the text of a bundled file, decompressed.
pub(crate) fn data_text(name: &str) -> String {
    let bytes = fs::read(data(name)).expect(name);
    let mut text = String::new();
    if Path::new(name).extension().is_some_and(|extension| extension == "gz") {
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text).expect(name);
    } else {
        text = String::from_utf8(bytes).expect(name);
    }
    text
}

/// The bundled sample of real rows.
pub(crate) const SAMPLE: &str = "proteins/sequence_explorer_protein_10000.csv.gz";

/// A data folder that goes away with the value.
pub(crate) struct TestFolder {
    folder: TempDir,
}

impl TestFolder {
    /// Makes an empty one.
    pub(crate) fn empty() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    /// Makes one with an index of rows.
    pub(crate) fn of_rows(rows: &str) -> Self {
        let folder = Self::empty();
        folder.publish_rows(rows);
        folder
    }

    /// Makes one with an index of the bundled sample.
    pub(crate) fn of_sample() -> Self {
        let folder = Self::empty();
        folder.plan(vec![Input::Path(data(SAMPLE))]).run().expect("the sample is well formed");
        folder
    }

    /// Publishes another index, of rows.
    pub(crate) fn publish_rows(&self, rows: &str) -> Published {
        self.plan(vec![self.input("rows.csv", rows)]).run().expect("well-formed rows")
    }

    /// Returns a plan over the bundled tables that allows no bad row.
    pub(crate) fn plan(&self, portal: Vec<Input>) -> PortalPlan {
        PortalPlan {
            generations: self.generations().root().to_owned(),
            portal,
            biomes: Input::Path(data("proteins/biomes_id_lineage.tsv")),
            pfam: Input::Path(data("proteins/Pfam-A.clans.tsv.gz")),
            superseded: None,
            memory_bytes: 64 << 20,
            num_threads: 2,
            max_rejects: 0,
        }
    }

    /// Writes an input file.
    pub(crate) fn input(&self, name: &str, content: impl AsRef<[u8]>) -> Input {
        let path = self.path().join(name);
        fs::File::create(&path).and_then(|mut file| file.write_all(content.as_ref())).expect("writable");
        Input::Path(path)
    }

    /// Returns the data folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the folder of the protein generations.
    pub(crate) fn generations(&self) -> Generations {
        Generations::new(self.path().join("proteins"))
    }

    /// Opens the proteins as a server does.
    pub(crate) fn proteins(&self) -> Arc<LocalProteins> {
        Arc::new(LocalProteins::open(self.generations()).expect("a whole generation or none"))
    }

    /// Opens the catalogue as a server does.
    pub(crate) fn catalogue(&self) -> Arc<LocalCatalogue> {
        let generations = Generations::new(self.path().join("catalogue"));
        Arc::new(LocalCatalogue::open(generations).expect("a whole generation or none"))
    }

    /// Returns the router of a server over this folder.
    pub(crate) fn router(&self) -> Router {
        self.router_with(&ServiceConfig::default())
    }

    /// Returns the router of a server over this folder with other settings.
    pub(crate) fn router_with(&self, config: &ServiceConfig) -> Router {
        api::router(&Services { proteins: self.proteins(), catalogue: self.catalogue(), profiles: None }, config)
    }
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Returns the body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:?}", String::from_utf8_lossy(&self.body)))
    }

    /// Returns a header as text, or an empty text where it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("printable"))
    }

    /// Returns the accessions of hits.
    pub(crate) fn mgyps(&self) -> Vec<String> {
        assert_eq!(self.status, StatusCode::OK, "{:?}", String::from_utf8_lossy(&self.body));
        let hits = self.json();
        let hits = hits.as_array().expect("a list");
        hits.iter().map(|hit| hit["mgyp"].as_str().expect("a text").to_owned()).collect()
    }
}

/// Sends a request with a method and headers.
pub(crate) async fn send(router: &Router, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    if headers.iter().all(|(name, _)| *name != "host") {
        request = request.header("host", "mgdex.test");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).expect("a request");
    let response = router.clone().oneshot(request).await.expect("the router never fails");
    let (parts, body) = response.into_parts();
    let body = body.collect().await.expect("a whole body").to_bytes().to_vec();
    Answer { status: parts.status, headers: parts.headers, body }
}

/// Sends a GET request.
pub(crate) async fn get(router: &Router, path: &str) -> Answer {
    send(router, Method::GET, path, &[]).await
}

/// Sends a GET request below the prefix of the protein service.
pub(crate) async fn get_protein(router: &Router, path: &str) -> Answer {
    get(router, &format!("{PROTEINS}{path}")).await
}
