//! A server of all services, without sockets.

use std::fs;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use api::{Api, ServiceConfig};
use api_proteins::Similarity;
use axum::http::Method;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use rcgen::{KeyPair, PKCS_RSA_SHA256};
use serde_json::json;
use similarity::{Engine, JobLimits, Limits};
use support::similarity::engine::{HEAD, programs};
use support::{Answer, TestFolder, embedded, send_body};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// The user whose profile is changed.
pub(super) const USER: &str = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4";

/// A server.
pub(super) struct Site {
    api: Api,
    runtime: Runtime,
    /// The key that signs tokens.
    key: EncodingKey,
    /// A token of an administrator.
    pub(super) administrator: String,
    /// The folder of the bundled sample.
    pub(super) folder: TestFolder,
    _programs: TempDir,
}

static SITE: LazyLock<Mutex<Site>> = LazyLock::new(|| Mutex::new(Site::new()));

/// Runs a check on the server that all targets share.
pub(super) fn with_site<T>(check: impl FnOnce(&Site) -> T) -> T {
    check(&SITE.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Site {
    fn new() -> Self {
        let folder = TestFolder::of_sample_with(true);
        folder.publish_documents(Vec::new());
        let key = KeyPair::generate_for(&PKCS_RSA_SHA256).expect("an RSA key");
        let public_key = folder.path().join("public.pem");
        fs::write(&public_key, key.public_key_pem()).expect("room");
        let export = format!(
            r#"{{"reference":"prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90","user":"{USER}","version":1,"attributes":{{}}}}"#
        );
        embedded::import(&folder.path().join("profiles"), &export);
        let programs = programs(HEAD);
        let (proteins, catalogue) = (folder.proteins(), folder.catalogue());
        // No search is begun.
        let limits = JobLimits {
            num_running: 1,
            num_waiting: 0,
            num_waiting_of_client: 0,
            num_hits: 1_000,
            age: Duration::from_hours(1),
            disk_bytes: 1 << 30,
            shared_cpu_time: Duration::MAX,
            engine: Limits::default(),
        };
        let engine = Engine::find_in(programs.path().as_os_str(), None);
        let searches = folder.path().join("searches");
        let similarity = Similarity::open(&searches, engine, limits, 1_000_000, &proteins, &catalogue);
        let profiles = Some(embedded::services(folder.path(), &public_key));
        let services = api::Services { proteins, catalogue, profiles, similarity: Arc::new(similarity) };
        let api = Api::new(&services, &ServiceConfig::default());
        let key = EncodingKey::from_rsa_pem(key.serialize_pem().as_bytes()).expect("a key");
        let claims = json!({"sub": USER, "exp": 4_000_000_000_u64, "domains": ["svc.admin"]}).to_string();
        let administrator = signed(&key, br#"{"alg":"RS256"}"#, claims.as_bytes());
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { api, runtime, key, administrator, folder, _programs: programs }
    }

    /// Returns a token of any header and claims with a good signature.
    pub(super) fn token(&self, header: &[u8], claims: &[u8]) -> String {
        signed(&self.key, header, claims)
    }

    /// Returns the answer to a request, or `None` if it is not a request of HTTP. An answer is
    /// never an internal error, in JSON only if it says so, and in HTML only without markup of the
    /// request.
    pub(super) fn answer(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Option<Answer> {
        let request = axum::http::Request::builder().method(method.clone()).uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(()).ok()?;
        let answer = self.runtime.block_on(send_body(&self.api, method, path, headers, body.to_vec()));
        assert_ne!(answer.status, 500, "{path}: {}", String::from_utf8_lossy(&answer.body));
        let kind = answer.header("content-type");
        let is_whole = answer.header("content-encoding").is_empty() && !answer.body.is_empty();
        if is_whole && (kind.contains("/json") || kind.contains("+json")) {
            answer.json();
        }
        if is_whole && kind.starts_with("text/html") {
            assert!(!answer.text().contains("<fuzz"), "{path}: {}", answer.text());
        }
        Some(answer)
    }
}

fn signed(key: &EncodingKey, header: &[u8], claims: &[u8]) -> String {
    let content = [header, claims].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part)).join(".");
    let signature = crypto::sign(content.as_bytes(), key, Algorithm::RS256).expect("a signature");
    format!("{content}.{signature}")
}
