//! Schemas that would take for ever, or call somebody.

use std::sync::Arc;

use serde_json::{Value, json};

use super::soon;
use crate::services::profiles::harness::Role::{Manager, Member, Owner};
use crate::services::profiles::harness::{TEAM, World, with_schema};
use crate::services::profiles::trap::Trap;

/// Gives a schema that must be refused, and returns what is said of it.
async fn defects(world: &World, schema: &Value) -> Vec<String> {
    let shown: String = schema.to_string().chars().take(200).collect();
    let answer = soon(&shown, world.post(Manager, &with_schema(schema, json!({"a": "b"})))).await;
    assert_eq!(answer.status, 422, "{shown}: {answer:?}");
    let details = answer.details();
    assert_eq!(answer.message(), format!("Data does not conform to schema. There are {} error(s).", details.len()));
    details
}

/// `$ref` doubled at each of many levels, by each keyword that combines schemas.
#[tokio::test]
async fn references_are_refused_however_they_are_nested() {
    let world = World::new();
    let chain = |keyword: &str, levels: usize| {
        let level = |number: usize| {
            let next = json!({"$ref": format!("#/definitions/l{}", number + 1)});
            (format!("l{number}"), json!({keyword: [next, next]}))
        };
        let definitions: serde_json::Map<_, _> = (0..levels).map(level).collect();
        json!({"type": "object", "definitions": definitions, "properties": {"a": {"$ref": "#/definitions/l0"}}})
    };
    for schema in [
        json!({"$ref": "#"}),
        json!({"properties": {"a": {"$ref": "#/properties/a"}}}),
        json!({"properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}}),
        chain("allOf", 25),
        chain("anyOf", 200),
        chain("oneOf", 60),
        json!({"allOf": vec![json!({"type": "object"}); 1000]}),
        json!({"not": {"not": {"not": {}}}}),
        json!({"dependencies": {"a": ["b"]}}),
        json!({"properties": {"a": {"items": [{"type": "string"}]}}}),
    ] {
        let defects = defects(&world, &schema).await;
        assert!(defects.iter().all(|line| line.starts_with("$.")), "{defects:?}");
    }
    let mut nested = json!({"type": "object"});
    for _ in 0..60 {
        nested = json!({"allOf": [nested.clone()], "type": "object"});
    }
    defects(&world, &nested).await;
    // Deeper than any reader goes: as a text, since no reader goes there.
    for text in
        ["{\"allOf\":[".repeat(3000), "[".repeat(30_000), format!("{}1{}", "{\"a\":".repeat(3000), "}".repeat(3000))]
    {
        let body = json!({"domain": {"domainReference": TEAM}, "schema": text, "attributes": {}});
        soon("nesting", world.post(Manager, &body)).await.is(422);
    }
}

/// Patterns that are too large to be made.
#[tokio::test]
async fn a_pattern_that_is_too_large_is_refused() {
    let world = World::new();
    for pattern in [
        "(a{1,1000}){1,1000}",
        "((((a{1,100}){1,100}){1,100}){1,100})",
        "(((a{1000}){1000}){1000}){1000}",
        "a{99999999999999999999}",
        "(\\p{L}{1,500}){1,500}",
        "(",
        "[",
        "a**",
        "(?<a>b)(?<a>c)",
        "\\",
    ] {
        for schema in [
            json!({"properties": {"a": {"type": "string", "pattern": pattern}}}),
            json!({"patternProperties": {pattern: {"type": "string"}}}),
            json!({"additionalProperties": {"type": "string", "pattern": pattern}}),
        ] {
            let lines = defects(&world, &schema).await;
            assert_eq!(lines.len(), 1, "{schema}: {lines:?}");
        }
    }
    let many: serde_json::Map<_, _> =
        (0..200).map(|number| (format!("k{number}"), json!({"pattern": "\\w{1,100}\\w{1,100}"}))).collect();
    let body = with_schema(&json!({"properties": many}), json!({}));
    let status = soon("two hundred patterns", world.post(Manager, &body)).await.status;
    assert!([201, 400, 422].contains(&status), "{status}");
}

/// Patterns that match in no time and do not match for ever. What takes too long to find out does not conform.
#[tokio::test]
async fn a_pattern_that_takes_for_ever_does_not() {
    for pattern in [
        "^(a+)+$",
        "^(a|a)*$",
        "^(a|aa)+$",
        "^(.*a){20}$",
        "(x+x+)+y",
        "^(?=(a+)+$)b",
        "^(a+)+\\1$",
        "^(\\w+\\s?)+\\1$",
    ] {
        let world = World::new();
        let schema = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}});
        let bad = format!("{}!", "a".repeat(4000));
        let body = with_schema(&schema, json!({"a": bad}));
        let answer = soon(pattern, world.post(Manager, &body)).await;
        assert_eq!(answer.status, 422, "{pattern}: {answer:?}");
        assert_eq!(answer.details(), [format!("$.a: does not match the regex pattern {pattern}")]);
    }
}

/// Returns a schema that asks many slow questions of each key, and attributes that it is slow for.
fn bomb() -> (Value, Value) {
    let patterns: serde_json::Map<_, _> =
        (0..190).map(|number| (format!("^(a+)+\\1b{number}$"), json!({"minLength": 1}))).collect();
    let attributes: serde_json::Map<_, _> =
        (0..190).map(|number| (format!("{}{number}", "a".repeat(60)), json!("x"))).collect();
    (json!({"type": "object", "patternProperties": patterns}), Value::Object(attributes))
}

/// Many such patterns at once, on many keys.
#[tokio::test]
async fn many_slow_patterns_take_no_longer_than_one() {
    let world = World::new();
    let (schema, attributes) = bomb();
    let answer = soon("many patterns", world.post(Manager, &with_schema(&schema, attributes))).await.is(422);
    assert!(answer.details()[0].contains(": does not match the regex pattern "), "{:?}", answer.details()[0]);
}

/// Whoever writes into a profile with a slow schema, again and again, does not hold up the writes of others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_schemas_hold_up_nobody_else() {
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
    // They wait for one another, on a busy machine for longer than a request may take.
    let statuses = bombs.join_all().await;
    assert!(statuses.contains(&422) && statuses.iter().all(|status| [422, 503].contains(status)), "{statuses:?}");
}

/// Schemas that are slow to read and refused in the end hold up nobody but the one who sends them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn schemas_that_are_slow_to_read_hold_up_nobody_else() {
    let world = Arc::new(World::new());
    let user = world.user_profile().await;
    let mut slow = tokio::task::JoinSet::new();
    for number in 0..100 {
        // None of them is known already.
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

/// Nothing in a schema is fetched: neither to be read, nor to be validated with.
#[tokio::test]
async fn nothing_that_a_schema_names_is_called() {
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
        (json!({"$schema": "http://json-schema.org/draft-07/schema#"}), 422),
        (json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}), 422),
        (json!({"$schema": "http://json-schema.org/schema#"}), 422),
        (json!({"$schema": 1}), 422),
        (json!({"id": url}), 201),
        (json!({"definitions": {"a": {"id": url, "$ref": url}}}), 0),
        (json!({"description": url, "title": url, "default": {"$ref": url}}), 201),
        (json!({"$schema": "http://json-schema.org/draft-04/schema#"}), 201),
        (json!({"$schema": "https://json-schema.org/draft-04/schema"}), 201),
        // What Draft 4 does not know means nothing.
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

/// A schema by URL goes nowhere while nobody has allowed it.
#[tokio::test]
async fn urls_of_schemas_are_not_called() {
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
        // Nobody else makes the server look at it.
        soon(&url, world.post(Member, &body)).await.is(403);
    }
    trap.expect_nobody().await;
}
