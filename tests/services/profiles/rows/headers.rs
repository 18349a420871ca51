//! Headers of answers.

use api::ServiceConfig;
use axum::http::Method;
use serde_json::json;

use crate::services::profiles::harness::Role::{Manager, Nobody, Other, Owner, Search};
use crate::services::profiles::harness::{Setup, TEAM, World};

/// Row "`path`".
#[tokio::test]
async fn urls_begin_with_the_configured_or_the_requested_address() {
    let base_url = "https://profiles.test/aap".parse().ok();
    let fixed =
        World::with(Setup { service: ServiceConfig { base_url, ..ServiceConfig::default() }, ..Setup::default() });
    let trusting = World::with(Setup {
        service: ServiceConfig { trust_proxy: true, ..ServiceConfig::default() },
        ..Setup::default()
    });
    let plain = World::new();
    let headers = [
        ("host", "a.test:8080"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "b.test"),
        ("x-forwarded-for", "c"),
    ];
    for (world, base) in
        [(&fixed, "https://profiles.test/aap"), (&trusting, "https://b.test"), (&plain, "http://a.test:8080")]
    {
        let answer = world.send("GET", "/my/profile?x=1&value=secret", &headers, "").await.is(401);
        answer.check(&Method::GET, &format!("{base}/my/profile"));
        let bearer = format!("Bearer {}", Manager.token());
        let mut headers = headers.to_vec();
        headers.extend([("authorization", bearer.as_str()), ("content-type", "application/json")]);
        let body = json!({"domain": {"domainReference": TEAM}}).to_string();
        let made = world.send("POST", "/profiles", &headers, body).await.is(201);
        assert_eq!(made.header("location"), format!("{base}/profiles/{}", made.reference()));
    }
    // The path is the requested one, including escapes.
    let answer = plain.get("/users/%C3%A4/profile?a=b", Owner).await.is(404);
    assert_eq!(answer.json()["path"], "http://mgdex.test/users/%C3%A4/profile");
}

/// Row "Caching / XSS": one answer of each kind. The headers of all answers are checked in
/// `Answer::check`.
#[tokio::test]
async fn answers_are_not_cached_or_sniffed() {
    let world = World::new();
    let reference = world.user_profile().await;
    world.patch(&reference, Owner, &json!({"page": "<script>alert(1)</script>"})).await.is(200);
    world.get(&format!("/profiles/{reference}/page"), Owner).await.is(200);
    world.get("/users/profile/name?value=ajay", Search).await.is(200);
    world.get("/profiles/nothing/of/ours", Owner).await.is(404);
    let elsewhere = [("origin", "https://evil.test"), ("access-control-request-method", "PUT")];
    let preflight = world.send("OPTIONS", &format!("/profiles/{reference}"), &elsewhere, "").await;
    assert_eq!(preflight.header("access-control-allow-origin"), "", "{preflight:?}");
    world.ask("GET", "/my/profile", Owner, &elsewhere, "").await.is(200);
}

/// Row "Wrong verb / media type": wrong verbs.
#[tokio::test]
async fn wrong_methods_get_405_with_allow() {
    let world = World::new();
    let reference = world.user_profile().await;
    let user = Owner.user();
    for (path, wrong, allowed) in [
        ("/my/profile".to_owned(), &["POST", "PUT", "PATCH", "DELETE"][..], &["GET", "HEAD"][..]),
        (format!("/users/{user}/profile"), &["POST", "PUT", "PATCH", "DELETE"], &["GET", "HEAD"]),
        (format!("/users/{user}/profile/name"), &["POST", "PUT", "PATCH", "DELETE"], &["GET", "HEAD"]),
        (format!("/domains/{TEAM}/profile"), &["POST", "PUT", "PATCH", "DELETE"], &["GET", "HEAD"]),
        ("/profiles".to_owned(), &["GET", "PUT", "PATCH", "DELETE"], &["POST"]),
        (format!("/profiles/{reference}"), &["POST"], &["GET", "HEAD", "PUT", "PATCH", "DELETE"]),
        (format!("/profiles/{reference}/name"), &["POST", "PUT", "PATCH"], &["GET", "HEAD", "DELETE"]),
        ("/users/profile/name".to_owned(), &["POST", "PUT", "PATCH", "DELETE"], &["GET", "HEAD"]),
        ("/profiles/info".to_owned(), &["POST", "DELETE"], &["GET", "HEAD"]),
        ("/profiles/export".to_owned(), &["POST", "DELETE"], &["GET", "HEAD"]),
    ] {
        for method in wrong.iter().chain(&["TRACE", "BREW"]) {
            let answer = world.ask(method, &path, Owner, &[], "").await;
            assert_eq!(answer.error(), (405, "METHOD_NOT_ALLOWED".to_owned()), "{method} {path}");
            let mut names: Vec<&str> = answer.header("allow").split(',').map(str::trim).collect();
            // Some preflight requests are answered successfully, without a body.
            names.retain(|name| *name != "OPTIONS");
            names.sort_unstable();
            let mut expected = allowed.to_vec();
            expected.sort_unstable();
            // `POST` is for clients that cannot send `PATCH`.
            if path == format!("/profiles/{reference}") {
                names.retain(|name| *name != "POST");
            }
            assert_eq!(names, expected, "{method} {path}");
        }
    }
}

/// Row "`_method=patch` on POST `/profiles/{ref}`".
#[tokio::test]
async fn only_patches_of_profiles_are_tunnelled() {
    let world = World::new();
    let reference = world.user_profile().await;
    for (query, expected) in [
        ("?_method=patch", 200),
        ("?_method=PATCH", 200),
        ("?_method=PaTcH&x=1", 200),
        ("?_method=put&_method=patch", 200),
        ("?_method=p%61tch", 200),
        ("", 405),
        ("?", 405),
        ("?_method=", 405),
        ("?_method=put", 405),
        ("?_method=delete", 405),
        ("?_method=patch&_method=put", 405),
        ("?_Method=patch", 405),
        ("?method=patch", 405),
        ("?_method=patch%20", 405),
    ] {
        let answer = world.ask("POST", &format!("/profiles/{reference}{query}"), Owner, &[], "{}").await;
        assert_eq!(answer.status, expected, "{query}: {answer:?}");
    }
    for path in ["/my/profile?_method=patch", &format!("/profiles/{reference}/name?_method=delete")] {
        world.ask("POST", path, Owner, &[], "{}").await.is(405);
    }
    let body = json!({"user": {"userReference": Other.user()}}).to_string();
    world.ask("POST", "/profiles?_method=patch", Other, &[], &body).await.is(201);
    // Headers and other methods do not change the method.
    let etag = world.get("/my/profile", Owner).await.etag().to_owned();
    let headers = [("x-http-method-override", "DELETE")];
    world.ask("GET", &format!("/profiles/{reference}?_method=patch"), Owner, &headers, "").await.is(200);
    assert_eq!(world.get("/my/profile", Owner).await.etag(), etag);
    world.ask("POST", &format!("/profiles/{reference}?_method=patch"), Nobody, &[], "{}").await.is(401);
    world.ask("POST", &format!("/profiles/{reference}?_method=patch"), Other, &[], "{}").await.is(403);
}

/// An overloaded server answers in the same shape, with a time for the next attempt.
#[tokio::test]
async fn overloaded_services_send_retry_after() {
    let service = ServiceConfig { requests_max: 0, ..ServiceConfig::default() };
    let world = World::with(Setup { service, ..Setup::default() });
    for (method, path, body) in
        [("GET", "/my/profile", ""), ("POST", "/profiles", "{}"), ("GET", "/profiles/export", "")]
    {
        let answer = world.ask(method, path, Owner, &[], body).await;
        assert_eq!(answer.error(), (503, "SERVICE_UNAVAILABLE".to_owned()), "{path}");
        assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
    }
}

/// A trailing slash is ignored, unless it begins a key, in paths of reads and removals.
#[tokio::test]
async fn trailing_slashes_are_ignored() {
    let world = World::new();
    let reference = world.user_profile().await;
    let path = format!("/profiles/{reference}/");
    for (method, requested, version) in [
        ("PUT", path.clone(), "\"2\""),
        ("PATCH", path.clone(), "\"3\""),
        ("POST", format!("{path}?_method=patch"), "\"4\""),
    ] {
        assert_eq!(world.ask(method, &requested, Owner, &[], r#"{"a":"b"}"#).await.is(200).etag(), version, "{method}");
    }
    world.ask("POST", &path, Owner, &[], "{}").await.is(405);
    for (method, path) in
        [("GET", path.clone()), ("DELETE", path.clone()), ("GET", format!("/users/{}/profile/", Owner.user()))]
    {
        world.ask(method, &path, Owner, &[], "").await.is(400);
    }
    world.get("/users/profile/?value=a", Search).await.is(400);
    for path in ["/my/profile/", "/profiles/info/", &format!("/profiles/{reference}/a/")] {
        world.get(path, Owner).await.is(200);
    }
    let user = json!({"user": {"userReference": Other.user()}}).to_string();
    world.ask("POST", "/profiles/", Other, &[], &user).await.is(201);
}
