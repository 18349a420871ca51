//! Row "Limits (configurable)".

use api_profiles::ProfileConfig;
use serde_json::{Map, Value, json};
use store_profiles::SchemaLimits;

use crate::services::profiles::harness::Role::{Manager, Other, Owner};
use crate::services::profiles::harness::{NO_DOMAIN, Setup, TEAM, World, with_schema};

/// Returns `count` attributes.
fn attributes(count: usize) -> Value {
    Value::Object((0..count).map(|number| (format!("key{number}"), json!("a"))).collect::<Map<_, _>>())
}

/// Returns a body of `size_bytes` bytes.
fn padded(size_bytes: usize) -> String {
    let start = r#"{"a":"b""#;
    format!("{start}{}}}", " ".repeat(size_bytes - start.len() - 1))
}

#[tokio::test]
async fn bodies_are_limited_to_256_kib() {
    let world = World::new();
    let reference = world.user_profile().await;
    for method in ["PUT", "PATCH"] {
        let path = format!("/profiles/{reference}");
        assert_eq!(padded(256 << 10).len(), 256 << 10);
        world.ask(method, &path, Owner, &[], &padded(256 << 10)).await.is(200);
        assert_eq!(world.ask(method, &path, Owner, &[], &padded((256 << 10) + 1)).await.error().0, 413, "{method}");
    }
    world.ask("POST", "/profiles", Other, &[], &padded((256 << 10) + 1)).await.is(413);
}

#[tokio::test]
async fn attributes_are_limited_to_200() {
    let world = World::new();
    let reference = world.user_profile().await;
    world.put(&reference, Owner, &attributes(201)).await.is(400);
    world.put(&reference, Owner, &attributes(200)).await.is(200);
    let message = world.patch(&reference, Owner, &json!({"one": "more"})).await.is(400).message();
    assert!(message.contains("200"), "{message}");
    world.patch(&reference, Owner, &json!({"key7": "b"})).await.is(200);
    world.delete(&reference, Owner, "key8").await.is(200);
    world.patch(&reference, Owner, &json!({"one": "more"})).await.is(200);
    let body = json!({"user": {"userReference": Other.user()}, "attributes": attributes(201)});
    world.post(Other, &body).await.is(400);
}

#[tokio::test]
async fn keys_and_values_are_measured_in_code_points() {
    let world = World::new();
    let reference = world.user_profile().await;
    for (key, value, expected) in [
        ("a".repeat(255), String::new(), 200),
        ("\u{1f600}".repeat(255), String::new(), 200),
        ("a".repeat(256), String::new(), 400),
        ("\u{1f600}".repeat(256), String::new(), 400),
        ("a".to_owned(), "b".repeat(4096), 200),
        ("a".to_owned(), "\u{1f600}".repeat(4096), 200),
        ("a".to_owned(), "b".repeat(4097), 400),
        ("a".to_owned(), "\u{1f600}".repeat(4097), 400),
        ("a".to_owned(), "e\u{301}".repeat(2048), 200),
    ] {
        let before = world.get("/my/profile", Owner).await.text;
        let attributes = json!({key: value});
        let answer = world.put(&reference, Owner, &attributes).await;
        assert_eq!(answer.status, expected, "{} code points: {}", value.chars().count(), answer.text);
        if expected == 200 {
            assert_eq!(answer.json()["attributes"], attributes);
        } else {
            assert_eq!(world.get("/my/profile", Owner).await.text, before);
        }
    }
}

#[tokio::test]
async fn schemas_are_limited_to_32_kib_and_200_properties() {
    let properties = |count: usize| {
        let properties: Map<_, _> =
            (0..count).map(|number| (format!("k{number}"), json!({"type": "string"}))).collect();
        json!({"type": "object", "properties": properties})
    };
    let sized = |size_bytes: usize| {
        let schema = json!({"type": "object", "description": ""}).to_string();
        json!({"type": "object", "description": "d".repeat(size_bytes - schema.len())})
    };
    for (schema, expected) in
        [(properties(201), 400), (properties(200), 201), (sized((32 << 10) + 1), 400), (sized(32 << 10), 201)]
    {
        let answer = World::new().post(Manager, &with_schema(&schema, json!({}))).await;
        assert_eq!(answer.status, expected, "{}", answer.text);
    }
}

/// The length of a schema is checked before everything else, as a part of the shape. The number of
/// its properties is not.
#[tokio::test]
async fn long_schemas_are_refused_first() {
    let world = World::new();
    let body = |domain: &str, schema: &str| json!({"domain": {"domainReference": domain}, "schema": schema});
    let long = " ".repeat((32 << 10) + 1);
    world.post(Other, &body(TEAM, &long)).await.is(400);
    world.post(Other, &body(NO_DOMAIN, &long)).await.is(400);
    world.post(Manager, &body(TEAM, &format!("https://schemas.test/{long}"))).await.is(400);
    let properties: Map<_, _> = (0..201).map(|number| (format!("k{number}"), json!({}))).collect();
    world.post(Other, &with_schema(&json!({"properties": properties}), json!({}))).await.is(403);
    world.domain_profile(TEAM, json!({})).await;
    world.post(Manager, &body(TEAM, &long)).await.is(400);
}

/// Messages do not repeat long parts of a request.
#[tokio::test]
async fn messages_repeat_little_of_the_request() {
    let world = World::new();
    let reference = world.user_profile().await;
    let long = "x".repeat(5000);
    let twice = format!(r#"{{"{long}":"1","{long}":"2"}}"#);
    for (method, path, body) in [
        ("POST", "/profiles".to_owned(), json!({"user": {"userReference": long}}).to_string()),
        ("POST", "/profiles".to_owned(), json!({"domain": {"domainReference": long}}).to_string()),
        ("PUT", format!("/profiles/{reference}"), twice),
        ("PUT", format!("/profiles/{reference}"), json!({"k".repeat(255): 1}).to_string()),
        ("GET", format!("/profiles/{reference}/{}", "k".repeat(255)), String::new()),
        ("GET", format!("/profiles/{long}"), String::new()),
        ("GET", format!("/domains/{long}/profile"), String::new()),
        ("GET", format!("/users/{long}"), String::new()),
        ("GET", format!("/users/{long}/profile"), String::new()),
    ] {
        let answer = world.ask(method, &path, Owner, &[], &body).await;
        assert!([400, 404].contains(&answer.status), "{answer:?}");
        let message = answer.message();
        assert!(message.chars().count() < 300 && message.contains('…'), "{method} {path:.40}: {message}");
    }
}

#[tokio::test]
async fn limits_can_be_set() {
    let config = ProfileConfig {
        body_bytes_max: 400,
        attributes_max: 3,
        key_chars_max: 10,
        value_chars_max: 20,
        schema: SchemaLimits { bytes_max: 60, properties_max: 1 },
        ..ProfileConfig::default()
    };
    let world = World::with(Setup { config, ..Setup::default() });
    let reference = world.user_profile().await;
    for (attributes, expected) in [
        (attributes(3), 200),
        (attributes(4), 400),
        (json!({"0123456789": ""}), 200),
        (json!({"0123456789a": ""}), 400),
        (json!({"a": "0".repeat(20)}), 200),
        (json!({"a": "0".repeat(21)}), 400),
        (json!({"a": "0".repeat(393)}), 413),
    ] {
        let answer = world.put(&reference, Owner, &attributes).await;
        assert_eq!(answer.status, expected, "{attributes}: {}", answer.text);
    }
    let two = json!({"properties": {"a": {}, "b": {}}});
    world.post(Manager, &with_schema(&two, json!({}))).await.is(400);
    let long = json!({"description": "d".repeat(60)});
    world.post(Manager, &with_schema(&long, json!({}))).await.is(400);
    world.post(Manager, &with_schema(&json!({"properties": {"a": {}}}), json!({}))).await.is(201);
}

/// The names of groups are configurable.
#[tokio::test]
async fn groups_can_have_other_names() {
    let config = ProfileConfig {
        admin_group: "svc.profile.search".to_owned(),
        search_group: "svc.admin".to_owned(),
        ..ProfileConfig::default()
    };
    let world = World::with(Setup { config, ..Setup::default() });
    let reference = world.user_profile().await;
    let path = format!("/profiles/{reference}");
    world.get(&path, crate::services::profiles::harness::Role::Search).await.is(200);
    world.get(&path, crate::services::profiles::harness::Role::Admin).await.is(403);
    world.get("/users/profile/name?value=a", crate::services::profiles::harness::Role::Admin).await.is(200);
    world.get("/users/profile/name?value=a", crate::services::profiles::harness::Role::Search).await.is(403);
}
