//! Row "Concurrency": `ETag` and `If-Match`.

use serde_json::json;

use crate::services::profiles::harness::Role::{Other, Owner};
use crate::services::profiles::harness::World;

/// All forms of the header are in its own tests.
#[tokio::test]
async fn writes_can_be_restricted_to_versions() {
    let world = World::new();
    let reference = world.user_profile().await;
    for method in ["PUT", "PATCH", "POST", "DELETE"] {
        let (path, body) = match method {
            "DELETE" => (format!("/profiles/{reference}/a"), ""),
            "POST" => (format!("/profiles/{reference}?_method=patch"), "{}"),
            _ => (format!("/profiles/{reference}"), "{}"),
        };
        for (tags, expected) in [
            ("\"7\", *", 400),
            ("2", 400),
            ("", 400),
            ("\"1\"", 412),
            ("W/\"V\"", 412),
            ("\"0V\"", 412),
            ("\"1\" , \"V\"", 200),
            ("*", 200),
        ] {
            let before = world.put(&reference, Owner, &json!({"a": "b"})).await.is(200).etag().to_owned();
            let version: u64 = before.trim_matches('"').parse().expect("a number");
            let tags = tags.replace('V', &version.to_string());
            let answer = world.ask(method, &path, Owner, &[("if-match", &tags)], body).await;
            assert_eq!(answer.status, expected, "{method} {tags} of version {version}: {answer:?}");
            let expected_version = if expected == 200 { version + 1 } else { version };
            assert_eq!(world.get("/my/profile", Owner).await.etag(), format!("\"{expected_version}\""));
        }
    }
}

/// A read that names the current version is answered 304.
#[tokio::test]
async fn known_versions_are_304() {
    let world = World::new();
    let reference = world.user_profile().await;
    let path = format!("/profiles/{reference}");
    for (tags, expected) in [("\"1\"", 304), ("W/\"1\"", 304), ("\"7\", \"1\"", 304), ("\"2\"", 200), ("1", 200)] {
        let headers = [("if-none-match", tags), ("accept-encoding", "gzip, br, zstd")];
        let answer = world.ask("GET", &path, Owner, &headers, "").await.is(expected);
        assert_eq!(answer.etag(), "\"1\"", "{tags}");
        world.ask("GET", &path, Other, &headers, "").await.is(403);
    }
    world.patch(&reference, Owner, &json!({"a": "b"})).await.is(200);
    world.ask("GET", &path, Owner, &[("if-none-match", "\"1\"")], "").await.is(200);
}
