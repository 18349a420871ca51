//! A conversation for each operation, with the bytes of the answers.

use serde_json::json;

use crate::services::profiles::answer::JSON;
use crate::services::profiles::harness::Role::{Admin, Locked, Nobody, Other, Owner, Search};
use crate::services::profiles::harness::{Facts, NO_PROFILE, World};

/// The profile of the owner after it was made automatically.
const OWNERS: &str = r#"{"reference":"prf-…","user":{"userName":null,"email":null,"userReference":"usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4","fullName":null,"domains":null,"accountNonLocked":true},"attributes":{"name":"ajay","email":"ajay@alibaba.com"}}"#;

/// Operation 1, with exactly the bytes of the public example.
#[tokio::test]
async fn public_example_has_the_documented_length() {
    let world = World::new();
    world.user_profile().await;
    world.publish(&Facts { locked: vec![Owner.user()], ..Facts::default() });
    let answer = world.get(&format!("/users/{}/profile", Owner.user()), Admin).await.is(200);
    assert_eq!(answer.redacted(), OWNERS.replace("true", "false"));
    assert_eq!(answer.text.len(), 265);
}

/// The extra read `GET /profiles/info`.
#[tokio::test]
async fn service_name_is_reported() {
    let answer = World::new().get("/profiles/info", Other).await.is(200);
    assert_eq!((answer.text.as_str(), answer.header("content-type")), (r#"{"name":"aap-profiles-api"}"#, JSON));
}

/// HEAD works for all paths of GET, and returns the same headers without the body.
#[tokio::test]
async fn head_answers_as_get_does() {
    let world = World::new();
    let reference = world.user_profile().await;
    for (path, role) in [
        ("/my/profile".to_owned(), Owner),
        (format!("/profiles/{reference}"), Owner),
        (format!("/profiles/{reference}/name"), Owner),
        (format!("/users/{}/profile", Owner.user()), Admin),
        ("/users/profile/name?value=ajay".to_owned(), Search),
        ("/profiles/info".to_owned(), Owner),
        (format!("/profiles/{reference}"), Other),
        (format!("/profiles/{NO_PROFILE}"), Owner),
        ("/my/profile".to_owned(), Nobody),
        ("/my/profile".to_owned(), Locked),
    ] {
        let (read, head) = (world.get(&path, role).await, world.ask("HEAD", &path, role, &[], "").await);
        assert_eq!((head.status, head.text.as_str()), (read.status, ""), "{path}");
        for name in ["content-type", "etag", "www-authenticate", "content-length"] {
            assert_eq!(head.header(name), read.header(name), "{name} of {path}");
        }
    }
}

/// The description and the page of the documentation are public.
#[tokio::test]
async fn the_service_is_documented() {
    let world = World::new();
    let description = support::get(world.api(), "/profiles/openapi.json").await;
    assert_eq!(description.status, 200);
    // Row "Trust".
    assert!(description.json()["info"]["description"].as_str().is_some_and(|text| text.contains("not verified")));
    let redirect = support::get(world.api(), "/profiles/docs").await;
    assert_eq!((redirect.status.is_redirection(), redirect.header("location")), (true, "docs/"));
    let page = support::get(world.api(), "/profiles/docs/").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"), "{page:?}");
}

/// Profiles are part of `/readyz`.
#[tokio::test]
async fn readiness_includes_profiles() {
    let world = World::new();
    let answer = support::get(world.checked().await, "/readyz").await;
    assert_eq!((answer.status.as_u16(), &answer.json()["profiles"]["status"]), (200, &json!("ready")), "{answer:?}");
    let directory = &answer.json()["directory"];
    assert!(directory["generation"].as_str().is_some_and(|name| name.starts_with("gen-")), "{directory}");
    assert!(directory["num_records"].as_u64().is_some_and(|number| number > 0), "{directory}");
    let misspelt = support::get(world.checked().await, "/usersx").await;
    assert_eq!((misspelt.status.as_u16(), misspelt.json()), (404, json!({"detail": "No such path: /usersx."})));
}
