//! A test setup: a directory, an empty store, and users with tokens.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use api::Api;
use api::{PublicUrl, ServiceConfig, Services};
use api_profiles::tokens::TokenVerifier;
use api_profiles::{AuditLimits, AuditLog, LocalDirectory, ProfileConfig, ProfileServices, SchemaSource};
use axum::body::Body;
use axum::http::Method;
use serde_json::Value;
use store::{DomainReference, Generations, Origin, UserReference};
use store_profiles::{DirectoryBuilder, DirectoryEntry, ProfilesConfig};

use crate::services::backend::{Backend, BackendSetup};
use crate::services::profiles::answer::Answer;
use crate::services::profiles::signing::{KEY, token};
use support::{TestFolder, send_body};

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

/// A caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// The user whose profile it is about.
    Owner,
    /// A user without any relation to the others.
    Other,
    /// A member of the domains.
    Member,
    /// A member and manager of the domains.
    Manager,
    /// A manager of the domains who is not a member.
    ManagerOnly,
    /// A member of the administrators' group.
    Admin,
    /// A member of the group that may search.
    Search,
    /// A member and manager of the domains, and administrator, whose account is locked.
    Locked,
    /// Somebody without a token.
    Nobody,
}

use Role::{Admin, Locked, Manager, ManagerOnly, Member, Nobody, Other, Owner, Search};

/// All roles.
pub(crate) const ROLES: [Role; 9] = [Owner, Other, Member, Manager, ManagerOnly, Admin, Search, Locked, Nobody];

/// The tokens of all but [`Role::Nobody`].
static TOKENS: LazyLock<HashMap<Role, String>> = LazyLock::new(|| {
    let people = ROLES.into_iter().filter(|role| *role != Nobody);
    people.map(|role| (role, token(role.user(), role.name(), &role.email(), role.groups()))).collect()
});

impl Role {
    /// Returns the user.
    pub(crate) fn user(self) -> UserReference {
        let text = match self {
            Owner => "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4".to_owned(),
            role => format!("usr-00000000-0000-4000-8000-00000000000{}", role as u8),
        };
        text.parse().expect("a reference")
    }

    /// Returns the name in the token.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Owner => "ajay",
            Other => "otto",
            Member => "mena",
            Manager => "manu",
            ManagerOnly => "mono",
            Admin => "adam",
            Search => "seda",
            Locked => "lora",
            Nobody => "",
        }
    }

    /// Returns the address in the token.
    pub(crate) fn email(self) -> String {
        format!("{}@alibaba.com", self.name())
    }

    /// Returns the groups in the token.
    fn groups(self) -> &'static [&'static str] {
        match self {
            Owner => &["svc.other", "self.ajay"],
            Admin | Locked => &["svc.admin"],
            Search => &["svc.profile.search"],
            // Domains in a token are ignored.
            Other => &[TEAM, SECOND, "svc.admin.not", "profile.search", "SVC.ADMIN"],
            _ => &[],
        }
    }

    /// Returns the token.
    pub(crate) fn token(self) -> &'static str {
        TOKENS.get(&self).expect("somebody")
    }
}

/// The contents of a directory.
#[derive(Clone)]
pub(crate) struct Facts {
    pub(crate) locked: Vec<UserReference>,
    pub(crate) members: Vec<UserReference>,
    pub(crate) managers: Vec<UserReference>,
    /// The domains, all with the same people.
    pub(crate) domains: Vec<&'static str>,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            locked: vec![Locked.user()],
            members: [Member, Manager, Locked].map(Role::user).to_vec(),
            managers: [Manager, ManagerOnly, Locked].map(Role::user).to_vec(),
            domains: vec![TEAM, SECOND],
        }
    }
}

impl Facts {
    /// Publishes a directory of all people and the domains.
    fn publish(&self, generations: &Generations) {
        let users = ROLES.map(Role::user).into_iter();
        let mut entries: BTreeSet<DirectoryEntry> =
            users.map(|user| DirectoryEntry::User(user, self.locked.contains(&user))).collect();
        for domain in &self.domains {
            let domain: DomainReference = domain.parse().expect("a reference");
            entries.insert(DirectoryEntry::Domain(domain.clone()));
            let people: BTreeSet<UserReference> = self.members.iter().chain(&self.managers).copied().collect();
            entries.extend(people.into_iter().map(|user| {
                let (is_member, is_manager) = (self.members.contains(&user), self.managers.contains(&user));
                DirectoryEntry::Membership(domain.clone(), user, is_member, is_manager)
            }));
        }
        let draft = generations.begin().expect("free");
        let mut builder = DirectoryBuilder::create(&draft).expect("room");
        entries.iter().try_for_each(|entry| builder.add(entry)).expect("in order");
        let contents = builder.finish().expect("room");
        let origin =
            Origin { written_by: "test".to_owned(), finished_unix_s: 0, inputs: Vec::new(), report: Value::Null };
        draft.publish(origin, contents, Vec::new()).expect("room");
    }
}

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

    /// Returns the file of the audit log.
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }

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
