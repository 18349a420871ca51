//! Row "Audit": each write and each search is logged in a line with names and without values.

use std::fs;

use serde_json::{Value, json};

use crate::services::profiles::harness::Role::{Admin, Locked, Manager, Member, Nobody, Other, Owner, Search};
use crate::services::profiles::harness::{NO_PROFILE, ROLES, TEAM, World, with_schema};

/// A value that no log may contain.
const SECRET: &str = "correct-horse-battery-staple";

/// Returns all lines.
fn lines(world: &World) -> Vec<Value> {
    world.settle();
    let text = fs::read_to_string(world.audit_path()).expect("a log");
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    assert!(!text.contains(SECRET), "{text}");
    for role in ROLES.into_iter().filter(|role| *role != Nobody) {
        let signature = role.token().rsplit('.').next().expect("a signature");
        assert!(!text.contains(signature), "{role:?}: {text}");
    }
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns the only line that was added.
fn added_line(world: &World, num_before: &mut usize, context: &str) -> Value {
    let lines = lines(world);
    assert_eq!(lines.len(), *num_before + 1, "{context}: {:?}", &lines[*num_before..]);
    *num_before += 1;
    lines[*num_before - 1].clone()
}

/// Checks the parts that all lines have.
fn check(line: &Value, actor: &str, action: &str, outcome: u16, keys: &Value, request: &str) {
    let names: Vec<&str> = line.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(names, ["time", "actor", "action", "profile", "owner", "keys", "outcome", "request"]);
    let time = line["time"].as_str().expect("a text");
    assert!(time.len() == "2026-01-02T03:04:05.006Z".len() && time.ends_with('Z') && &time[10..11] == "T", "{time}");
    assert_eq!(
        (&line["actor"], &line["action"], &line["outcome"]),
        (&json!(actor), &json!(action), &json!(outcome)),
        "{line}"
    );
    assert_eq!((&line["keys"], line["request"].as_str()), (keys, Some(request)), "{line}");
}

#[tokio::test]
async fn every_write_leaves_a_line() {
    let world = World::new();
    let (mut num, owner) = (0, Owner.user().to_string());
    let made = world.get("/my/profile", Owner).await.is(200);
    let line = added_line(&world, &mut num, "the first read");
    check(&line, &owner, "provision", 200, &json!(["name", "email"]), made.header("x-request-id"));
    let reference = made.reference();
    let path = format!("/profiles/{reference}");
    let body = json!({"car": SECRET, "centre name": SECRET}).to_string();
    for (method, path, body, action, keys) in [
        // Attributes that are removed have changed too.
        ("PUT", path.clone(), body.as_str(), "replace", json!(["car", "centre name", "name", "email"])),
        ("PATCH", path.clone(), &body, "merge", json!(["car", "centre name"])),
        ("POST", format!("{path}?_method=patch&x={SECRET}"), &body, "merge", json!(["car", "centre name"])),
        ("DELETE", format!("{path}/centre%20name"), "", "remove", json!(["centre name"])),
    ] {
        let answer = world.ask(method, &path, Owner, &[], body).await.is(200);
        let line = added_line(&world, &mut num, method);
        check(&line, &owner, action, 200, &keys, answer.header("x-request-id"));
        assert_eq!(
            (line["profile"].as_str(), line["owner"].as_str()),
            (Some(reference.as_str()), Some(owner.as_str()))
        );
    }
    let body = json!({"domain": {"domainReference": TEAM}, "attributes": {"address": SECRET}});
    let made = world.post(Manager, &body).await.is(201);
    let line = added_line(&world, &mut num, "a new profile");
    check(&line, &Manager.user().to_string(), "create", 201, &json!(["address"]), made.header("x-request-id"));
    assert_eq!((line["profile"].as_str(), line["owner"].as_str()), (Some(made.reference().as_str()), Some(TEAM)));
    // The administrator is named, not the user for whom they act.
    let answer = world.patch(&reference, Admin, &json!({"a": SECRET})).await.is(200);
    let line = added_line(&world, &mut num, "an administrator");
    check(&line, &Admin.user().to_string(), "merge", 200, &json!(["a"]), answer.header("x-request-id"));
    assert_eq!(line["owner"].as_str(), Some(owner.as_str()));
}

#[tokio::test]
async fn every_search_and_every_export_leaves_a_line() {
    let world = World::new();
    let mut num = 0;
    for (path, role, action, outcome) in [
        (format!("/users/profile/email?value={SECRET}"), Search, "search", 200),
        (format!("/users/profile/name?value={SECRET}"), Search, "search", 200),
        (format!("/users/profile/name?value={SECRET}"), Other, "search", 403),
        (format!("/users/profile/car?value={SECRET}"), Search, "search", 400),
        ("/profiles/export".to_owned(), Admin, "export", 200),
        ("/profiles/export".to_owned(), Other, "export", 403),
    ] {
        let answer = world.get(&path, role).await.is(outcome);
        let line = added_line(&world, &mut num, &path);
        let keys = line["keys"].clone();
        check(&line, &role.user().to_string(), action, outcome, &keys, answer.header("x-request-id"));
        if action == "search" && outcome == 200 {
            assert_eq!(keys, json!([path.split(['/', '?']).nth(3).expect("a key")]));
        }
    }
}

#[tokio::test]
async fn refused_requests_leave_a_line() {
    let world = World::new();
    let user = world.user_profile().await;
    let schema = json!({"type": "object", "required": ["address"]});
    let domain = world.validated_profile(&schema, json!({"address": SECRET})).await;
    let mut num = lines(&world).len();
    let stale = [("if-match", "\"9\"")];
    let good = json!({"car": SECRET}).to_string();
    for (method, path, role, headers, body, action, outcome) in [
        ("PUT", format!("/profiles/{user}"), Other, &[][..], good.as_str(), "replace", 403),
        ("PATCH", format!("/profiles/{domain}"), Member, &[], &good, "merge", 403),
        ("DELETE", format!("/profiles/{user}/name"), Other, &[], "", "remove", 403),
        ("PUT", format!("/profiles/{NO_PROFILE}"), Owner, &[], &good, "replace", 404),
        ("DELETE", format!("/profiles/{user}/car"), Owner, &[], "", "remove", 404),
        ("PUT", format!("/profiles/{user}"), Owner, &[], "{", "replace", 400),
        ("PATCH", format!("/profiles/{user}"), Owner, &stale, &good, "merge", 412),
        ("PUT", format!("/profiles/{domain}"), Manager, &[], &good, "replace", 422),
        ("DELETE", format!("/profiles/{domain}/address"), Manager, &[], "", "remove", 422),
        (
            "POST",
            "/profiles".to_owned(),
            Manager,
            &[],
            &with_schema(&schema, json!({"address": SECRET})).to_string(),
            "create",
            409,
        ),
        (
            "POST",
            "/profiles".to_owned(),
            Member,
            &[],
            &with_schema(&schema, json!({"address": SECRET})).to_string(),
            "create",
            403,
        ),
        ("POST", "/profiles".to_owned(), Member, &[], "[]", "create", 400),
    ] {
        let context = format!("{method} {path} {role:?} {outcome}");
        let answer = world.ask(method, &path, role, headers, body).await.is(outcome);
        let line = added_line(&world, &mut num, &context);
        let keys = line["keys"].clone();
        assert!(keys.is_array(), "{context}: {line}");
        // The line names the profile in the path, even if the caller has none.
        let expected = if path == "/profiles" { None } else { path.split('/').nth(2) };
        assert!(expected.is_none() || line["profile"].as_str() == expected, "{context}: {line}");
        check(&line, &role.user().to_string(), action, outcome, &keys, answer.header("x-request-id"));
    }
}

#[tokio::test]
async fn plain_reads_leave_no_line() {
    let world = World::new();
    let user = world.user_profile().await;
    world.domain_profile(TEAM, json!({"a": "b"})).await;
    let num = lines(&world).len();
    for (path, role) in [
        ("/my/profile".to_owned(), Owner),
        (format!("/profiles/{user}"), Owner),
        (format!("/profiles/{user}"), Other),
        (format!("/profiles/{user}/name"), Admin),
        (format!("/users/{}/profile", Owner.user()), Owner),
        (format!("/users/{}/profile", Other.user()), Admin),
        (format!("/domains/{TEAM}/profile"), Member),
        (format!("/domains/{TEAM}/profile/a"), Member),
        ("/profiles/info".to_owned(), Owner),
        (format!("/profiles/{NO_PROFILE}"), Owner),
        ("/my/profile".to_owned(), Nobody),
        ("/my/profile".to_owned(), Locked),
    ] {
        world.get(&path, role).await;
        assert_eq!(lines(&world).len(), num, "{path} as {role:?}");
    }
}

/// Keys cannot add lines to the log.
#[tokio::test]
async fn keys_do_not_break_lines() {
    let world = World::new();
    let user = world.user_profile().await;
    let mut num = lines(&world).len();
    for key in ["\"},{\"actor\":\"x", "\u{2028}", "\\n", "{}"] {
        world.put(&user, Owner, &json!({key: SECRET})).await.is(200);
        let keys = added_line(&world, &mut num, key)["keys"].clone();
        assert_eq!(keys[0], key, "{keys}");
    }
}
