//! The OpenAPI description: that of the handlers, completed by what they share.

use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::schema::{AllOfBuilder, ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};

use super::error_body::ErrorBody;
use super::services::ProfileConfig;
use crate::docs::{self, ErrorForm};

/// Name of the security scheme.
const BEARER: &str = "bearer";

/// Name of the schema of new profiles.
const NEW_PROFILE: &str = "NewProfile";

const ERRORS: ErrorForm = ErrorForm { schema: "Error", content_type: "application/json;charset=UTF-8" };

/// The errors of all operations.
const COMMON_ERRORS: [(&str, &str); 6] = [
    ("400", "The `Authorization` header cannot be read."),
    (
        "401",
        "There is no token, it is not valid, or the account is locked: `NO_TOKEN`, `INVALID_JWT`, `TOKEN_EXPIRED`, `ACCOUNT_LOCKED`.",
    ),
    ("405", "The path does not have this method; `Allow` names those that it has."),
    ("414", "The URI is too long."),
    ("500", "A fault of the server; its log says more under the `x-request-id` of the answer."),
    (
        "503",
        "The server is overloaded, the request took too long, the disk is full, or the directory cannot be read (all with `Retry-After`), or the store has failed and the service must be restarted. What took too long may have been written all the same: read it before writing again.",
    ),
];

/// The errors of all operations that have a body.
const BODY_ERRORS: [(&str, &str); 3] = [
    ("408", "The body did not arrive in time. Nothing was changed."),
    ("413", "The body is too large."),
    ("415", "The body is not `application/json`."),
];

/// The description without its operations.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Profiles, served by mgdex", version = "1.0", license(name = "MIT OR Apache-2.0")),
    components(schemas(ErrorBody)),
    tags(
        (name = "users", description = "Profiles of users."),
        (name = "domains", description = "Profiles of domains, which are groups of users."),
        (name = "profiles", description = "Profiles by their reference."),
    ),
)]
struct Description;

/// Completes the description of the operations.
pub(super) fn description(operations: OpenApi, config: &ProfileConfig) -> OpenApi {
    let mut description = Description::openapi();
    description.merge(operations);
    description.info.description = Some(text(config));
    let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    let components = description.components.get_or_insert_default();
    components.add_security_scheme(BEARER, SecurityScheme::Http(scheme));
    description.security = Some(vec![SecurityRequirement::new(BEARER, [""; 0])]);
    ERRORS.add_to_all(&mut description, &COMMON_ERRORS);
    for operation in docs::operations(&mut description).filter(|operation| operation.request_body.is_some()) {
        for (status, text) in BODY_ERRORS {
            operation.responses.responses.insert(status.to_owned(), ERRORS.response(text).into());
        }
    }
    have_one_owner(&mut description);
    description
}

/// Describes that a new profile has one of `user` and `domain`, which utoipa cannot express.
fn have_one_owner(description: &mut OpenApi) {
    let schemas = &mut description.components.get_or_insert_default().schemas;
    let Some(profile) = schemas.remove(NEW_PROFILE) else { return };
    let with = |name: &str| {
        let owner = ObjectBuilder::new().schema_type(Type::Object);
        ObjectBuilder::new().property(name, owner).required(name).build()
    };
    let owners = Schema::from(OneOfBuilder::new().item(with("user")).item(with("domain")).build());
    let both = Schema::from(AllOfBuilder::new().item(profile).item(owners).build());
    schemas.insert(NEW_PROFILE.to_owned(), both.into());
}

/// Returns the introduction.
fn text(config: &ProfileConfig) -> String {
    let ProfileConfig {
        admin_group,
        search_group,
        body_bytes_max,
        attributes_max,
        key_chars_max,
        value_chars_max,
        schema,
    } = config;
    let (schema_bytes_max, properties_max) = (schema.bytes_max, schema.properties_max);
    let profile_bytes_max = store::PROFILE_BYTES_MAX;
    format!(
        "Attributes (pairs of a key and a text) of users and domains. Changes that were answered with 200 or 201 are on the disk.\n\n\
         **Attributes are what people say about themselves.** Only their form is checked; an `email` in a profile is not verified. Never base \
         permissions on them.\n\n\
         **Permissions.** Every request carries `Authorization: Bearer` and a token, a JWT signed by RS256, once; tokens anywhere else \
         are ignored. Users read and change their own profile. Members and managers of a domain read its profile, managers make and \
         change it; membership is read from the current directory, not from the token. The group `{admin_group}` among the token's \
         `domains` reads and changes all profiles, even of domains that are no longer in the directory, creates those of users, and exports all. Only the group \
         `{search_group}` searches; administrators must be in it too.\n\n\
         **Order of checks.** 401, then 404, then 403, then the key, body and headers (400, 408, 413, 415), then 412, then 422. For `POST /profiles`: 401, \
         then 400, 408, 413 and 415, the length of the schema among them, then 404 and 403, then 409, then 422. A malformed reference is answered like an unknown one. \
         Without a token every path is answered 401, even an unknown one.\n\n\
         **Versions.** Every answer with a profile has a strong `ETag`, its version. `If-Match` on `PUT`, `PATCH` and `DELETE` limits the change \
         to the named versions: use it against lost updates. If `If-None-Match` names the version, a read is answered 304 and a \
         change 412. Weak tags never match in `If-Match`; a malformed header, or more than 100 tags in the two headers together, is 400 on a change and ignored on a read. \
         An attribute has the tag of its profile. Removing a missing attribute is answered 404 whatever `If-Match` says.\n\n\
         **Attributes.** Keys have 1 to {key_chars_max} characters, no control characters; in paths they are percent-encoded, and decoded once. \
         Values have up to {value_chars_max} characters, and no control characters but tab, line feed and carriage return; they come \
         back byte for byte. A profile has up to {attributes_max} attributes and takes up to {profile_bytes_max} bytes as JSON; a body has up to \
         {body_bytes_max} bytes. Values other than strings are refused, null included: `DELETE` removes an attribute. Bodies are UTF-8, whatever \
         their `charset` says, without duplicate keys at any level. Attributes keep the order in which they were first given.\n\n\
         **Schemas.** JSON Schema of Draft 4, for maps of strings: `properties` of type `string` with `minLength`, `maxLength`, `pattern`, `enum` \
         and `format`; `required`, `additionalProperties`, `patternProperties`, `minProperties`, `maxProperties`. What cannot be enforced is \
         refused with 422 and a line for each defect in `details`, as are an empty text and anything but a text. Up to {schema_bytes_max} bytes and {properties_max} \
         properties. A schema by URL is fetched once, when the profile is made, from hosts that the server's settings name, and kept.\n\n\
         **Violations** are listed in `details`, one line each without duplicates, at most 1,000 lines and 64 KiB. If there are more, the last line says \
         how many, as in `… and 1234 more`; `message` has the number of all, and at most 200 characters of the schema's title.\n\n\
         **Slow bodies.** A body that has not arrived within 10 seconds is answered 408. Only a few may arrive slowly at a time; others are answered \
         503.\n\n\
         **Errors** have the field `error` for programs: `NO_TOKEN`, `INVALID_JWT`, `TOKEN_EXPIRED`, `ACCOUNT_LOCKED` (401), `INVALID_REQUEST` (400), \
         `FORBIDDEN` (403), `NOT_FOUND` (404), `METHOD_NOT_ALLOWED` (405), `REQUEST_TIMEOUT` (408), `CONFLICT` (409), `PRECONDITION_FAILED` (412), `PAYLOAD_TOO_LARGE` (413), \
         `URI_TOO_LONG` (414), `UNSUPPORTED_MEDIA_TYPE` (415), `VALIDATION_FAILED` (422), `INTERNAL_ERROR` (500), `SERVICE_UNAVAILABLE` (503).\n\n\
         `HEAD` works wherever `GET` does, and creates a user's profile like `GET`. Unknown query parameters are ignored; of a repeated one the \
         last value counts. A slash at the end of a path changes nothing, except where it begins an empty key, which is answered 400."
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;
    use store::SchemaLimits;

    use utoipa_axum::router::OpenApiRouter;

    use super::*;

    fn document() -> Value {
        document_of(&ProfileConfig::default())
    }

    fn document_of(config: &ProfileConfig) -> Value {
        let (_, operations) = crate::profiles::operations()
            .into_iter()
            .fold(OpenApiRouter::new(), OpenApiRouter::routes)
            .split_for_parts();
        serde_json::to_value(description(operations, config)).expect("JSON")
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
            ("get", "/profiles/{profile_reference}/{attribute_key}"),
            ("delete", "/profiles/{profile_reference}/{attribute_key}"),
            ("get", "/profiles/info"),
            ("get", "/profiles/export"),
        ];
        let expected = expected.map(|(method, path)| (method.to_owned(), path.to_owned()));
        assert_eq!(described, BTreeSet::from(expected));
    }

    #[test]
    fn limits_groups_and_tokens_are_told() {
        let config = ProfileConfig {
            admin_group: "our.admins".to_owned(),
            search_group: "our.searchers".to_owned(),
            body_bytes_max: 10_001,
            attributes_max: 10_002,
            key_chars_max: 10_003,
            value_chars_max: 10_004,
            schema: SchemaLimits { bytes_max: 10_005, properties_max: 10_006 },
        };
        let document = document_of(&config);
        let text = document["info"]["description"].as_str().expect("text");
        let limits = ["10001", "10002", "10003", "10004", "10005", "10006"];
        for part in
            limits.into_iter().chain(["`our.admins`", "`our.searchers`", "not verified", "administrators included"])
        {
            assert!(text.contains(part), "{part}");
        }
        let patch = &document["paths"]["/profiles/{profile_reference}"]["patch"]["responses"];
        assert!(patch["503"]["description"].as_str().expect("text").contains("may have been written"));
        assert!(patch["408"].is_object());
        assert_eq!(document["components"]["securitySchemes"][BEARER]["scheme"], "bearer");
        assert_eq!(document["security"][0][BEARER], serde_json::json!([]));
    }

    #[test]
    fn parameters_and_bodies_say_what_is_accepted() {
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
        let key = parameter("/profiles/{profile_reference}/{attribute_key}", "delete", "attribute_key");
        for (text, expected) in
            [("car", true), ("ä ö", true), ("", false), ("a\u{7}", false), (&*"a".repeat(256), false)]
        {
            assert_eq!(matches(&key, text), expected, "{text}");
        }
        let profile = document["components"]["schemas"][NEW_PROFILE].clone();
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
    fn every_reference_leads_somewhere() {
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
