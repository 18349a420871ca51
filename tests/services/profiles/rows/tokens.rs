//! The `Authorization` header.

use crate::services::profiles::answer::Answer;
use crate::services::profiles::harness::Role::{Locked, Other, Owner};
use crate::services::profiles::harness::World;

/// Sends a request with another `Authorization` header.
async fn with(world: &World, authorization: &str) -> Answer {
    let answer = world.send("GET", "/my/profile", &[("authorization", authorization)], "").await;
    answer.check(&axum::http::Method::GET, "http://mgdex.test/my/profile");
    answer
}

/// Row "No / non-Bearer / empty token".
#[tokio::test]
async fn requests_without_tokens_get_a_bare_challenge() {
    let world = World::new();
    let token = Owner.token();
    for text in [
        "",
        "Bearer",
        "Bearer ",
        "bearer   ",
        "Basic YTpi",
        "Digest a=b",
        "Token abc",
        &format!("Bearer{token}"),
        token,
    ] {
        let answer = with(&world, text).await;
        assert_eq!(answer.error(), (401, "NO_TOKEN".to_owned()), "{text:?}");
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"profile\"", "{text:?}");
    }
    let answer = world.send("GET", "/my/profile", &[], "").await;
    assert_eq!(
        (answer.error().1.as_str(), answer.header("www-authenticate")),
        ("NO_TOKEN", "Bearer realm=\"profile\"")
    );
}

/// Row "Malformed `Bearer a b`".
#[tokio::test]
async fn tokens_in_two_parts_are_bad_requests() {
    let world = World::new();
    for text in ["Bearer a b", "bearer a b c", &format!("Bearer {} x", Owner.token())] {
        let answer = with(&world, text).await;
        assert_eq!(answer.error(), (400, "INVALID_REQUEST".to_owned()), "{text}");
        let challenge = answer.header("www-authenticate");
        assert!(challenge.starts_with("Bearer realm=\"profile\", error=\"invalid_request\""), "{challenge}");
    }
}

/// Row "Scheme word".
#[tokio::test]
async fn schemes_ignore_case_and_tokens_elsewhere_are_ignored() {
    let world = World::new();
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        with(&world, &format!("{scheme} {}", Owner.token())).await.is(200);
    }
    let token = Owner.token();
    let form = format!("access_token={token}");
    for (method, path, body) in [
        ("GET", format!("/my/profile?access_token={token}"), ""),
        ("GET", format!("/my/profile?token={token}&authorization=Bearer+{token}"), ""),
        ("POST", "/profiles".to_owned(), form.as_str()),
    ] {
        let headers = [("content-type", "application/x-www-form-urlencoded"), ("cookie", form.as_str())];
        let answer = world.send(method, &path, &headers, body.to_owned()).await;
        assert_eq!(answer.error(), (401, "NO_TOKEN".to_owned()), "{method} {path}");
    }
}

/// Row "Account locked".
#[tokio::test]
async fn locked_accounts_are_forbidden() {
    let world = World::new();
    for path in ["/my/profile", "/profiles/export", "/users/profile/name?value=a", "/profiles/prf-1"] {
        let answer = world.get(path, Locked).await;
        assert_eq!(answer.error(), (401, "ACCOUNT_LOCKED".to_owned()), "{path}");
    }
}

/// Row "Known but not allowed".
#[tokio::test]
async fn missing_rights_are_403_and_only_searchers_may_get_more_scope() {
    let world = World::new();
    let reference = world.user_profile().await;
    let answer = world.get(&format!("/profiles/{reference}"), Other).await;
    assert_eq!((answer.error(), answer.header("www-authenticate")), ((403, "FORBIDDEN".to_owned()), ""));
    assert_eq!(world.get("/profiles/export", Other).await.is(403).header("www-authenticate"), "");
    let answer = world.get("/users/profile/name?value=ajay", Other).await;
    assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()));
    let challenge = answer.header("www-authenticate");
    assert!(challenge.starts_with("Bearer realm=\"profile\", error=\"insufficient_scope\""), "{challenge}");
}
