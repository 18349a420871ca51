//! A conversation for each operation, with the bytes of the answers.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::services::profiles::answer::{JSON, LINES, TEXT};
use crate::services::profiles::harness::Role::{Admin, Locked, Manager, Member, Nobody, Other, Owner, Search};
use crate::services::profiles::harness::{BASE, Facts, NO_PROFILE, Setup, TEAM, World};

/// The profile of the owner as it is when it was made by itself.
const OWNERS: &str = r#"{"reference":"prf-…","user":{"userName":null,"email":null,"userReference":"usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4","fullName":null,"domains":null,"accountNonLocked":true},"attributes":{"name":"ajay","email":"ajay@alibaba.com"}}"#;

/// The beginning of the profile of [`TEAM`].
const TEAMS: &str = r#"{"reference":"prf-…","domain":{"domainName":null,"domainDesc":null,"domainReference":"dom-b38d6175-61e8-4d40-98da-df9188d91c82","users":[],"managers":[],"authority":"ROLE_null"},"#;

/// The schema of the conversations about validation, as a text.
const BILLING: &str = r#"{"$schema":"http://json-schema.org/draft-04/schema#","title":"Billing","type":"object","properties":{"cost_center":{"type":"string","minLength":3,"pattern":"^[A-Z]{3}[0-9]{3}$"},"address":{"type":"string"}},"required":["address"]}"#;

/// Operation 1: `GET /users/{user_reference}/profile`.
#[tokio::test]
async fn a_user_reads_their_profile_by_their_reference() {
    let world = World::new();
    let path = format!("/users/{}/profile", Owner.user());
    let made = world.get(&path, Owner).await.is(200);
    assert_eq!((made.redacted().as_str(), made.header("content-type"), made.etag()), (OWNERS, JSON, "\"1\""));
    let read = world.get(&path, Owner).await;
    assert_eq!((read.text, read.headers.get("etag")), (made.text, made.headers.get("etag")));
}

/// Operation 1, in the very bytes of the public example.
#[tokio::test]
async fn the_public_example_has_as_many_bytes_as_it_says() {
    let world = World::new();
    world.user_profile().await;
    world.publish(&Facts { locked: vec![Owner.user()], ..Facts::default() });
    let answer = world.get(&format!("/users/{}/profile", Owner.user()), Admin).await.is(200);
    assert_eq!(answer.redacted(), OWNERS.replace("true", "false"));
    assert_eq!(answer.text.len(), 265);
}

/// Operation 2: `GET /my/profile`.
#[tokio::test]
async fn a_user_reads_their_own_profile() {
    let world = World::new();
    let made = world.get("/my/profile", Owner).await.is(200);
    assert_eq!((made.redacted().as_str(), made.etag()), (OWNERS, "\"1\""));
    assert_eq!(world.get("/my/profile", Owner).await.text, made.text);
    let others = world.get("/my/profile", Other).await.is(200);
    assert_ne!(others.reference(), made.reference());
    assert_eq!(others.attributes(), r#"{"name":"otto","email":"otto@alibaba.com"}"#);
}

/// Operation 3: `GET /domains/{domain_reference}/profile`.
#[tokio::test]
async fn a_member_reads_the_profile_of_a_domain() {
    let world = World::new();
    let attributes = json!({"cost_center": "ABC123", "address": "South Building, EMBL-EBI, Wellcome Genome Campus, Hinxton, Cambridgeshire, CB10 1SD"});
    world.domain_profile(TEAM, attributes.clone()).await;
    let answer = world.get(&format!("/domains/{TEAM}/profile"), Member).await.is(200);
    assert_eq!(answer.redacted(), format!("{TEAMS}\"attributes\":{attributes}}}"));
    assert_eq!((answer.header("content-type"), answer.etag()), (JSON, "\"1\""));
}

/// Operation 4: `GET /profiles/{profile_reference}`, of both kinds.
#[tokio::test]
async fn a_profile_is_read_by_its_reference() {
    let world = World::new();
    let (user, domain) = (world.user_profile().await, world.domain_profile(TEAM, json!({"a": "b"})).await);
    let user = world.get(&format!("/profiles/{user}"), Owner).await.is(200);
    assert_eq!((user.redacted().as_str(), user.etag()), (OWNERS, "\"1\""));
    let domain = world.get(&format!("/profiles/{domain}"), Member).await.is(200);
    assert_eq!(domain.redacted(), format!("{TEAMS}\"attributes\":{{\"a\":\"b\"}}}}"));
}

/// Operation 5: `POST /profiles` for a user.
#[tokio::test]
async fn a_user_makes_their_profile() {
    let world = World::new();
    let body =
        json!({"user": {"userReference": Owner.user()}, "attributes": {"name": "ajay", "email": "ajay@alibaba.com"}});
    let made = world.post(Owner, &body).await.is(201);
    assert_eq!((made.redacted().as_str(), made.etag()), (OWNERS, "\"1\""));
    assert_eq!(made.header("location"), format!("{BASE}/profiles/{}", made.reference()));
    assert_eq!(world.get("/my/profile", Owner).await.text, made.text);
}

/// Operation 5: `POST /profiles` for a domain.
#[tokio::test]
async fn a_manager_makes_the_profile_of_a_domain() {
    let world = World::new();
    let body = json!({"domain": {"domainReference": TEAM}, "attributes": {"cost_center": "ABC123"}});
    let made = world.post(Manager, &body).await.is(201);
    assert_eq!(made.redacted(), format!("{TEAMS}\"attributes\":{{\"cost_center\":\"ABC123\"}}}}"));
    assert_eq!(made.header("location"), format!("{BASE}/profiles/{}", made.reference()));
    assert_eq!(world.get(&format!("/domains/{TEAM}/profile"), Member).await.text, made.text);
}

/// Returns what the public client sends for a profile with a schema: whole objects, with the names that nobody knows.
fn billing(attributes: &Value) -> Value {
    json!({
        "reference": null,
        "domain": {"domainName": null, "domainDesc": null, "domainReference": TEAM, "users": [], "managers": [], "authority": "ROLE_null"},
        "schema": BILLING,
        "attributes": attributes,
    })
}

/// Operation 5: `POST /profiles` with a schema.
#[tokio::test]
async fn a_manager_makes_a_profile_with_a_schema() {
    let world = World::new();
    let made =
        world.post(Manager, &billing(&json!({"cost_center": "ABC123", "address": "South Building"}))).await.is(201);
    let schema = json!(BILLING);
    let expected = format!(
        "{TEAMS}\"schema\":{schema},\"attributes\":{{\"cost_center\":\"ABC123\",\"address\":\"South Building\"}}}}"
    );
    assert_eq!(made.redacted(), expected);
    assert_eq!(world.get(&format!("/domains/{TEAM}/profile"), Member).await.text, made.text);
}

/// Operation 5: `POST /profiles` with attributes that do not conform.
#[tokio::test]
async fn attributes_that_do_not_conform_are_refused() {
    let world = World::new();
    let refused = world.post(Manager, &billing(&json!({"cost_center": "a"}))).await.is(422);
    assert_eq!(
        refused.redacted(),
        r#"{"timestamp":"…","status":"UNPROCESSABLE_ENTITY","error":"VALIDATION_FAILED","message":"Data does not conform to Billing. There are 3 error(s).","path":"http://mgdex.test/profiles","details":["$.cost_center: must be at least 3 characters long","$.cost_center: does not match the regex pattern ^[A-Z]{3}[0-9]{3}$","$.address: is missing but it is required"]}"#
    );
    world.get(&format!("/domains/{TEAM}/profile"), Manager).await.is(404);
}

/// Operation 6: `PUT /profiles/{profile_reference}`.
#[tokio::test]
async fn put_replaces_all_attributes() {
    let world = World::new();
    let reference = world.user_profile().await;
    let put = world.put(&reference, Owner, &json!({"car": "Volvo"})).await.is(200);
    let head = OWNERS.split("\"attributes\"").next().expect("a head");
    assert_eq!(put.redacted(), format!("{head}\"attributes\":{{\"car\":\"Volvo\"}}}}"));
    assert_eq!((put.reference(), put.etag()), (reference, "\"2\""));
    assert_eq!(world.get("/my/profile", Owner).await.text, put.text);
}

/// Operation 7: `PATCH /profiles/{profile_reference}`, and the way in which the public client asks for it.
#[tokio::test]
async fn patch_merges_attributes() {
    let world = World::new();
    let reference = world.user_profile().await;
    world.put(&reference, Owner, &json!({"car": "Volvo"})).await.is(200);
    let patched = world.patch(&reference, Owner, &json!({"pet": "Turtle"})).await.is(200);
    assert_eq!((patched.attributes().as_str(), patched.etag()), (r#"{"car":"Volvo","pet":"Turtle"}"#, "\"3\""));
    let path = format!("/profiles/{reference}?_method=patch");
    let tunnelled = world.ask("POST", &path, Owner, &[], r#"{"car":"Saab","boat":"Kayak"}"#).await.is(200);
    assert_eq!(tunnelled.attributes(), r#"{"car":"Saab","pet":"Turtle","boat":"Kayak"}"#);
    assert_eq!((tunnelled.etag(), tunnelled.header("location")), ("\"4\"", ""));
    assert_eq!(world.get("/my/profile", Owner).await.text, tunnelled.text);
}

/// Operation 8: `GET /profiles/{profile_reference}/{attribute_key}`.
#[tokio::test]
async fn a_value_is_read_as_it_is() {
    let world = World::new();
    let reference = world.user_profile().await;
    let values = json!({"fruit": "Banana", "centre name": "EMBL-EBI", "a/b": "ä\n<b>\"", "none": "", "100%": "%41"});
    world.put(&reference, Owner, &values).await.is(200);
    for (key, value) in [
        ("fruit", "Banana"),
        ("centre%20name", "EMBL-EBI"),
        ("a%2Fb", "ä\n<b>\""),
        ("a%2fb", "ä\n<b>\""),
        ("none", ""),
        ("100%25", "%41"),
    ] {
        let answer = world.get(&format!("/profiles/{reference}/{key}"), Owner).await.is(200);
        assert_eq!((answer.text.as_str(), answer.header("content-type")), (value, TEXT), "{key}");
    }
}

/// Operation 9: `DELETE /profiles/{profile_reference}/{attribute_key}`.
#[tokio::test]
async fn a_removed_attribute_is_gone_and_the_others_are_not() {
    let world = World::new();
    let reference = world.user_profile().await;
    world.put(&reference, Owner, &json!({"car": "Volvo", "centre name": "EBI", "pet": "Turtle"})).await.is(200);
    let removed = world.delete(&reference, Owner, "car").await.is(200);
    assert_eq!((removed.attributes().as_str(), removed.etag()), (r#"{"centre name":"EBI","pet":"Turtle"}"#, "\"3\""));
    let removed = world.delete(&reference, Owner, "centre%20name").await.is(200);
    assert_eq!(removed.attributes(), r#"{"pet":"Turtle"}"#);
    world.get(&format!("/profiles/{reference}/car"), Owner).await.is(404);
    assert_eq!(world.delete(&reference, Owner, "pet").await.is(200).attributes(), "{}");
}

/// Operation 10: `GET /users/profile/{attribute_key}?value={value}`.
#[tokio::test]
async fn users_are_found_by_an_attribute() {
    let world = World::new();
    world.user_profile().await;
    let found = world.get("/users/profile/email?value=ajay%40alibaba.com", Search).await.is(200);
    assert_eq!(
        found.text,
        r#"[{"userName":null,"email":null,"userReference":"usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4","fullName":null,"domains":null,"accountNonLocked":true}]"#
    );
    assert_eq!(found.header("content-type"), JSON);
    assert_eq!(world.get("/users/profile/name?value=ajay", Search).await.is(200).text, found.text);
    assert_eq!(world.get("/users/profile/name?value=nobody", Search).await.is(200).text, "[]");
}

/// The extra reads: `GET /users/{usr}/profile/{key}` and `GET /domains/{dom}/profile/{key}`.
#[tokio::test]
async fn values_are_read_by_their_owner_too() {
    let world = World::new();
    world.user_profile().await;
    world.domain_profile(TEAM, json!({"centre name": "EBI"})).await;
    for (path, role, value) in [
        (format!("/users/{}/profile/name", Owner.user()), Owner, "ajay"),
        (format!("/users/{}/profile/email", Owner.user()), Admin, "ajay@alibaba.com"),
        (format!("/domains/{TEAM}/profile/centre%20name"), Member, "EBI"),
    ] {
        let answer = world.get(&path, role).await.is(200);
        assert_eq!((answer.text.as_str(), answer.header("content-type")), (value, TEXT), "{path}");
    }
    for path in [format!("/users/{}/profile/car", Owner.user()), format!("/domains/{TEAM}/profile/car")] {
        world.get(&path, Admin).await.is(404);
    }
}

/// The extra read `GET /profiles/info`.
#[tokio::test]
async fn the_service_tells_its_name() {
    let answer = World::new().get("/profiles/info", Other).await.is(200);
    assert_eq!((answer.text.as_str(), answer.header("content-type")), (r#"{"name":"aap-profiles-api"}"#, JSON));
}

/// `GET /profiles/export`: what an import reads.
#[tokio::test]
async fn administrators_export_all_profiles() {
    let world = World::new();
    assert_eq!(world.get("/profiles/export", Admin).await.is(200).text, "");
    let user = world.user_profile().await;
    world.patch(&user, Owner, &json!({"car": "Vol\u{2028}vo\n"})).await.is(200);
    let domain = world.post(Manager, &billing(&json!({"address": "South Building"}))).await.is(201).reference();
    let export = world.get("/profiles/export", Admin).await.is(200);
    assert_eq!(export.header("content-type"), LINES);
    let lines: BTreeSet<&str> = export.text.lines().collect();
    let users = format!(
        "{{\"reference\":\"{user}\",\"user\":\"{}\",\"version\":2,\"attributes\":{{\"name\":\"ajay\",\"email\":\"ajay@alibaba.com\",\"car\":\"Vol\u{2028}vo\\n\"}}}}",
        Owner.user()
    );
    let domains = format!(
        "{{\"reference\":\"{domain}\",\"domain\":\"{TEAM}\",\"version\":1,\"schema\":{{\"given\":{}}},\"attributes\":{{\"address\":\"South Building\"}}}}",
        json!(BILLING)
    );
    assert_eq!(lines, BTreeSet::from([users.as_str(), domains.as_str()]));
    assert!(export.text.ends_with('\n'));
}

/// HEAD works wherever GET does, and says the same but the body.
#[tokio::test]
async fn head_answers_as_get_does() {
    let world = World::new();
    let reference = world.user_profile().await;
    for (path, role) in [
        ("/my/profile".to_owned(), Owner),
        (format!("/profiles/{reference}"), Owner),
        (format!("/profiles/{reference}/name"), Owner),
        (format!("/users/{}/profile", Owner.user()), Admin),
        ("/users/profile/name?value=ajay".to_owned(), Search),
        ("/profiles/info".to_owned(), Owner),
        (format!("/profiles/{reference}"), Other),
        (format!("/profiles/{NO_PROFILE}"), Owner),
        ("/my/profile".to_owned(), Nobody),
        ("/my/profile".to_owned(), Locked),
    ] {
        let (read, head) = (world.get(&path, role).await, world.ask("HEAD", &path, role, &[], "").await);
        assert_eq!((head.status, head.text.as_str()), (read.status, ""), "{path}");
        for name in ["content-type", "etag", "www-authenticate", "content-length"] {
            assert_eq!(head.header(name), read.header(name), "{name} of {path}");
        }
    }
}

/// The description and the page of the documentation are for everybody.
#[tokio::test]
async fn the_service_is_documented() {
    let world = World::new();
    let description = support::get(world.api(), "/profiles/openapi.json").await;
    assert_eq!(description.status, 200);
    // Row "Trust".
    assert!(description.json()["info"]["description"].as_str().is_some_and(|text| text.contains("not verified")));
    let redirect = support::get(world.api(), "/profiles/docs").await;
    assert_eq!((redirect.status.is_redirection(), redirect.header("location")), (true, "docs/"));
    let page = support::get(world.api(), "/profiles/docs/").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"), "{page:?}");
}

/// Profiles are part of `/readyz`.
#[tokio::test]
async fn readiness_tells_of_profiles() {
    let world = World::new();
    let answer = support::get(world.checked().await, "/readyz").await;
    assert_eq!((answer.status.as_u16(), &answer.json()["profiles"]["status"]), (200, &json!("ready")), "{answer:?}");
    let directory = &answer.json()["directory"];
    assert!(directory["generation"].as_str().is_some_and(|name| name.starts_with("gen-")), "{directory}");
    assert!(directory["num_records"].as_u64().is_some_and(|number| number > 0), "{directory}");
    let misspelt = support::get(world.checked().await, "/usersx").await;
    assert_eq!((misspelt.status.as_u16(), misspelt.json()), (404, json!({"detail": "There is nothing at /usersx."})));
}

/// Without a key, or without the service, every request is 401.
#[tokio::test]
async fn without_keys_nobody_is_let_in() {
    let world = World::with(Setup { has_key: false, ..Setup::default() });
    for path in ["/my/profile", "/profiles/info", "/profiles/export", "/users/profile/name?value=a"] {
        assert_eq!(world.get(path, Admin).await.error(), (401, "INVALID_JWT".to_owned()), "{path}");
        assert_eq!(world.get(path, Nobody).await.error(), (401, "NO_TOKEN".to_owned()), "{path}");
    }
    let nothing = support::TestFolder::empty().router();
    for path in ["/my/profile", "/profiles/info", "/users/profile/name?value=a", "/domains/dom-a/profile"] {
        let answer = support::get(&nothing, path).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["error"]), (401, &json!("NO_TOKEN")), "{path}");
    }
}
