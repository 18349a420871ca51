//! The server and its rival.

use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};

use api::catalogue::LocalCatalogue;
use api::{Api, HttpServer, ServerConfig, ServiceConfig, Services};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use store::Generations;
use support::TestFolder;
use tokio::runtime::Runtime;

use crate::client::Answer;

/// The bundled files.
const COLLECTIONS: [&str; 6] = ["biomes", "studies", "samples", "assemblies", "pipeline-tools", "cogs"];

/// A server with the bundled data, and its rival.
pub(crate) struct Servers {
    pub(crate) address: SocketAddr,
    pub(crate) rival: Rival,
    _runtime: Runtime,
    _folder: TestFolder,
}

/// A handler that returns bytes from memory.
pub(crate) struct Rival {
    pub(crate) address: SocketAddr,
    answer: Arc<RwLock<(HeaderValue, Bytes)>>,
}

impl Servers {
    pub(crate) fn start() -> Self {
        let folder = TestFolder::of_sample();
        let mut load = support::program();
        load.args(["catalogue", "load", "--quiet", "--data"]).arg(folder.path());
        load.args(COLLECTIONS.map(|name| support::data(&format!("catalogue/collections/{name}.jsonl.gz"))));
        assert!(load.status().expect("the binary").success());
        let catalogue = Generations::new(folder.path().join("catalogue"));
        let services = Services {
            proteins: folder.proteins(),
            catalogue: Arc::new(LocalCatalogue::open(catalogue).expect("whole")),
            profiles: None,
        };
        let api = Api::new(&services, &ServiceConfig::default());
        let runtime = Runtime::new().expect("a runtime");
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        let server = runtime.block_on(HttpServer::bind(any_port, ServerConfig::default())).expect("a free port");
        let address = server.local_addr().expect("bound");
        runtime.spawn(server.serve(api, std::future::pending()));
        let rival = Rival::start(&runtime, any_port);
        Self { address, rival, _runtime: runtime, _folder: folder }
    }
}

impl Rival {
    fn start(runtime: &Runtime, any_port: SocketAddr) -> Self {
        let answer = Arc::new(RwLock::new((HeaderValue::from_static(""), Bytes::new())));
        let listener = runtime.block_on(tokio::net::TcpListener::bind(any_port)).expect("a free port");
        let address = listener.local_addr().expect("bound");
        let returned = Arc::clone(&answer);
        let handler = async move || {
            let (content_type, body) = returned.read().unwrap_or_else(PoisonError::into_inner).clone();
            ([(header::CONTENT_TYPE, content_type)], body)
        };
        let router = Router::new().fallback(handler);
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { address, answer }
    }

    /// Returns an answer from now on.
    pub(crate) fn imitate(&self, answer: &Answer) {
        let content_type = HeaderValue::from_str(&answer.content_type).expect("a header");
        *self.answer.write().expect("no panic") = (content_type, answer.body.clone().into());
    }
}
