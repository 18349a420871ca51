//! The order of checks.

use serde_json::json;

use crate::services::profiles::harness::Role::{self, Admin, Manager, Member, Nobody, Other, Owner};
use crate::services::profiles::harness::{NO_DOMAIN, NO_PROFILE, TEAM, World, with_schema};

/// A request to replace attributes: reference, role, headers, body, status.
type Faulty<'a> = (&'a str, Role, &'a [(&'a str, &'a str)], &'a str, u16);

/// Row "Order of checks", paths with a reference: each request has two errors, and the earlier one
/// is reported.
#[tokio::test]
async fn first_error_is_reported() {
    let world = World::new();
    let user = world.user_profile().await;
    let schema = json!({"type": "object", "required": ["address"]});
    let domain = world.validated_profile(&schema, json!({"address": "here"})).await;
    let huge = "x".repeat(300 << 10);
    let stale = ("if-match", "\"99\"");
    let text = ("content-type", "text/plain");
    #[rustfmt::skip]
    let rows: [Faulty<'_>; 15] = [
        (NO_PROFILE, Nobody,  &[],                       "{}",              401),
        (&user,      Nobody,  &[stale],                  "x",               401),
        (NO_PROFILE, Other,   &[],                       "x",               404),
        (NO_PROFILE, Owner,   &[stale],                  "{}",              404),
        (&user,      Other,   &[],                       "x",               403),
        (&user,      Other,   &[text],                   "x",               403),
        (&user,      Other,   &[],                       &huge,             403),
        (&user,      Other,   &[stale],                  "{}",              403),
        (&user,      Owner,   &[stale],                  "x",               400),
        (&user,      Owner,   &[stale],                  r#"{"a":1}"#,      400),
        (&user,      Owner,   &[stale],                  &huge,             413),
        (&user,      Owner,   &[stale, text],            "{}",              415),
        (&domain,    Member,  &[stale],                  "{}",              403),
        (&domain,    Manager, &[stale],                  "{}",              412),
        (&domain,    Manager, &[],                       "{}",              422),
    ];
    for (reference, role, headers, body, expected) in rows {
        let answer = world.ask("PUT", &format!("/profiles/{reference}"), role, headers, body).await;
        let shown: String = body.chars().take(20).collect();
        assert_eq!(answer.status, expected, "{reference} {role:?} {headers:?} {shown}: {answer:?}");
    }
    let stale_removal = world.ask("DELETE", &format!("/profiles/{domain}/address"), Manager, &[stale], "").await;
    stale_removal.is(412);
    assert_eq!(world.get(&format!("/profiles/{domain}"), Manager).await.etag(), "\"1\"");
}

/// Row "Order of checks", `POST`.
#[tokio::test]
async fn first_error_of_a_new_profile_is_reported() {
    let world = World::new();
    let schema = json!({"type": "object", "required": ["address"]});
    let domain =
        |reference: &str, attributes| json!({"domain": {"domainReference": reference}, "attributes": attributes});
    world.post(Nobody, &json!([])).await.is(401);
    world.post(Nobody, &domain(NO_DOMAIN, json!({}))).await.is(401);
    world.post(Owner, &domain(NO_DOMAIN, json!({"a": 1}))).await.is(400);
    world.post(Other, &domain(TEAM, json!({"a": 1}))).await.is(400);
    world.post(Owner, &domain(NO_DOMAIN, json!({}))).await.is(404);
    // Those who may not make a profile do not learn that it would be 422.
    world.post(Other, &with_schema(&schema, json!({}))).await.is(403);
    world.post(Manager, &with_schema(&schema, json!({}))).await.is(422);
    world.post(Manager, &with_schema(&schema, json!({"address": "here"}))).await.is(201);
    world.post(Manager, &with_schema(&schema, json!({}))).await.is(409);
    world.post(Other, &with_schema(&schema, json!({}))).await.is(403);
}

/// Row "Malformed reference".
#[tokio::test]
async fn malformed_references_are_unknown() {
    let world = World::new();
    let reference = world.user_profile().await;
    let upper = reference.to_uppercase().replace("PRF", "prf");
    let bare = reference.trim_start_matches("prf-");
    for text in
        ["x", "prf-", "prf-x", bare, &upper, &format!("{reference}0"), &format!("%20{reference}"), "dom-x", "%00"]
    {
        for path in [format!("/profiles/{text}"), format!("/profiles/{text}/name")] {
            let answer = world.get(&path, Owner).await;
            assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{path}");
        }
    }
    for path in [
        "/users/usr-/profile",
        "/users/ajay/profile",
        "/domains/x/profile",
        "/domains/dom-/profile",
        "/domains/dom-%20/profile",
    ] {
        assert_eq!(world.get(path, Admin).await.error(), (404, "NOT_FOUND".to_owned()), "{path}");
    }
}

/// Objects that the row "Unknown" of section 1 names, with the beginnings of the messages.
#[tokio::test]
async fn errors_name_the_unknown_object() {
    let world = World::new();
    for (path, begin) in [
        (format!("/profiles/{NO_PROFILE}"), "Profile was not found for reference"),
        (format!("/users/{}/profile", Other.user()), "Profile was not found for reference"),
        (format!("/domains/{TEAM}/profile"), "Profile was not found for reference"),
        (format!("/domains/{NO_DOMAIN}/profile"), "No domain with reference"),
    ] {
        let message = world.get(&path, Owner).await.is(404).message();
        assert!(message.starts_with(begin), "{path}: {message}");
    }
    let body = json!({"domain": {"domainReference": NO_DOMAIN}});
    let message = world.post(Manager, &body).await.is(404).message();
    assert!(message.starts_with("No domain with reference"), "{message}");
}
