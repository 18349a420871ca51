//! Row "Concurrency": `ETag` and `If-Match`.

use serde_json::json;

use crate::services::profiles::harness::Role::{Other, Owner};
use crate::services::profiles::harness::World;

/// The tests of the header have each form of it.
#[tokio::test]
async fn a_write_may_name_the_versions_that_it_is_meant_for() {
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
async fn a_version_that_is_known_is_not_sent_again() {
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

/// No client needs so many versions.
#[tokio::test]
async fn more_than_a_hundred_tags_are_refused_soon() {
    let world = World::new();
    let path = format!("/profiles/{}", world.user_profile().await);
    let list = |count: usize| (0..count).map(|version| format!("\"{}\"", version + 2)).collect::<Vec<_>>().join(",");
    for (wanted, unwanted, expected) in [(99, 1, 412), (100, 1, 400), (1, 100, 400), (20_000, 20_000, 400)] {
        let (wanted, unwanted) = (list(wanted), list(unwanted));
        let headers = [("if-match", wanted.as_str()), ("if-none-match", unwanted.as_str())];
        world.ask("PATCH", &path, Owner, &headers, "{}").await.is(expected);
    }
    // The whole answer to a read is never wrong.
    world.ask("GET", &path, Owner, &[("if-none-match", &list(20_000))], "").await.is(200);
}
