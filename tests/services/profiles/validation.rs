//! Profiles with a schema: the errors about attributes and schemas. Invalid profiles are not
//! stored.

use serde_json::json;

use crate::services::profiles::harness::Role::{Manager, ManagerOnly};
use crate::services::profiles::harness::{TEAM, World, with_schema};

/// Row "DELETE/PUT/PATCH that would break the schema".
#[tokio::test]
async fn changes_that_violate_the_schema_are_refused() {
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
        // Each change is valid alone, but not with the stored attributes.
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

/// Schemas that are invalid or cannot be enforced.
#[tokio::test]
async fn defects_of_schemas_are_reported_with_their_place() {
    let world = World::new();
    for (schema, line) in [
        (
            json!({"properties": {"age": {"type": "integer"}}}),
            "$.schema: properties.age.type: integer is not supported, only string is",
        ),
        (json!({"allOf": [{}]}), "$.schema: allOf: is not supported"),
        (json!([]), "$.schema: "),
    ] {
        let answer = world.post(Manager, &with_schema(&schema, json!({}))).await;
        assert_eq!(answer.status, 422, "{schema}: {answer:?}");
        let details = answer.details();
        assert!(details.len() == 1 && details[0].starts_with(line), "{schema}: {details:?}");
        assert_eq!(answer.message(), "Data does not conform to schema. There are 1 error(s).");
    }
    // All defects are reported at once, without the title of the schema.
    let schema = json!({"title": "T", "allOf": [{}], "properties": {"a": {"type": "number"}, "b": {"type": "null"}}});
    let answer = world.post(Manager, &with_schema(&schema, json!({}))).await.is(422);
    assert_eq!(
        (answer.details().len(), answer.message().as_str()),
        (3, "Data does not conform to schema. There are 3 error(s).")
    );
    // A duplicate key has two meanings.
    let body = json!({"domain": {"domainReference": TEAM}, "schema": r#"{"title":"a","title":"b"}"#});
    world.post(Manager, &body).await.is(422);
    // A schema that is not a text has the wrong shape.
    for schema in [json!({}), json!({"type": "object"}), json!(1), json!([]), json!(true)] {
        let body = json!({"domain": {"domainReference": TEAM}, "schema": schema});
        let answer = world.post(Manager, &body).await;
        assert!([400, 422].contains(&answer.status), "{schema}: {answer:?}");
    }
    world.get(&format!("/domains/{TEAM}/profile"), Manager).await.is(404);
}

/// A schema is returned verbatim.
#[tokio::test]
async fn schemas_are_returned_verbatim() {
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
