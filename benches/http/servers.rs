//! The server and its rival.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use support::machine::Server;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::client::{Answer, Request};

/// A server with the bundled data, and its rival.
pub(crate) struct Servers {
    pub(crate) address: SocketAddr,
    /// The header of requests of a user with a profile.
    pub(crate) authorization: String,
    /// The path of the profile.
    pub(crate) profile: String,
    pub(crate) rival: Rival,
    _server: Server,
    _folder: TempDir,
}

/// A handler that returns bytes from memory.
pub(crate) struct Rival {
    pub(crate) address: SocketAddr,
    answer: Arc<RwLock<(HeaderValue, Bytes)>>,
    _runtime: Runtime,
}

impl Servers {
    /// Starts the program as the README does, but on a free port and with its log in a file.
    pub(crate) fn start() -> Self {
        let folder = TempDir::with_prefix_in("http-bench-", env!("CARGO_TARGET_TMPDIR")).expect("writable");
        let mut command = support::program();
        // All connections are of one client.
        command.args(["--client-share", "100", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path());
        let server = Server::of_command(&mut command);
        let address = server.address().parse().expect("an address");
        let authorization = authorization(folder.path());
        let profile = Request::new("GET", "/my/profile", &authorization, "").ask(address).body;
        let profile: serde_json::Value = serde_json::from_slice(&profile).expect("a profile");
        let profile = format!("/profiles/{}", profile["reference"].as_str().expect("a reference"));
        Self { address, authorization, profile, rival: Rival::start(), _server: server, _folder: folder }
    }
}

/// Returns the header with the token that the demo has left for its user.
fn authorization(data: &Path) -> String {
    let token = fs::read_to_string(data.join("demo-keys/token")).expect("the token");
    format!("Authorization: Bearer {}\r\n", token.trim_end())
}

impl Rival {
    fn start() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let answer = Arc::new(RwLock::new((HeaderValue::from_static(""), Bytes::new())));
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a free port");
        let address = listener.local_addr().expect("bound");
        let returned = Arc::clone(&answer);
        let handler = async move || {
            let (content_type, body) = returned.read().unwrap_or_else(PoisonError::into_inner).clone();
            ([(header::CONTENT_TYPE, content_type)], body)
        };
        let router = Router::new().fallback(handler);
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { address, answer, _runtime: runtime }
    }

    /// Returns an answer from now on.
    pub(crate) fn imitate(&self, answer: &Answer) {
        let content_type = HeaderValue::from_str(&answer.content_type).expect("a header");
        *self.answer.write().expect("no panic") = (content_type, answer.body.clone().into());
    }
}
