//! Keys of attributes in paths.

use serde_json::json;

use crate::services::profiles::harness::Role::{Manager, Member, Owner};
use crate::services::profiles::harness::{TEAM, World};

/// Row "Path key": escaped keys.
#[tokio::test]
async fn keys_in_paths_are_decoded_once() {
    let world = World::new();
    let reference = world.user_profile().await;
    for (key, path) in [
        ("centre name", "centre%20name"),
        ("a/b", "a%2Fb"),
        ("a/b", "a%2fb"),
        ("a%2Fb", "a%252Fb"),
        ("a+b", "a+b"),
        ("a?b#c", "a%3Fb%23c"),
        ("a&b=c;d", "a&b=c;d"),
        ("ключ", "%D0%BA%D0%BB%D1%8E%D1%87"),
        ("..", "%2E%2E"),
        (".", "."),
        ("a\\b", "a%5Cb"),
        ("\"", "%22"),
        ("100%", "100%25"),
        ("\u{1f600}", "%F0%9F%98%80"),
        ("a ", "a%20"),
        (" ", "%20"),
        ("__proto__", "__proto__"),
        ("reference", "reference"),
        ("{key}", "%7Bkey%7D"),
    ] {
        world.put(&reference, Owner, &json!({key: "here", "x": "y"})).await.is(200);
        for base in [format!("/profiles/{reference}"), format!("/users/{}/profile", Owner.user())] {
            let answer = world.get(&format!("{base}/{path}?x=1"), Owner).await;
            assert_eq!((answer.status, answer.text.as_str()), (200, "here"), "{key} at {base}");
        }
        assert_eq!(world.delete(&reference, Owner, path).await.is(200).attributes(), r#"{"x":"y"}"#, "{key}");
    }
}

/// Row "Path key": invalid keys.
#[tokio::test]
async fn empty_keys_and_keys_with_control_characters_are_bad_requests() {
    let world = World::new();
    let reference = world.user_profile().await;
    world.domain_profile(TEAM, json!({})).await;
    for key in ["%00", "a%00b", "%0A", "a%0D%0Ab", "%1F", "%7F", "%C2%85", "%ff", "a%C3", "%ED%A0%80"] {
        for path in [format!("/profiles/{reference}/{key}"), format!("/users/{}/profile/{key}", Owner.user())] {
            let answer = world.get(&path, Owner).await;
            assert_eq!(answer.status, 400, "{path}: {answer:?}");
        }
        world.get(&format!("/domains/{TEAM}/profile/{key}"), Member).await.is(400);
        world.delete(&reference, Owner, key).await.is(400);
    }
    // Users who may not read a profile do not learn its keys.
    world.get(&format!("/profiles/{reference}/%00"), Manager).await.is(403);
    let long = "a".repeat(256);
    let answer = world.get(&format!("/profiles/{reference}/{long}"), Owner).await;
    assert!([400, 404].contains(&answer.status), "{answer:?}");
}

/// Keys with control characters cannot be made either, because no path could read or remove them.
#[tokio::test]
async fn keys_that_no_path_can_name_are_not_stored() {
    let world = World::new();
    let reference = world.user_profile().await;
    for key in ["", "\u{0}", "a\u{0}", "a\nb", "\u{1b}[31m", "\u{7f}", "\u{85}"] {
        let attributes = json!({key: "a"});
        for answer in
            [world.put(&reference, Owner, &attributes).await, world.patch(&reference, Owner, &attributes).await]
        {
            assert_eq!(answer.status, 400, "{key:?}: {answer:?}");
        }
    }
    assert_eq!(world.get("/my/profile", Owner).await.etag(), "\"1\"");
}
