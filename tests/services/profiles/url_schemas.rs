//! Schemas by URL, from allowed hosts.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use support::HttpServer;

use crate::services::profiles::answer::Answer;
use crate::services::profiles::harness::Role::{Manager, Member, Other};
use crate::services::profiles::harness::{SECOND, Setup, TEAM, World};
use crate::services::profiles::trap::Trap;

const SCHEMA: &str =
    r#"{"title":"Billing","type":"object","properties":{"a":{"type":"string","minLength":3}},"required":["a"]}"#;

/// Starts a server that answers with a schema.
fn serving(schema: &str) -> HttpServer {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n", schema.len());
    HttpServer::with_answer(format!("{head}Connection: close\r\n\r\n{schema}"))
}

fn origin(server: &HttpServer) -> String {
    format!("http://{}", server.address())
}

/// Starts a world with allowed hosts of schemas.
fn world(hosts: &[&str]) -> World {
    World::with(Setup { schema_hosts: hosts.iter().map(|&host| host.to_owned()).collect(), ..Setup::default() })
}

/// Makes the profile of a domain with a schema from a URL.
async fn make(world: &World, domain: &str, url: &str, attributes: Value) -> Answer {
    world.post(Manager, &json!({"domain": {"domainReference": domain}, "schema": url, "attributes": attributes})).await
}

#[tokio::test]
async fn schemas_are_fetched_once_and_stored() {
    let server = serving(SCHEMA);
    let url = format!("{}/schemas/billing.json?version=1", origin(&server));
    let mut world = world(&[&origin(&server)]);
    let made = make(&world, TEAM, &url, json!({"a": "abc"})).await.is(201);
    assert_eq!((made.json()["schema"].as_str(), server.num_requests()), (Some(url.as_str()), 1));
    let reference = made.reference();
    let violation = ["$.a: must be at least 3 characters long"];
    assert_eq!(world.patch(&reference, Manager, &json!({"a": "b"})).await.is(422).details(), violation);
    world.patch(&reference, Manager, &json!({"a": "bcd"})).await.is(200);
    assert_eq!(server.num_requests(), 1);
    drop(server);
    // Later edits do not need the host any more, and neither does a restart.
    for _ in 0..2 {
        let answer = world.put(&reference, Manager, &json!({"a": "b"})).await.is(422);
        assert_eq!(
            (answer.details(), answer.message().as_str()),
            (violation.map(str::to_owned).to_vec(), "Data does not conform to Billing. There are 1 error(s).")
        );
        world.put(&reference, Manager, &json!({"a": "bcd"})).await.is(200);
        let read = world.get(&format!("/domains/{TEAM}/profile"), Member).await.is(200);
        assert_eq!(read.json()["schema"], url);
        world.restart();
    }
}

#[tokio::test]
async fn attributes_are_checked_when_the_profile_is_made() {
    let server = serving(SCHEMA);
    let world = world(&[&origin(&server)]);
    let answer = make(&world, TEAM, &format!("{}/", origin(&server)), json!({})).await.is(422);
    assert_eq!(answer.details(), ["$.a: is missing but it is required"]);
    world.get(&format!("/domains/{TEAM}/profile"), Member).await.is(404);
}

/// Nothing is fetched for users who may not make the profile, or if it exists.
#[tokio::test]
async fn schemas_are_fetched_only_for_allowed_new_profiles() {
    let trap = Trap::new();
    let origin = format!("http://{}", trap.address());
    let world = world(&[&origin]);
    let body = json!({"domain": {"domainReference": TEAM}, "schema": origin, "attributes": {}});
    world.post(Member, &body).await.is(403);
    world.post(Other, &body).await.is(403);
    world.domain_profile(TEAM, json!({})).await;
    world.post(Manager, &body).await.is(409);
    make(&world, TEAM, &origin, json!({"a": 1})).await.is(400);
    make(&world, "dom-unknown", &origin, json!({})).await.is(404);
    trap.expect_nobody().await;
}

/// Wrong answers of an allowed host.
#[tokio::test]
async fn bad_answers_of_allowed_hosts_are_reported_as_defects() {
    let trap = Trap::new();
    let redirect = format!("HTTP/1.1 302 Found\r\nLocation: http://{}/\r\nContent-Length: 0\r\n\r\n", trap.address());
    let ok =
        |body: &str| format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    for answer in [
        redirect,
        "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}".to_owned(),
        ok("<html>"),
        ok(&format!("{{\"$ref\":\"http://{}/\"}}", trap.address())),
    ] {
        let server = HttpServer::with_answer(answer.clone());
        let world = world(&[&origin(&server)]);
        let shown: String = answer.chars().take(80).collect();
        let answer = make(&world, TEAM, &format!("{}/secret-path", origin(&server)), json!({"a": "abc"})).await;
        assert_eq!(answer.status, 422, "{shown}: {answer:?}");
        world.get(&format!("/domains/{TEAM}/profile"), Member).await.is(404);
    }
    trap.expect_nobody().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_hosts_time_out_without_delaying_others() {
    let server = HttpServer::start(|_, _| {
        thread::sleep(Duration::from_secs(20));
        Ok(())
    });
    let setup =
        Setup { schema_hosts: vec![origin(&server)], schema_timeout: Duration::from_secs(3), ..Setup::default() };
    let (world, url, started) = (World::with(setup), origin(&server), std::time::Instant::now());
    let slow = async {
        make(&world, TEAM, &url, json!({})).await.is(422);
        started.elapsed()
    };
    let other = async {
        world.domain_profile(SECOND, json!({"a": "b"})).await;
        started.elapsed()
    };
    let (slow, other) = tokio::join!(slow, other);
    assert!(other < slow, "{other:?}, and {slow:?}");
}
