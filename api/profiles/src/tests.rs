//! The service over a real store, with real tokens, and a directory made for each test.

mod faults;

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use api_http::limits::ResponseGuard;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::Response;
use rcgen::{KeyPair, PKCS_RSA_SHA256};
use serde_json::Value;
use store::{Generations, Origin, UserReference};
use store_profiles::{DirectoryBuilder, DirectoryEntry, ProfileSource};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::tokens::{NewToken, TokenVerifier};

/// The key of all tokens.
static KEY: LazyLock<KeyPair> = LazyLock::new(|| KeyPair::generate_for(&PKCS_RSA_SHA256).expect("keys are made"));

/// The domain of the directory.
const DOMAIN: &str = "dom-b38d6175-61e8-4d40-98da-df9188d91c82";

/// The callers, by number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Owner = 1,
    Member,
    Manager,
    Admin,
    Searcher,
    Locked,
}

impl Role {
    fn user(self) -> UserReference {
        UserReference::new(Uuid::from_u128(self as u128))
    }

    fn token(self) -> String {
        let groups = match self {
            Self::Admin => vec!["svc.admin".to_owned()],
            Self::Searcher => vec!["x".to_owned(), "svc.profile.search".to_owned()],
            _ => Vec::new(),
        };
        let token = NewToken {
            user: self.user(),
            name: Some("Ada".to_owned()),
            email: Some("Ada@x.org".to_owned()),
            groups,
            issuer: None,
            audience: None,
            ttl: Duration::from_mins(1),
        };
        token.sign(KEY.serialize_pem().as_bytes()).expect("a private key")
    }
}

/// Publishes a directory with one domain, and returns it.
pub(super) fn directory(folder: &Path) -> LocalDirectory {
    let generations = || Generations::new(folder.join("directory"));
    let draft = generations().begin().expect("free");
    let mut builder = DirectoryBuilder::create(&draft).expect("room");
    let domain = || DOMAIN.parse().expect("a reference");
    for entry in [
        DirectoryEntry::User(Role::Locked.user(), true),
        DirectoryEntry::Domain(domain()),
        DirectoryEntry::Membership(domain(), Role::Member.user(), true, false),
        DirectoryEntry::Membership(domain(), Role::Manager.user(), false, true),
    ] {
        builder.add(&entry).expect("in order");
    }
    let contents = builder.finish().expect("room");
    let origin = Origin { written_by: "test".to_owned(), finished_unix_s: 0, inputs: Vec::new(), report: Value::Null };
    draft.publish(origin, contents, Vec::new()).expect("room");
    LocalDirectory::open(generations()).expect("whole")
}

/// An answer, read to its end.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("printable"))
    }
}

/// A service over a new store.
struct TestService {
    folder: TempDir,
    audit: Arc<AuditLog>,
    service: ProfileService,
}

/// Returns the services over a store, with key and audit log in a folder.
fn services(folder: &Path, profiles: Arc<dyn ProfileSource>) -> ProfileServices {
    let key = folder.join("key.pem");
    fs::write(&key, KEY.public_key_pem()).expect("writable");
    ProfileServices {
        profiles,
        directory: Arc::new(directory(folder)),
        tokens: Arc::new(TokenVerifier::load(vec![key], None).expect("a public key")),
        schemas: Arc::new(SchemaSource::new(Vec::new()).expect("no host")),
        audit: Arc::new(AuditLog::to_file(folder.join("audit.log"), AuditLimits::default()).expect("writable")),
        config: ProfileConfig::default(),
    }
}

impl TestService {
    fn over(folder: TempDir, profiles: Arc<dyn ProfileSource>, config: &ServiceConfig) -> Self {
        let services = services(folder.path(), profiles);
        let service = ProfileService::new(Some(&services), config);
        Self { folder, audit: services.audit, service }
    }

    async fn ask(&self, role: Role, method: &str, path: &str, body: &str) -> Answer {
        self.ask_with(role, method, path, body, &[("content-type", "application/json;charset=UTF-8")]).await
    }

    async fn ask_with(&self, role: Role, method: &str, path: &str, body: &str, headers: &[(&str, &str)]) -> Answer {
        let token = format!("Bearer {}", role.token());
        let headers: Vec<_> = headers.iter().copied().chain([("authorization", token.as_str())]).collect();
        send(&self.service, method, path, body, &headers).await
    }

    async fn get(&self, role: Role, path: &str) -> Answer {
        self.ask_with(role, "GET", path, "", &[]).await
    }

    /// Returns the lines of the audit log.
    fn audit_lines(&self) -> Vec<Value> {
        assert!(self.audit.drain(Duration::from_mins(1)));
        let text = fs::read_to_string(self.folder.path().join("audit.log")).expect("written");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// Returns action, outcome and keys of each line of the audit log.
    fn audit(&self) -> Vec<(String, u64, Value)> {
        let summary = |line: Value| {
            let action = line["action"].as_str().expect("text").to_owned();
            (action, line["outcome"].as_u64().expect("a number"), line["keys"].clone())
        };
        self.audit_lines().into_iter().map(summary).collect()
    }
}

async fn answer(service: &ProfileService, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let Answered { response, permit, .. } = service.answer(&parts, body, Access::begin(&parts.headers)).await;
    ResponseGuard { permit, busy: None }.guard(response)
}

/// Sends a request without changes.
async fn send(service: &ProfileService, method: &str, path: &str, body: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("host", "inner:8080");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(body.to_owned())).expect("a request");
    let (parts, body) = answer(service, request).await.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
    Answer { status: parts.status, headers: parts.headers, text: String::from_utf8(body.to_vec()).expect("text") }
}
