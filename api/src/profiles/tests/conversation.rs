//! What is written is read, by those who may.

use axum::http::StatusCode;
use serde_json::json;

use super::{DOMAIN, Role, TestService};

#[tokio::test]
async fn ones_own_profile_is_made_when_it_is_first_read() {
    let service = TestService::new();
    let path = format!("/users/{}/profile", Role::Owner.user());
    for (role, path) in [(Role::Admin, &*path), (Role::Other, &path), (Role::Owner, &format!("{path}/name"))] {
        assert_eq!(service.get(role, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let first = service.get(Role::Owner, "/my/profile/").await;
    assert_eq!((first.status, first.header("etag")), (StatusCode::OK, "\"1\""), "{}", first.text);
    assert_eq!(first.json()["attributes"].to_string(), r#"{"name":"Ada","email":"Ada@x.org"}"#);
    assert_eq!(first.json()["user"]["accountNonLocked"], true);
    assert_eq!(service.get(Role::Owner, &path).await.text, first.text);
    assert_eq!(service.get(Role::Admin, &path).await.text, first.text);
    assert_eq!(service.get(Role::Other, &path).await.status, StatusCode::FORBIDDEN);
    assert_eq!(service.get(Role::Owner, &format!("/profiles/{}", first.reference())).await.text, first.text);
    let head = service.ask_with(Role::Owner, "HEAD", &path, "", &[]).await;
    assert_eq!((head.text.as_str(), head.header("content-length")), ("", first.text.len().to_string().as_str()));
    assert_eq!(service.audit(), [("provision".to_owned(), 200, json!(["name", "email"]))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn first_reads_at_once_are_answered_alike() {
    let service = TestService::new();
    let path = format!("/users/{}/profile", Role::Owner.user());
    let (one, other) = tokio::join!(service.get(Role::Owner, "/my/profile"), service.get(Role::Owner, &path));
    assert_eq!((one.status, other.status), (StatusCode::OK, StatusCode::OK), "{} {}", one.text, other.text);
    assert_eq!(one.text, other.text);
    let outcomes: Vec<_> = service.audit().into_iter().map(|line| line.1).collect();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == 200).count(), 1, "{outcomes:?}");
}

#[tokio::test]
async fn attributes_are_replaced_merged_and_removed() {
    let service = TestService::new();
    let path = format!("/profiles/{}", service.get(Role::Owner, "/my/profile").await.reference());
    let answer = service.ask(Role::Owner, "PUT", &path, r#"{"car":"Volvo"}"#).await;
    assert_eq!((answer.status, answer.header("etag")), (StatusCode::OK, "\"2\""), "{}", answer.text);
    assert_eq!(answer.json()["attributes"].to_string(), r#"{"car":"Volvo"}"#);
    let answer = service.ask(Role::Owner, "PATCH", &path, r#"{"pet":"Turtle","car":"Saab"}"#).await;
    assert_eq!(answer.json()["attributes"].to_string(), r#"{"car":"Saab","pet":"Turtle"}"#);
    let answer = service.ask(Role::Owner, "POST", &format!("{path}?_method=get&_method=PaTcH"), r#"{"z":"1"}"#).await;
    assert_eq!(answer.json()["attributes"].to_string(), r#"{"car":"Saab","pet":"Turtle","z":"1"}"#);
    let answer = service.ask(Role::Owner, "DELETE", &format!("{path}/car"), "").await;
    assert_eq!(answer.json()["attributes"].to_string(), r#"{"pet":"Turtle","z":"1"}"#);
    assert_eq!(service.ask(Role::Owner, "DELETE", &format!("{path}/car"), "").await.status, StatusCode::NOT_FOUND);
    assert_eq!(service.ask(Role::Other, "PUT", &path, "no JSON").await.status, StatusCode::FORBIDDEN);
    let audit = service.audit();
    let expected = [
        ("replace", 200, json!(["car", "name", "email"])),
        ("merge", 200, json!(["pet", "car"])),
        ("merge", 200, json!(["z"])),
        ("remove", 200, json!(["car"])),
        ("remove", 404, json!([])),
        ("replace", 403, json!([])),
    ];
    assert_eq!(audit[1..], expected.map(|(action, outcome, keys)| (action.to_owned(), outcome, keys)));
}

#[tokio::test]
async fn a_domain_is_read_by_members_and_changed_by_managers() {
    let service = TestService::new();
    let domain = format!("/domains/{DOMAIN}/profile");
    let missing = service.get(Role::Member, &domain).await;
    assert_eq!(missing.json()["message"], format!("Profile was not found for reference {DOMAIN}"));
    let unknown = service.get(Role::Member, "/domains/dom-x/profile").await;
    assert_eq!(unknown.json()["message"], "No domain with reference dom-x");
    let path = format!("/profiles/{}", service.domain_profile().await);
    for (role, reading, changing) in [
        (Role::Member, StatusCode::OK, StatusCode::FORBIDDEN),
        (Role::Manager, StatusCode::OK, StatusCode::OK),
        (Role::Admin, StatusCode::OK, StatusCode::OK),
        (Role::Other, StatusCode::FORBIDDEN, StatusCode::FORBIDDEN),
    ] {
        assert_eq!(service.get(role, &domain).await.status, reading);
        assert_eq!(service.get(role, &path).await.status, reading);
        assert_eq!(service.get(role, &format!("{domain}/centre%20name/")).await.status, reading);
        assert_eq!(service.ask(role, "PATCH", &path, r#"{"x":"1"}"#).await.status, changing);
    }
    let value = service.get(Role::Member, &format!("{path}/a%2Fb")).await;
    assert_eq!((value.text.as_str(), value.header("content-type")), ("1", "text/plain;charset=UTF-8"));
}

#[tokio::test]
async fn a_schema_holds_for_every_change() {
    let service = TestService::new();
    let schema = r#"{"title":"Billing","properties":{"zip":{"type":"string","minLength":3}},"required":["zip"]}"#;
    let body = |attributes: serde_json::Value| {
        json!({"reference": null, "domain": {"domainReference": DOMAIN}, "schema": schema, "attributes": attributes})
            .to_string()
    };
    let refused = service.ask(Role::Manager, "POST", "/profiles/", &body(json!({"zip": "1"}))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    assert_eq!(refused.json()["message"], "Data does not conform to Billing. There are 1 error(s).");
    assert_eq!(refused.json()["details"], json!(["$.zip: must be at least 3 characters long"]));
    let made = service.ask(Role::Manager, "POST", "/profiles", &body(json!({"zip": "123"}))).await;
    assert_eq!((made.status, &made.json()["schema"]), (StatusCode::CREATED, &json!(schema)));
    assert_eq!(made.header("location"), format!("https://a.org/profiles/{}", made.reference()));
    let again = service.ask(Role::Manager, "POST", "/profiles", &body(json!({}))).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    let zip = format!("/profiles/{}/zip", made.reference());
    assert_eq!(service.ask(Role::Manager, "DELETE", &zip, "").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(service.get(Role::Manager, &zip).await.text, "123");
}

#[tokio::test]
async fn versions_guard_against_lost_updates() {
    let service = TestService::new();
    let path = format!("/profiles/{}", service.domain_profile().await);
    let conditions = [
        ("if-match", "\"9\"", StatusCode::PRECONDITION_FAILED),
        ("if-match", "W/\"1\"", StatusCode::PRECONDITION_FAILED),
        ("if-match", "1", StatusCode::BAD_REQUEST),
        ("if-none-match", "*", StatusCode::PRECONDITION_FAILED),
        ("if-match", "\"9\", \"1\"", StatusCode::OK),
    ];
    for (name, value, expected) in conditions {
        let headers = [("content-type", "application/json"), (name, value)];
        let answer = service.ask_with(Role::Manager, "PUT", &path, r#"{"a":"1"}"#, &headers).await;
        assert_eq!(answer.status, expected, "{name}: {value}");
    }
    for (path, shown, expected) in [
        (&path, "\"2\"", StatusCode::NOT_MODIFIED),
        (&format!("{path}/a"), "W/\"2\"", StatusCode::NOT_MODIFIED),
        (&path, "\"1\"", StatusCode::OK),
    ] {
        let answer = service.ask_with(Role::Member, "GET", path, "", &[("if-none-match", shown)]).await;
        assert_eq!((answer.status, answer.header("etag")), (expected, "\"2\""));
    }
}

#[tokio::test]
async fn users_are_found_by_who_may_search() {
    let service = TestService::new();
    service.get(Role::Owner, "/my/profile").await;
    let found = service.get(Role::Searcher, "/users/profile/email?value=x&value=ADA%40x.org").await;
    let user = Role::Owner.user();
    assert_eq!(
        found.text,
        format!(
            r#"[{{"userName":null,"email":null,"userReference":"{user}","fullName":null,"domains":null,"accountNonLocked":true}}]"#
        )
    );
    assert_eq!(service.get(Role::Searcher, "/users/profile/name/?value=ada").await.text, "[]");
    for path in ["/users/profile/name", "/users/profile/name?value=", "/users/profile/zip?value=1", "/users/profile/"] {
        assert_eq!(service.get(Role::Searcher, path).await.status, StatusCode::BAD_REQUEST, "{path}");
    }
    let refused = service.get(Role::Admin, "/users/profile/zip").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.header("www-authenticate").ends_with("error=\"insufficient_scope\""));
    assert_eq!(service.audit().len(), 1 + 7);
}

#[tokio::test]
async fn administrators_export_all_profiles() {
    let service = TestService::new();
    assert_eq!(service.get(Role::Admin, "/profiles/export").await.text, "");
    let reference = service.domain_profile().await;
    let export = service.get(Role::Admin, "/profiles/export/").await;
    assert_eq!((export.status, export.header("content-type")), (StatusCode::OK, "application/x-ndjson"));
    assert_eq!(
        export.text,
        format!(
            "{{\"reference\":\"{reference}\",\"domain\":\"{DOMAIN}\",\"version\":1,\"attributes\":{{\"centre name\":\"EBI\",\"a/b\":\"1\"}}}}\n"
        )
    );
    let refused = service.get(Role::Searcher, "/profiles/export").await;
    assert_eq!((refused.status, refused.header("www-authenticate")), (StatusCode::FORBIDDEN, ""));
    let audit = service.audit();
    let outcomes: Vec<_> = audit.iter().filter(|line| line.0 == "export").map(|line| line.1).collect();
    assert_eq!(outcomes, [200, 200, 403]);
}
