//! Schemas that would take too long, or make the server send requests.

use std::sync::Arc;

use serde_json::{Value, json};

use super::soon;
use crate::services::profiles::harness::Role::{Manager, Member, Owner};
use crate::services::profiles::harness::{TEAM, World, with_schema};
use crate::services::profiles::trap::Trap;

/// Returns a schema with many slow patterns for each key, and attributes that it is slow for.
fn bomb() -> (Value, Value) {
    let patterns: serde_json::Map<_, _> =
        (0..190).map(|number| (format!("^(a+)+\\1b{number}$"), json!({"minLength": 1}))).collect();
    let attributes: serde_json::Map<_, _> =
        (0..190).map(|number| (format!("{}{number}", "a".repeat(60)), json!("x"))).collect();
    (json!({"type": "object", "patternProperties": patterns}), Value::Object(attributes))
}

/// A client that writes repeatedly into a profile with a slow schema does not delay the writes of
/// others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_schemas_do_not_delay_others() {
    let world = Arc::new(World::new());
    let (schema, attributes) = bomb();
    let reference = world.validated_profile(&schema, json!({})).await;
    let mut bombs = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let (world, reference, attributes) = (Arc::clone(&world), reference.clone(), attributes.clone());
        bombs.spawn(async move { world.patch(&reference, Manager, &attributes).await.status });
    }
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    soon("another write", world.user_profile()).await;
    // They wait for each other, on a busy machine longer than a request may take.
    let statuses = bombs.join_all().await;
    assert!(statuses.contains(&422) && statuses.iter().all(|status| [422, 503].contains(status)), "{statuses:?}");
}

/// Schemas that take long to be refused delay only their sender.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn schemas_that_are_slow_to_read_do_not_delay_others() {
    let world = Arc::new(World::new());
    let user = world.user_profile().await;
    let mut slow = tokio::task::JoinSet::new();
    for number in 0..100 {
        // None of them is known yet.
        let rules = |key| json!({"pattern": format!("^[\\p{{L}}\\p{{N}} ]{{1,25}}{number}{key}$")});
        let properties: serde_json::Map<_, _> = (0..16).map(|key| (format!("k{key}"), rules(key))).collect();
        let body = with_schema(&json!({"type": "object", "properties": properties}), json!({"k0": "?"}));
        let world = Arc::clone(&world);
        slow.spawn(async move { world.post(Manager, &body).await.status });
    }
    for _ in 0..20 {
        soon("a read", world.get(&format!("/profiles/{user}"), Owner)).await.is(200);
    }
    let statuses = slow.join_all().await;
    assert!(statuses.iter().all(|status| [422, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&503), "they wait for one another, but not for ever: {statuses:?}");
}

/// URLs in a schema are not fetched, neither to read it nor to validate with it.
#[tokio::test]
async fn urls_in_schemas_are_not_fetched() {
    let world = World::new();
    let trap = Trap::new();
    let address = trap.address();
    let url = format!("http://{address}/schema.json");
    for (schema, expected) in [
        (json!({"$ref": url}), 422),
        (json!({"properties": {"a": {"$ref": url}}}), 422),
        (json!({"properties": {"a": {"$ref": format!("//{address}/a")}}}), 422),
        (json!({"id": format!("http://{address}/"), "properties": {"a": {"$ref": "b.json"}}}), 422),
        (json!({"properties": {"a": {"$ref": "file:///etc/passwd"}}}), 422),
        (json!({"$schema": url}), 422),
        (json!({"id": url}), 201),
        (json!({"definitions": {"a": {"id": url, "$ref": url}}}), 0),
        (json!({"description": url, "title": url, "default": {"$ref": url}}), 201),
        // Keywords that Draft 4 does not know are ignored.
        (json!({"$id": url, "$defs": {"a": {"$ref": url}}, "$recursiveRef": url, "if": {"$ref": url}}), 201),
    ] {
        let world = if expected == 422 { &world } else { &World::new() };
        let answer = soon(&schema.to_string(), world.post(Manager, &with_schema(&schema, json!({"a": "b"})))).await;
        if expected == 0 {
            assert!([201, 422].contains(&answer.status), "{schema}: {answer:?}");
        } else {
            assert_eq!(answer.status, expected, "{schema}: {answer:?}");
        }
        if answer.status == 201 {
            soon("a change", world.patch(&answer.reference(), Manager, &json!({"a": "c"}))).await.is(200);
        }
    }
    trap.expect_nobody().await;
}

/// A schema by URL is not fetched unless its host is allowed.
#[tokio::test]
async fn urls_of_schemas_are_not_fetched_by_default() {
    let world = World::new();
    let trap = Trap::new();
    let (address, port) = (trap.address(), trap.address().port());
    for url in [
        format!("http://{address}/a.json"),
        format!("https://{address}/a.json"),
        format!("http://localhost:{port}/"),
        format!("http://0.0.0.0:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("ftp://{address}/a.json"),
        format!("//{address}/a.json"),
        "file:///etc/passwd".to_owned(),
        "data:application/json,{}".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://".to_owned(),
        "https://schemas.invalid/a.json".to_owned(),
        "a.json".to_owned(),
        String::new(),
        " ".to_owned(),
        "true".to_owned(),
        "null".to_owned(),
        "\"a\"".to_owned(),
        "1".to_owned(),
        "[]".to_owned(),
        "{".to_owned(),
        "{} {}".to_owned(),
    ] {
        let body = json!({"domain": {"domainReference": TEAM}, "schema": url, "attributes": {}});
        let answer = soon(&url, world.post(Manager, &body)).await;
        assert_eq!(answer.error(), (422, "VALIDATION_FAILED".to_owned()), "{url}: {answer:?}");
        // Other users cannot make the server fetch it.
        soon(&url, world.post(Member, &body)).await.is(403);
    }
    trap.expect_nobody().await;
}
