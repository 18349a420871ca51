//! The OpenAPI description.

use api_http::docs;
use serde_json::{Value, json};
use utoipa::OpenApi as _;

use super::error_body::ErrorBody;
use super::services::ProfileConfig;
use super::wire::{ProfileBody, ServiceInfo};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Profiles, served by mgdex", version = "1.0", license(name = "MIT OR Apache-2.0")),
    components(schemas(ErrorBody, ProfileBody<'static>, ServiceInfo)),
    tags(
        (name = "users", description = "Profiles of users."),
        (name = "domains", description = "Profiles of domains, which are groups of users."),
        (name = "profiles", description = "Profiles by their reference."),
    ),
)]
struct Description;

/// The body of a request to create a profile, and its schemas: it has one of `user` and `domain`,
/// which attributes of utoipa cannot express.
const NEW_PROFILE: &str = include_str!("openapi/new_profile.json");

pub(super) fn description(config: &ProfileConfig) -> Value {
    let mut description = docs::described(&Description::openapi(), "", include_str!("openapi/operations.md"));
    description["info"]["description"] = introduction(config).into();
    let mut new: Value = serde_json::from_str(NEW_PROFILE).expect("a body and schemas");
    description["paths"]["/profiles"]["post"]["requestBody"] = new["body"].take();
    if let (Value::Object(schemas), Value::Object(added)) =
        (&mut description["components"]["schemas"], new["schemas"].take())
    {
        schemas.extend(added);
    }
    let scheme = json!({"type": "http", "scheme": "bearer", "bearerFormat": "JWT"});
    description["components"]["securitySchemes"] = json!({ "bearer": scheme });
    description["security"] = json!([{"bearer": []}]);
    description
}

fn introduction(config: &ProfileConfig) -> String {
    format!(
        include_str!("openapi/introduction.md"),
        admin_group = config.admin_group,
        search_group = config.search_group,
        body_bytes_max = config.body_bytes_max,
        attributes_max = config.attributes_max,
        key_chars_max = config.key_chars_max,
        value_chars_max = config.value_chars_max,
        profile_bytes_max = store_profiles::PROFILE_BYTES_MAX,
        schema_bytes_max = config.schema.bytes_max,
        properties_max = config.schema.properties_max,
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use store_profiles::SchemaLimits;

    use super::*;

    fn document() -> Value {
        description(&ProfileConfig::default())
    }

    #[test]
    fn every_operation_is_described_with_its_errors() {
        let document = document();
        let mut described = BTreeSet::new();
        for (path, item) in document["paths"].as_object().expect("an object") {
            for (method, operation) in item.as_object().expect("an object") {
                let id = operation["operationId"].as_str().expect("text");
                assert!(described.insert((method.clone(), path.clone())), "{id}");
                for status in ["400", "401", "405", "414", "500", "503"] {
                    assert!(operation["responses"].get(status).is_some(), "{status} of {id}");
                }
            }
        }
        let expected = [
            ("get", "/users/{user_reference}/profile"),
            ("get", "/users/{user_reference}/profile/{attribute_key}"),
            ("get", "/users/profile/{attribute_key}"),
            ("get", "/my/profile"),
            ("get", "/domains/{domain_reference}/profile"),
            ("get", "/domains/{domain_reference}/profile/{attribute_key}"),
            ("post", "/profiles"),
            ("get", "/profiles/{profile_reference}"),
            ("put", "/profiles/{profile_reference}"),
            ("patch", "/profiles/{profile_reference}"),
            ("post", "/profiles/{profile_reference}"),
            ("delete", "/profiles/{profile_reference}"),
            ("get", "/profiles/{profile_reference}/{attribute_key}"),
            ("delete", "/profiles/{profile_reference}/{attribute_key}"),
            ("get", "/profiles/info"),
            ("get", "/profiles/export"),
        ];
        let expected = expected.map(|(method, path)| (method.to_owned(), path.to_owned()));
        assert_eq!(described, BTreeSet::from(expected));
    }

    #[test]
    fn limits_groups_and_tokens_are_described() {
        let config = ProfileConfig {
            admin_group: "our.admins".to_owned(),
            search_group: "our.searchers".to_owned(),
            is_read_only: false,
            body_bytes_max: 10_001,
            attributes_max: 10_002,
            key_chars_max: 10_003,
            value_chars_max: 10_004,
            schema: SchemaLimits { bytes_max: 10_005, properties_max: 10_006 },
        };
        let document = description(&config);
        let text = document["info"]["description"].as_str().expect("text");
        let limits = ["10001", "10002", "10003", "10004", "10005", "10006"];
        for part in limits.into_iter().chain([
            "`our.admins`",
            "`our.searchers`",
            "not verified",
            "administrators must be in it",
        ]) {
            assert!(text.contains(part), "{part}");
        }
        let patch = &document["paths"]["/profiles/{profile_reference}"]["patch"]["responses"];
        assert!(patch["503"]["description"].as_str().expect("text").contains("may have been written"));
        assert!(patch["408"].is_object());
        assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
        assert_eq!(document["security"][0]["bearer"], serde_json::json!([]));
    }

    #[test]
    fn parameters_and_bodies_describe_accepted_values() {
        let document = document();
        let parameter = |path: &str, method: &str, name: &str| {
            let parameters = document["paths"][path][method]["parameters"].as_array().expect("a list");
            parameters.iter().find(|parameter| parameter["name"] == name).expect("described")["schema"].clone()
        };
        let search = "/users/profile/{attribute_key}";
        assert_eq!(parameter(search, "get", "attribute_key")["enum"], serde_json::json!(["email", "name"]));
        assert_eq!(parameter(search, "get", "value")["minLength"], 1);
        let by_post = parameter("/profiles/{profile_reference}", "post", "_method");
        assert_eq!(by_post["enum"], serde_json::json!(["patch"]));
        let matches = |schema: &Value, text: &str| {
            jsonschema::validator_for(schema).expect("a schema").is_valid(&Value::from(text))
        };
        let if_match = parameter("/profiles/{profile_reference}", "put", "If-Match");
        for (text, expected) in [("*", true), ("\"3\"", true), ("\"3\", W/\"4\"", true), ("3", false), ("\"3", false)] {
            assert_eq!(matches(&if_match, text), expected, "{text}");
        }
        assert_eq!(parameter("/profiles/{profile_reference}", "post", "If-Match"), if_match);
        let body = |method: &str| {
            let operation = &document["paths"]["/profiles/{profile_reference}"][method];
            operation["requestBody"]["content"]["application/json"]["schema"]["propertyNames"].clone()
        };
        let new = &document["components"]["schemas"]["NewProfile"]["allOf"][0]["properties"]["attributes"];
        for key in [
            parameter("/profiles/{profile_reference}/{attribute_key}", "delete", "attribute_key"),
            parameter("/profiles/{profile_reference}/{attribute_key}", "get", "attribute_key"),
            parameter("/users/{user_reference}/profile/{attribute_key}", "get", "attribute_key"),
            parameter("/domains/{domain_reference}/profile/{attribute_key}", "get", "attribute_key"),
            body("put"),
            body("patch"),
            body("post"),
            new["propertyNames"].clone(),
        ] {
            for (text, expected) in
                [("car", true), ("ä ö", true), ("", false), ("a\u{7}", false), (&*"a".repeat(256), false)]
            {
                assert_eq!(matches(&key, text), expected, "{text}: {key}");
            }
        }
        let profile = document["components"]["schemas"]["NewProfile"].clone();
        let whole = serde_json::json!({"allOf": [profile], "components": document["components"]});
        let validator = jsonschema::validator_for(&whole).expect("a schema");
        let (user, domain) = (r#"{"userReference": "usr-1"}"#, r#"{"domainReference": "dom-1"}"#);
        for (body, expected) in [
            (format!(r#"{{"user": {user}}}"#), true),
            (format!(r#"{{"domain": {domain}, "user": null}}"#), true),
            (format!(r#"{{"domain": {domain}, "user": {user}}}"#), false),
            ("{}".to_owned(), false),
        ] {
            let body: Value = serde_json::from_str(&body).expect("JSON");
            assert_eq!(validator.is_valid(&body), expected, "{body}");
        }
    }

    #[test]
    fn every_reference_has_a_target() {
        let document = document();
        let mut open = vec![&document];
        let mut num_references = 0;
        while let Some(value) = open.pop() {
            if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
                assert!(reference.strip_prefix('#').is_some_and(|at| document.pointer(at).is_some()), "{reference}");
                num_references += 1;
            }
            open.extend(value.as_array().into_iter().flatten());
            open.extend(value.as_object().into_iter().flat_map(|object| object.values()));
        }
        assert!(num_references > 20);
    }
}
