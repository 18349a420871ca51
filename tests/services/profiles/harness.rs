//! A test setup: a directory, an empty store, and users with tokens.

#[path = "harness/facts.rs"]
mod facts;
#[path = "harness/role.rs"]
mod role;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use api::{Api, PublicUrl, ServiceConfig, Services};
use api_profiles::tokens::TokenVerifier;
use api_profiles::{AuditLimits, AuditLog, LocalDirectory, ProfileConfig, ProfileServices, SchemaSource};
use axum::body::Body;
use axum::http::Method;
use serde_json::Value;
use store::Generations;
use store_profiles::ProfilesConfig;
use support::{TestFolder, send_body};

pub(crate) use self::facts::Facts;
use self::role::Role::{Admin, Manager, Nobody, Owner};
pub(crate) use self::role::{ROLES, Role};
use crate::services::backend::{Backend, BackendSetup};
use crate::services::profiles::answer::Answer;
use crate::services::profiles::signing::KEY;

/// The address of the server in requests.
const BASE: &str = "http://mgdex.test";

/// A domain with members and managers.
pub(crate) const TEAM: &str = "dom-b38d6175-61e8-4d40-98da-df9188d91c82";

/// Another domain of the same people.
pub(crate) const SECOND: &str = "dom-second";

/// An unknown domain.
pub(crate) const NO_DOMAIN: &str = "dom-00000000-0000-4000-8000-000000000000";

/// A user who is only in their token.
pub(crate) const NOT_IN_DIRECTORY: &str = "usr-00000000-0000-4000-8000-0000000000ff";

/// An unknown profile.
pub(crate) const NO_PROFILE: &str = "prf-00000000-0000-4000-8000-000000000000";

/// The settings of a world.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) service: ServiceConfig,
    pub(crate) config: ProfileConfig,
    pub(crate) issuer: Option<&'static str>,
    pub(crate) schema_hosts: Vec<String>,
    /// The longest time for fetching a schema.
    pub(crate) schema_timeout: Duration,
    /// The directory, if there is one.
    pub(crate) facts: Option<Facts>,
    pub(crate) backend: BackendSetup,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            service: ServiceConfig::default(),
            config: ProfileConfig::default(),
            issuer: None,
            schema_hosts: Vec::new(),
            schema_timeout: Duration::from_mins(10),
            facts: Some(Facts::default()),
            backend: BackendSetup::default(),
        }
    }
}

/// A server.
pub(crate) struct World {
    api: Option<Api>,
    pub(crate) tokens: Arc<TokenVerifier>,
    pub(crate) directory: Arc<LocalDirectory>,
    pub(crate) setup: Setup,
    /// The audit log, while the store is open.
    audit: Option<Arc<AuditLog>>,
    backend: Backend,
    folder: TestFolder,
}

impl World {
    /// Starts a server on an empty store.
    pub(crate) fn new() -> Self {
        Self::with(Setup::default())
    }

    /// Starts a server with other settings.
    pub(crate) fn with(setup: Setup) -> Self {
        let folder = TestFolder::empty();
        fs::write(folder.path().join("key.pem"), &KEY.public).expect("writable");
        if let Some(facts) = &setup.facts {
            facts.publish(&generations(&folder));
        }
        let directory = Arc::new(LocalDirectory::open(generations(&folder)).expect("a whole generation or none"));
        let (keys, issuer) = (vec![folder.path().join("key.pem")], setup.issuer.map(str::to_owned));
        let tokens = Arc::new(TokenVerifier::load(keys, issuer).expect("a key"));
        let backend = Backend::new(folder.path(), &setup.backend);
        let mut world = Self { api: None, tokens, directory, setup, audit: None, backend, folder };
        world.open();
        world
    }

    /// Opens the store and serves it.
    fn open(&mut self) {
        let config = self.setup.config.clone();
        let store = ProfilesConfig { attributes_max: config.attributes_max };
        let hosts = self.setup.schema_hosts.iter().map(|host| host.parse().expect("a host")).collect();
        let audit = Arc::new(AuditLog::to_file(self.audit_path(), AuditLimits::default()).expect("writable"));
        self.audit = Some(Arc::clone(&audit));
        let profiles = self.backend.open(store);
        let profiles = ProfileServices {
            profiles,
            directory: Arc::clone(&self.directory) as _,
            tokens: Arc::clone(&self.tokens),
            schemas: Arc::new(SchemaSource::with_timeout(hosts, self.setup.schema_timeout).expect("roots of trust")),
            audit,
            config,
        };
        let (proteins, catalogue) = (self.folder.proteins(), self.folder.catalogue());
        let services = Services { proteins, catalogue, similarity: Arc::default(), profiles: Some(profiles) };
        self.api = Some(Api::new(&services, &self.setup.service));
    }

    /// Moves all profiles to a new store by an export, and serves the new store.
    pub(crate) async fn move_store(&mut self) {
        let export = self.get("/profiles/export", Admin).await.is(200).text;
        self.close();
        assert_eq!(self.backend.move_to_next(&export).await, export.lines().count() as u64);
        self.open();
    }

    /// Returns the services.
    pub(crate) fn api(&self) -> &Api {
        self.api.as_ref().expect("the store is open")
    }

    /// Returns the services after checking that the database answers. They check it themselves once
    /// a second.
    pub(crate) async fn checked(&self) -> &Api {
        self.backend.check().await;
        self.api()
    }

    /// Closes everything, and opens it again.
    pub(crate) fn restart(&mut self) {
        self.close();
        self.open();
    }

    fn close(&mut self) {
        self.api = None;
        self.backend.close();
        self.settle();
    }

    /// Publishes another directory and uses it.
    pub(crate) fn publish(&self, facts: &Facts) {
        facts.publish(&generations(&self.folder));
        self.directory.refresh().expect("a whole generation").expect("a new one");
    }

    /// Returns the file with the keys.
    pub(crate) fn key_path(&self) -> PathBuf {
        self.folder.path().join("key.pem")
    }

    /// Waits until the audit log has all lines written so far.
    pub(crate) fn settle(&self) {
        let audit = self.audit.as_ref().expect("an open store");
        assert!(audit.drain(Duration::from_mins(1)), "the audit log is not written");
    }

    /// Returns the data folder.
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the file of the audit log.
    pub(crate) fn audit_path(&self) -> PathBuf {
        self.folder.path().join("audit.jsonl")
    }

    /// Sends a request as it is given.
    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let support::Answer { status, headers, body } =
            Box::pin(send_body(self.api(), method, path, headers, body)).await;
        Answer { status: status.as_u16(), headers, text: String::from_utf8(body).expect("UTF-8") }
    }

    /// Sends the request of a role, as JSON unless a header says otherwise, and checks the
    /// properties of all answers.
    pub(crate) async fn ask(
        &self,
        method: &str,
        path: &str,
        role: Role,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let authorization = if role == Nobody { String::new() } else { format!("Bearer {}", role.token()) };
        let mut all = headers.to_vec();
        if role != Nobody {
            all.push(("authorization", &authorization));
        }
        if !body.is_empty() && headers.iter().all(|(name, _)| *name != "content-type") {
            all.push(("content-type", "application/json;charset=UTF-8"));
        }
        let answer = self.send(method, path, &all, body.to_owned()).await;
        let base = self.setup.service.base_url.as_ref().map_or(BASE, PublicUrl::as_str);
        let url = format!("{base}{}", path.split('?').next().unwrap_or_default());
        answer.check(&Method::from_bytes(method.as_bytes()).expect("a method"), &url);
        answer
    }

    /// Sends a `GET` request.
    pub(crate) async fn get(&self, path: &str, role: Role) -> Answer {
        self.ask("GET", path, role, &[], "").await
    }

    /// Makes a profile.
    pub(crate) async fn post(&self, role: Role, body: &Value) -> Answer {
        self.ask("POST", "/profiles", role, &[], &body.to_string()).await
    }

    /// Replaces attributes.
    pub(crate) async fn put(&self, reference: &str, role: Role, attributes: &Value) -> Answer {
        self.ask("PUT", &format!("/profiles/{reference}"), role, &[], &attributes.to_string()).await
    }

    /// Merges attributes.
    pub(crate) async fn patch(&self, reference: &str, role: Role, attributes: &Value) -> Answer {
        self.ask("PATCH", &format!("/profiles/{reference}"), role, &[], &attributes.to_string()).await
    }

    /// Removes an attribute, whose key is given as written in a path.
    pub(crate) async fn delete(&self, reference: &str, role: Role, key: &str) -> Answer {
        self.ask("DELETE", &format!("/profiles/{reference}/{key}"), role, &[], "").await
    }

    /// Returns the reference of the owner's profile, which is made by the first call.
    pub(crate) async fn user_profile(&self) -> String {
        self.get("/my/profile", Owner).await.is(200).reference()
    }

    /// Makes the profile of a domain, and returns its reference.
    pub(crate) async fn domain_profile(&self, domain: &str, attributes: Value) -> String {
        let body = serde_json::json!({"domain": {"domainReference": domain}, "attributes": attributes});
        self.post(Manager, &body).await.is(201).reference()
    }

    /// Makes the profile of [`TEAM`] with a schema, and returns its reference.
    pub(crate) async fn validated_profile(&self, schema: &Value, attributes: Value) -> String {
        self.post(Manager, &with_schema(schema, attributes)).await.is(201).reference()
    }
}

/// Returns the body that makes a profile of [`TEAM`] with a schema.
#[expect(clippy::needless_pass_by_value, reason = "a literal reads better than a reference to one")]
pub(crate) fn with_schema(schema: &Value, attributes: Value) -> Value {
    serde_json::json!({"domain": {"domainReference": TEAM}, "schema": schema.to_string(), "attributes": attributes})
}

/// Returns the folder of the directories.
fn generations(folder: &TestFolder) -> Generations {
    Generations::new(folder.path().join("directory"))
}
