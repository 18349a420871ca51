//! Stores that fail or are slow, and clients that leave.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use api_http::ServiceConfig;
use async_trait::async_trait;
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode};
use futures_util::stream::{self, BoxStream};
use serde_json::json;
use store::{ErrorSummary, Owner, ProfileReference, UserReference};
use store_profiles::{
    Permission, Profile, ProfileFault, ProfileSource, ProfileWrite, ProfilesState, Refusal, SchemaError, SchemaLimits,
    SearchKey, WriteResult,
};
use tempfile::TempDir;
use tokio::sync::Semaphore;

use super::{Role, TestService};

/// A store without room, which notices that slowly, and whose searches have failed permanently.
struct BadStore {
    /// A permit for each write that may end.
    ends: Semaphore,
    /// The existing profile of every owner, even if reads do not find it.
    existing: Option<ProfileReference>,
    /// `true` if writes fail in the middle.
    is_failing: bool,
}

impl BadStore {
    fn new(num_ends: usize) -> Arc<Self> {
        Arc::new(Self { ends: Semaphore::new(num_ends), existing: None, is_failing: false })
    }
}

#[async_trait]
impl ProfileSource for BadStore {
    async fn get(&self, _: ProfileReference) -> Result<Option<Profile>, ProfileFault> {
        Err(store::Error::Catalogue("cannot read /secret/place".to_owned()).into())
    }

    async fn find(&self, _: Owner) -> Result<Option<Profile>, ProfileFault> {
        Ok(None)
    }

    async fn search(&self, _: SearchKey, _: String, _: usize) -> Result<Vec<UserReference>, ProfileFault> {
        Err(store::Error::ProfilesFailed("cannot sync /secret/place".to_owned()).into())
    }

    async fn read_schema(
        &self,
        _: UserReference,
        _: String,
        _: SchemaLimits,
    ) -> Result<Result<(), SchemaError>, ProfileFault> {
        Ok(Ok(()))
    }

    async fn write(&self, write: ProfileWrite, _: Option<Profile>, _: Permission) -> WriteResult {
        assert!(matches!(write, ProfileWrite::Create(_)), "nothing can be read, so that nothing can be changed");
        self.ends.acquire().await.expect("open").forget();
        if let Some(existing) = self.existing {
            return Err(Refusal::Exists(existing).into());
        }
        if self.is_failing {
            return Err(store::Error::ProfilesFailed("cannot sync /secret/place".to_owned()).into());
        }
        Err(store::Error::NoRoom { path: "/secret/place".into(), available_bytes: 9, needed_bytes: 99 }.into())
    }

    async fn export(&self) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault> {
        Err(ProfileFault::Overloaded)
    }

    fn state(&self) -> ProfilesState {
        let failure = Some(ErrorSummary::new("a kind", "cannot sync /secret/place"));
        ProfilesState { num_profiles: 3, num_writes: 0, num_commits: 0, failure, unwritable: None }
    }
}

fn service(store: &Arc<BadStore>, request_timeout: Duration) -> TestService {
    let config = ServiceConfig { request_timeout, body_timeout: Duration::from_millis(80), ..ServiceConfig::default() };
    TestService::over(TempDir::new().expect("a temporary folder"), Arc::clone(store) as _, &config)
}

/// Waits for a line of the audit log.
async fn audited(service: &TestService, action: &str, outcome: u64) {
    let line = (action.to_owned(), outcome);
    while !service.audit().into_iter().any(|(action, outcome, _)| (action, outcome) == line) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn store_faults_are_answered_without_their_causes() {
    let service = service(&BadStore::new(9), Duration::from_secs(30));
    let profile = "/profiles/prf-00000000-0000-4000-8000-000000000000";
    for (role, path, status, part, waits) in [
        (Role::Owner, profile, StatusCode::INTERNAL_SERVER_ERROR, "Internal", false),
        (Role::Searcher, "/users/profile/name?value=x", StatusCode::SERVICE_UNAVAILABLE, "must be restarted", false),
        (Role::Owner, "/my/profile", StatusCode::SERVICE_UNAVAILABLE, "too little disk space", true),
        (Role::Admin, "/profiles/export", StatusCode::SERVICE_UNAVAILABLE, "overloaded", true),
    ] {
        let answer = service.get(role, path).await;
        assert_eq!((answer.status, answer.headers.contains_key("retry-after")), (status, waits), "{path}");
        assert!(answer.text.contains(part) && !answer.text.contains("secret"), "{}", answer.text);
        assert_eq!(answer.header("content-type"), "application/json;charset=UTF-8");
    }
    let expected = [("search", 503, json!(["name"])), ("provision", 503, json!([])), ("export", 503, json!([]))];
    assert_eq!(service.audit(), expected.map(|(action, outcome, keys)| (action.to_owned(), outcome, keys)));
}

#[tokio::test]
async fn writes_are_logged_after_their_client_has_left() {
    let store = BadStore::new(0);
    let service = service(&store, Duration::from_millis(50));
    let answer = service.get(Role::Owner, "/my/profile").await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (StatusCode::SERVICE_UNAVAILABLE, "1"),
        "{}",
        answer.text
    );
    assert!(service.audit().is_empty());
    // A server that stops waits for it.
    assert!(!service.audit.wait_for_operations(Duration::from_millis(10)).await);
    store.ends.add_permits(1);
    assert!(service.audit.wait_for_operations(Duration::from_mins(1)).await);
    assert_eq!(service.audit().last().map(|line| (line.0.as_str(), line.1)), Some(("provision", 503)));
}

#[test]
fn interrupted_writes_have_an_unknown_outcome() {
    let service = service(&BadStore::new(0), Duration::from_millis(50));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let answer = runtime.block_on(service.get(Role::Owner, "/my/profile"));
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    drop(runtime);
    let [line] = &service.audit_lines()[..] else { panic!("one line") };
    assert_eq!((&line["action"], &line["outcome"]), (&json!("provision"), &json!(null)));
}

#[tokio::test]
async fn writes_that_fail_midway_have_an_unknown_outcome() {
    let store = BadStore { ends: Semaphore::new(9), existing: None, is_failing: true };
    let service = service(&Arc::new(store), Duration::from_secs(30));
    let body = format!(r#"{{"user":{{"userReference":"{}"}},"attributes":{{"a":"b"}}}}"#, Role::Owner.user());
    for (method, path, body) in [("POST", "/profiles", body.as_str()), ("GET", "/my/profile", "")] {
        let answer = service.ask(Role::Owner, method, path, body).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    }
    let lines = service.audit_lines();
    let outcomes: Vec<_> = lines.iter().map(|line| (&line["outcome"], &line["keys"])).collect();
    assert_eq!(outcomes, [(&json!(null), &json!(["a"])), (&json!(null), &json!(["name", "email"]))]);
}

#[tokio::test]
async fn profiles_created_meanwhile_are_named() {
    let existing = "prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90";
    let existing_profile = Some(existing.parse().expect("a reference"));
    let store = BadStore { ends: Semaphore::new(9), existing: existing_profile, is_failing: false };
    let service = service(&Arc::new(store), Duration::from_secs(30));
    let body = format!(r#"{{"user":{{"userReference":"{}"}}}}"#, Role::Owner.user());
    let answer = service.ask(Role::Owner, "POST", "/profiles", &body).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.text.contains(existing), "{}", answer.text);
    service.get(Role::Owner, "/my/profile").await;
    for line in service.audit_lines() {
        assert_eq!((&line["profile"], &line["outcome"]), (&json!(existing), &json!(409)), "{line}");
    }
    assert_eq!(service.audit_lines().len(), 2);
}

#[tokio::test]
async fn endless_bodies_time_out_and_are_logged() {
    let service = service(&BadStore::new(0), Duration::from_secs(30));
    let endless = stream::pending::<Result<Bytes, Infallible>>();
    let request = Request::post("/profiles").header("content-type", "application/json");
    let request = request.header("authorization", format!("Bearer {}", Role::Owner.token()));
    let request = request.body(Body::from_stream(endless)).expect("a request");
    let response = super::answer(&service.service, request).await;
    assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    assert!(String::from_utf8_lossy(&body).contains(r#""status":"REQUEST_TIMEOUT","error":"REQUEST_TIMEOUT""#));
    audited(&service, "create", 408).await;
}
