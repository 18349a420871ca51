//! Profiles with a schema: what is told of attributes and of schemas, and that nothing is stored that does not conform.

use serde_json::{Value, json};

use crate::services::profiles::harness::Role::{Manager, ManagerOnly};
use crate::services::profiles::harness::{TEAM, World, with_schema};

/// Each template of the messages: what is said of `$.a` or of all attributes, the attributes, the line.
#[tokio::test]
async fn every_message_has_its_template() {
    let world = World::new();
    let rules = |rules: Value| json!({"type": "object", "properties": {"a": rules}});
    for (schema, attributes, line) in [
        (rules(json!({"minLength": 3})), json!({"a": "é\u{1f600}"}), "$.a: must be at least 3 characters long"),
        (rules(json!({"maxLength": 5})), json!({"a": "123456"}), "$.a: may only be 5 characters long"),
        (
            rules(json!({"pattern": "^[0-9]{5}$"})),
            json!({"a": "1234"}),
            "$.a: does not match the regex pattern ^[0-9]{5}$",
        ),
        (
            rules(json!({"enum": ["x", "y z"]})),
            json!({"a": "z"}),
            "$.a: does not have a value in the enumeration [x, y z]",
        ),
        (
            rules(json!({"format": "email"})),
            json!({"a": "nobody"}),
            "$.a: does not match the email pattern of RFC 5321",
        ),
        (json!({"required": ["address"]}), json!({"a": "b"}), "$.address: is missing but it is required"),
        (
            json!({"additionalProperties": false}),
            json!({"a": "b"}),
            "$.a: is not defined in the schema and the schema does not allow additional properties",
        ),
        (json!({"minProperties": 2}), json!({"a": "b"}), "$: should have a minimum of 2 properties"),
        (json!({"maxProperties": 1}), json!({"a": "b", "c": "d"}), "$: may only have a maximum of 1 properties"),
        (
            json!({"patternProperties": {"^a": {"minLength": 2}}}),
            json!({"ab": "1"}),
            "$.ab: must be at least 2 characters long",
        ),
        (
            json!({"additionalProperties": {"maxLength": 1}}),
            json!({"centre name": "12"}),
            "$.centre name: may only be 1 characters long",
        ),
    ] {
        let answer = world.post(Manager, &with_schema(&schema, attributes.clone())).await.is(422);
        assert_eq!(answer.details(), [line], "{schema}");
        // Row "Title missing".
        assert_eq!(answer.message(), "Data does not conform to schema. There are 1 error(s).");
        // Values are nobody's business but their owner's.
        for value in attributes
            .as_object()
            .expect("an object")
            .values()
            .filter_map(Value::as_str)
            .filter(|value| value.len() > 3)
        {
            assert!(!answer.text.contains(value), "{answer:?}");
        }
    }
}

/// All violations, in the order of the schema, then of keys, then of the whole.
const ORDERED: &str = r#"{
    "title": "Order",
    "maxProperties": 3,
    "required": ["z", "b", "y"],
    "additionalProperties": false,
    "patternProperties": {"^p": {"minLength": 9}},
    "properties": {
        "c": {"format": "email", "enum": ["1.2.3.4"], "pattern": "^1", "maxLength": 2, "minLength": 9, "type": "string"},
        "b": {"type": "string"},
        "a": {"minLength": 2}
    }
}"#;

#[tokio::test]
async fn violations_are_told_all_and_in_one_order() {
    let attributes = [("x", "1"), ("p2", "1"), ("a", "1"), ("é", "1"), ("p1", "1"), ("c", "abc"), ("A", "1")];
    let expected = [
        "$.c: must be at least 9 characters long",
        "$.c: may only be 2 characters long",
        "$.c: does not match the regex pattern ^1",
        "$.c: does not have a value in the enumeration [1.2.3.4]",
        "$.c: does not match the email pattern of RFC 5321",
        "$.a: must be at least 2 characters long",
        "$.p1: must be at least 9 characters long",
        "$.p2: must be at least 9 characters long",
        "$.z: is missing but it is required",
        "$.b: is missing but it is required",
        "$.y: is missing but it is required",
        "$.A: is not defined in the schema and the schema does not allow additional properties",
        "$.x: is not defined in the schema and the schema does not allow additional properties",
        "$.é: is not defined in the schema and the schema does not allow additional properties",
        "$: may only have a maximum of 3 properties",
    ];
    let world = World::new();
    // The order of the attributes says nothing.
    for shift in 0..attributes.len() {
        let mut attributes = attributes;
        attributes.rotate_left(shift);
        let attributes: serde_json::Map<_, _> =
            attributes.map(|(key, value)| (key.to_owned(), json!(value))).into_iter().collect();
        let body = json!({"domain": {"domainReference": TEAM}, "schema": ORDERED, "attributes": attributes});
        let answer = world.post(Manager, &body).await.is(422);
        assert_eq!(answer.details(), expected);
        assert_eq!(answer.message(), "Data does not conform to Order. There are 15 error(s).");
    }
}

/// Row "DELETE/PUT/PATCH that would break the schema".
#[tokio::test]
async fn what_would_break_the_schema_changes_nothing() {
    let world = World::new();
    let schema = json!({
        "title": "Billing",
        "type": "object",
        "properties": {"cost_center": {"type": "string", "pattern": "^[A-Z]{3}[0-9]{3}$"}},
        "required": ["address"],
        "maxProperties": 3,
    });
    let reference = world.validated_profile(&schema, json!({"address": "South", "cost_center": "ABC123"})).await;
    let path = format!("/profiles/{reference}");
    let before = world.get(&path, Manager).await.is(200);
    for (method, path, body, details) in [
        ("PUT", path.clone(), r#"{"cost_center":"ABC123"}"#, vec!["$.address: is missing but it is required"]),
        ("PUT", path.clone(), "{}", vec!["$.address: is missing but it is required"]),
        (
            "PATCH",
            path.clone(),
            r#"{"cost_center":"x"}"#,
            vec!["$.cost_center: does not match the regex pattern ^[A-Z]{3}[0-9]{3}$"],
        ),
        (
            "POST",
            format!("{path}?_method=patch"),
            r#"{"cost_center":"x"}"#,
            vec!["$.cost_center: does not match the regex pattern ^[A-Z]{3}[0-9]{3}$"],
        ),
        // Each alone would do, but not with what is there.
        ("PATCH", path.clone(), r#"{"a":"b","c":"d"}"#, vec!["$: may only have a maximum of 3 properties"]),
        ("DELETE", format!("{path}/address"), "", vec!["$.address: is missing but it is required"]),
    ] {
        for role in [Manager, ManagerOnly, crate::services::profiles::harness::Role::Admin] {
            let answer = world.ask(method, &path, role, &[], body).await.is(422);
            assert_eq!(answer.details(), details, "{method} {path} {body}");
            assert_eq!(answer.message(), "Data does not conform to Billing. There are 1 error(s).");
            assert_eq!(answer.json()["path"], format!("http://mgdex.test{}", path.split('?').next().expect("a path")));
        }
        let after = world.get(&format!("/profiles/{reference}"), Manager).await;
        assert_eq!((after.text, after.headers.get("etag")), (before.text.clone(), before.headers.get("etag")));
    }
    world.delete(&reference, Manager, "cost_center").await.is(200);
    let answer = world.put(&reference, Manager, &json!({"address": "North", "a": "b", "c": "d"})).await.is(200);
    assert_eq!((answer.etag(), &answer.json()["schema"]), ("\"3\"", &json!(schema.to_string())));
}

/// A schema is kept to by every start of the server.
#[tokio::test]
async fn a_schema_outlives_the_server() {
    let mut world = World::new();
    let reference = world.validated_profile(&json!({"title": "T", "required": ["a"]}), json!({"a": "b"})).await;
    world.restart();
    world.put(&reference, Manager, &json!({})).await.is(422);
    let put = world.put(&reference, Manager, &json!({"a": "c"})).await.is(200);
    assert_eq!((put.etag(), put.json()["schema"].as_str()), ("\"2\"", Some(r#"{"title":"T","required":["a"]}"#)));
}

/// Schemas that say what cannot be enforced, or are none.
#[tokio::test]
async fn defects_of_schemas_are_told_by_their_place() {
    let world = World::new();
    for (schema, line) in [
        (
            json!({"properties": {"age": {"type": "integer"}}}),
            "$.schema: properties.age.type: integer is not supported, only string is",
        ),
        (json!({"properties": {"a": {"type": ["string", "null"]}}}), "$.schema: properties.a.type: "),
        (json!({"properties": {"a": {"type": "object"}}}), "$.schema: properties.a.type: "),
        (json!({"type": "array"}), "$.schema: type: array is not supported, only object is"),
        (json!({"properties": {"a": {"$ref": "#/definitions/b"}}}), "$.schema: properties.a.$ref: is not supported"),
        (json!({"allOf": [{}]}), "$.schema: allOf: is not supported"),
        (json!({"anyOf": [{}]}), "$.schema: anyOf: is not supported"),
        (json!({"oneOf": [{}]}), "$.schema: oneOf: is not supported"),
        (json!({"not": {}}), "$.schema: not: is not supported"),
        (json!({"dependencies": {}}), "$.schema: dependencies: is not supported"),
        (json!({"properties": {"a": {"minimum": 1}}}), "$.schema: properties.a.minimum: is not supported"),
        (json!({"additionalProperties": {"type": "number"}}), "$.schema: additionalProperties.type: "),
        (json!({"patternProperties": {"^a": {"type": "number"}}}), "$.schema: patternProperties.^a.type: "),
        (json!({"required": []}), "$.schema: required: "),
        (json!({"required": true}), "$.schema: required: "),
        (json!({"required": ["a", "a"]}), "$.schema: required: "),
        (json!({"properties": {"a": {"minLength": "3"}}}), "$.schema: properties.a.minLength: "),
        (json!({"properties": {"a": {"minLength": -1}}}), "$.schema: properties.a.minLength: "),
        (json!({"properties": []}), "$.schema: properties: "),
        (json!({"title": 1}), "$.schema: title: "),
        (json!(true), "$.schema: "),
        (json!([]), "$.schema: "),
    ] {
        let answer = world.post(Manager, &with_schema(&schema, json!({}))).await;
        assert_eq!(answer.status, 422, "{schema}: {answer:?}");
        let details = answer.details();
        assert!(details.len() == 1 && details[0].starts_with(line), "{schema}: {details:?}");
        assert_eq!(answer.message(), "Data does not conform to schema. There are 1 error(s).");
    }
    // All are told at once, and not by the title that the schema has.
    let schema = json!({"title": "T", "allOf": [{}], "properties": {"a": {"type": "number"}, "b": {"type": "null"}}});
    let answer = world.post(Manager, &with_schema(&schema, json!({}))).await.is(422);
    assert_eq!(
        (answer.details().len(), answer.message().as_str()),
        (3, "Data does not conform to schema. There are 3 error(s).")
    );
    // A key that is there twice has two meanings.
    let body = json!({"domain": {"domainReference": TEAM}, "schema": r#"{"title":"a","title":"b"}"#});
    world.post(Manager, &body).await.is(422);
    // A schema that is no text is no schema in the shape that is wanted.
    for schema in [json!({}), json!({"type": "object"}), json!(1), json!([]), json!(true)] {
        let body = json!({"domain": {"domainReference": TEAM}, "schema": schema});
        let answer = world.post(Manager, &body).await;
        assert!([400, 422].contains(&answer.status), "{schema}: {answer:?}");
    }
    world.get(&format!("/domains/{TEAM}/profile"), Manager).await.is(404);
}

/// A schema comes back as it was given, to the letter.
#[tokio::test]
async fn a_schema_is_echoed_as_it_was_given() {
    for text in [
        "{}",
        " {\n\t\"type\" : \"object\", \"required\":[\"address\"] }\n",
        r#"{"title":"\u00e9 \/ \"","unknown":1.0e5,"properties":{"b":{},"a":{}}}"#,
        r#"{"id":"http://schemas.test/a","$schema":"http://json-schema.org/draft-04/schema","default":{"a":1}}"#,
    ] {
        let world = World::new();
        let body = json!({"domain": {"domainReference": TEAM}, "schema": text, "attributes": {"address": "a"}});
        let made = world.post(Manager, &body).await.is(201);
        assert_eq!(made.json()["schema"], text);
        let changed = world.patch(&made.reference(), Manager, &json!({"b": "c"})).await.is(200);
        assert_eq!(changed.json()["schema"], text);
    }
}

/// An answer about many violations is not much larger than the request was.
#[tokio::test]
async fn many_violations_are_bounded_and_counted() {
    let world = World::new();
    let families = (0..100).map(|number| (format!("^|{number}"), json!({"minLength": number + 1})));
    let families: serde_json::Map<_, _> = families.collect();
    let schema = json!({"title": "t\n".repeat(300), "patternProperties": families});
    let reference = world.validated_profile(&schema, json!({})).await;
    let attributes: serde_json::Map<_, _> = (0..200).map(|number| (format!("{number:090}"), json!(""))).collect();
    let answer = world.put(&reference, Manager, &Value::Object(attributes)).await.is(422);
    let details = answer.details();
    assert_eq!(details.last().expect("lines"), &format!("… and {} more", 20_000 - (details.len() - 1)));
    assert!(answer.text.len() < 70 << 10, "{} bytes", answer.text.len());
    assert_eq!(answer.message(), format!("Data does not conform to {}…. There are 20000 error(s).", "t".repeat(200)));
    let rules = json!({"not": {}, "anyOf": [{}], "allOf": [{}], "oneOf": [{}], "dependencies": {}, "minimum": 1});
    let properties: serde_json::Map<_, _> = (0..200).map(|number| (format!("a{number}"), rules.clone())).collect();
    let answer = world.post(Manager, &with_schema(&json!({"properties": properties}), json!({}))).await;
    assert_eq!(answer.status, 409, "{answer:?}");
    let world = World::new();
    let answer = world.post(Manager, &with_schema(&json!({"properties": properties}), json!({}))).await.is(422);
    assert_eq!(answer.details().last().expect("lines"), "… and 200 more");
    assert_eq!(answer.message(), "Data does not conform to schema. There are 1200 error(s).");
}
