//! What is refused: in which order, and how it is told.

use axum::http::StatusCode;

use super::{DOMAIN, Role, TestService, router, send};
use crate::ServiceConfig;
use crate::http::limits::Limits;

/// A profile that nobody has.
const UNKNOWN: &str = "/profiles/prf-00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn nothing_is_answered_without_a_token() {
    let service = TestService::new();
    let paths = ["/my/profile", "/profiles/info", "/users", "/users/", "/my/x", "/domains/", "/profiles", UNKNOWN];
    for path in paths {
        for method in ["GET", "POST", "DELETE", "OPTIONS"] {
            let answer = send(&service.routes, method, path, "", &[]).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path}");
            let body = answer.json();
            assert_eq!((&body["error"], &body["message"]), (&"NO_TOKEN".into(), &"Token not supplied".into()));
            assert_eq!(body["path"], format!("https://a.org{path}"));
            assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"profile\"");
        }
    }
    let token = format!("Bearer {}", Role::Owner.token());
    let expected = [
        (format!("{token} x"), StatusCode::BAD_REQUEST, "INVALID_REQUEST"),
        ("Bearer x".to_owned(), StatusCode::UNAUTHORIZED, "INVALID_JWT"),
        (format!("Bearer {}", Role::Locked.token()), StatusCode::UNAUTHORIZED, "ACCOUNT_LOCKED"),
    ];
    for (value, status, code) in expected {
        let answer = send(&service.routes, "GET", "/my/profile", "", &[("authorization", &value)]).await;
        assert_eq!((answer.status, &answer.json()["error"]), (status, &code.into()));
    }
    assert!(service.audit().is_empty());
}

#[tokio::test]
async fn without_keys_no_token_is_good_but_the_documentation_is_there() {
    let config = ServiceConfig::default();
    let routes = router(None, &config, &Limits::new(&config));
    let token = format!("Bearer {}", Role::Owner.token());
    let answer = send(&routes, "GET", "/my/profile?x=1", "", &[("authorization", &token)]).await;
    assert_eq!((answer.status, &answer.json()["error"]), (StatusCode::UNAUTHORIZED, &"INVALID_JWT".into()));
    assert_eq!(answer.json()["path"], "http://inner:8080/my/profile");
    for path in ["/profiles/openapi.json", "/profiles/docs/"] {
        let answer = send(&routes, "GET", path, "", &[]).await;
        assert_eq!((answer.status, answer.header("x-content-type-options")), (StatusCode::OK, "nosniff"), "{path}");
        assert!(answer.header("cache-control").contains("max-age=60"), "{path}");
    }
    let answer = send(&routes, "POST", "/profiles/docs", "", &[]).await;
    assert_eq!(
        (answer.status, &answer.json()["error"]),
        (StatusCode::METHOD_NOT_ALLOWED, &"METHOD_NOT_ALLOWED".into())
    );
}

#[tokio::test]
async fn what_there_is_not_and_wrong_methods_are_told_in_json() {
    let service = TestService::new();
    for path in ["/users", "/users/", "/users/x", "/my", "/my/", "/domains/x/y", "/profiles/a/b/c", "/profiles//"] {
        let answer = service.get(Role::Owner, path).await;
        assert_eq!((answer.status, &answer.json()["status"]), (StatusCode::NOT_FOUND, &"NOT_FOUND".into()), "{path}");
        assert_eq!(answer.header("content-type"), "application/json;charset=UTF-8");
        assert_eq!(answer.header("cache-control"), "no-cache, no-store, max-age=0, must-revalidate");
        assert_eq!((answer.header("x-frame-options"), answer.header("expires")), ("DENY", "0"));
    }
    for (method, path, allowed) in [
        ("GET", "/profiles", "POST"),
        ("BREW", UNKNOWN, "GET,HEAD,PUT,PATCH,POST,DELETE"),
        ("POST", UNKNOWN, "GET,HEAD,PUT,PATCH,DELETE"),
        ("POST", &format!("{UNKNOWN}?_method=put"), "GET,HEAD,PUT,PATCH,DELETE"),
        ("PUT", "/my/profile", "GET,HEAD"),
        ("POST", &format!("{UNKNOWN}/a?_method=patch"), "GET,HEAD,DELETE"),
    ] {
        let answer = service.ask(Role::Owner, method, path, "{}").await;
        assert_eq!(
            (answer.status, answer.header("allow")),
            (StatusCode::METHOD_NOT_ALLOWED, allowed),
            "{method} {path}"
        );
    }
    let long = format!("/profiles/{}", "x".repeat(9000));
    let answer = send(&service.routes, "GET", &long, "", &[]).await;
    assert_eq!((answer.status, &answer.json()["error"]), (StatusCode::URI_TOO_LONG, &"URI_TOO_LONG".into()));
}

#[tokio::test]
async fn references_are_looked_at_before_keys_and_bodies() {
    let service = TestService::new();
    let path = format!("/profiles/{}", service.domain_profile().await);
    for reference in [UNKNOWN, "/profiles/x", "/profiles/..", "/profiles/%2e%2e%2fx", "/profiles/%ff"] {
        assert_eq!(service.get(Role::Owner, reference).await.status, StatusCode::NOT_FOUND, "{reference}");
        assert_eq!(service.get(Role::Owner, &format!("{reference}/")).await.status, StatusCode::NOT_FOUND);
        assert_eq!(service.ask_with(Role::Owner, "PUT", reference, "x", &[]).await.status, StatusCode::NOT_FOUND);
    }
    for key in ["", "%00", "%0a", "%ff", &"k".repeat(256)] {
        assert_eq!(service.get(Role::Other, &format!("{path}/{key}")).await.status, StatusCode::FORBIDDEN, "{key}");
        assert_eq!(service.get(Role::Member, &format!("{path}/{key}")).await.status, StatusCode::BAD_REQUEST, "{key}");
    }
    assert_eq!(service.get(Role::Member, &format!("{path}/%252F")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn bodies_that_cannot_be_used_are_refused_and_change_nothing() {
    let service = TestService::new();
    let path = format!("/profiles/{}", service.domain_profile().await);
    let before = service.get(Role::Member, &path).await.text;
    let large = format!(r#"{{"a":"{}"}}"#, "x".repeat(256 << 10));
    for (body, expected) in [
        ("", StatusCode::BAD_REQUEST),
        ("[]", StatusCode::BAD_REQUEST),
        (r#"{"a":"1","a":"2"}"#, StatusCode::BAD_REQUEST),
        (r#"{"a":1}"#, StatusCode::BAD_REQUEST),
        (r#"{"a":null}"#, StatusCode::BAD_REQUEST),
        (r#"{"a":"\u0000"}"#, StatusCode::BAD_REQUEST),
        (&large, StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let answer = service.ask(Role::Manager, "PATCH", &path, body).await;
        assert_eq!(answer.status, expected, "{}", answer.text);
    }
    let answer = service.ask_with(Role::Manager, "PATCH", &path, "{}", &[("content-type", "text/json")]).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(service.get(Role::Member, &path).await.text, before);
}

#[tokio::test]
async fn new_profiles_are_refused_in_order() {
    let service = TestService::new();
    let owner = Role::Owner.user();
    let user = format!(r#"{{"user":{{"userReference":"{owner}"}}}}"#);
    let domain = |rest: &str| format!(r#"{{"domain":{{"domainReference":"{DOMAIN}"}}{rest}}}"#);
    for (role, body, expected) in [
        (Role::Other, domain(r#","attributes":{"a":1}"#), StatusCode::BAD_REQUEST),
        (Role::Owner, r#"{"user":{"userReference":"usr-x"}}"#.to_owned(), StatusCode::NOT_FOUND),
        (Role::Owner, r#"{"domain":{"domainReference":"dom-x"},"schema":1}"#.to_owned(), StatusCode::NOT_FOUND),
        (Role::Other, user.clone(), StatusCode::FORBIDDEN),
        (Role::Member, domain(""), StatusCode::FORBIDDEN),
        (Role::Manager, domain(r#","schema":1"#), StatusCode::UNPROCESSABLE_ENTITY),
        (Role::Manager, domain(r#","schema":"""#), StatusCode::UNPROCESSABLE_ENTITY),
        (Role::Manager, domain(r#","schema":"https://a.org/x""#), StatusCode::UNPROCESSABLE_ENTITY),
        (Role::Owner, user.clone(), StatusCode::CREATED),
        (Role::Admin, user, StatusCode::CONFLICT),
        (Role::Manager, domain(""), StatusCode::CREATED),
        (Role::Manager, domain(r#","schema":1"#), StatusCode::CONFLICT),
    ] {
        let answer = service.ask(role, "POST", "/profiles?_method=patch", &body).await;
        assert_eq!(answer.status, expected, "{body}: {}", answer.text);
    }
    let outcomes: Vec<_> = service.audit().into_iter().map(|line| line.1).collect();
    assert_eq!(outcomes, [400, 404, 404, 403, 403, 422, 422, 422, 201, 409, 201, 409]);
}
