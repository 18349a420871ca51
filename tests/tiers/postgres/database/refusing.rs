//! Statements that fail, and waiting for connections.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use support::postgres::Cluster;

use super::{on_change, outcomes, server, with_connections};
use crate::services::profiles::harness::Role::{Admin, Owner};

#[tokio::test]
async fn rolled_back_transactions_change_nothing() {
    let address = support::postgres::new_schema();
    let world = server(&address);
    let reference = world.user_profile().await;
    on_change(&address, "RAISE EXCEPTION 'the secret %', NEW.line;");
    let answer = world.patch(&reference, Owner, &json!({"a": "1"})).await.is(503);
    assert!(answer.text.contains("nothing was changed") && !answer.text.contains("secret"), "{answer:?}");
    assert!(answer.headers.contains_key("retry-after"));
    assert_eq!(world.get("/my/profile", Owner).await.etag(), "\"1\"");
    assert_eq!(outcomes(&world, "merge"), [json!(503)]);
}

#[tokio::test]
async fn conflicting_transactions_are_retried() {
    let address = support::postgres::new_schema();
    let world = server(&address);
    let reference = world.user_profile().await;
    support::postgres::run(&address, "CREATE SEQUENCE attempts");
    on_change(&address, "IF nextval('attempts') < 4 THEN RAISE EXCEPTION USING errcode = '40001'; END IF;");
    let answer = world.patch(&reference, Owner, &json!({"a": "1"})).await.is(200);
    assert_eq!(answer.etag(), "\"2\"");
    assert_eq!(support::postgres::run(&address, "SELECT last_value FROM attempts"), "4");
}

#[tokio::test]
async fn read_only_servers_are_abandoned() {
    let address = support::postgres::new_schema();
    let world = server(&address);
    let reference = world.user_profile().await;
    support::postgres::run(&address, "CREATE SEQUENCE attempts");
    on_change(&address, "IF nextval('attempts') < 2 THEN RAISE EXCEPTION USING errcode = '25006'; END IF;");
    world.patch(&reference, Owner, &json!({"a": "1"})).await.is(200);
    assert_eq!(outcomes(&world, "merge"), [json!(200)]);
}

/// Another host may lead by now, and may have acknowledged writes.
#[tokio::test]
async fn a_host_without_its_required_standbys_answers_503() {
    let cluster = Cluster::start();
    let address = cluster.new_schema();
    let (user, rest) = address.split_once('@').expect("a user");
    let (host, rest) = rest.split_once('/').expect("a database");
    let several = server(&format!("{user}@{host},{host}/{rest}"));
    let reference = several.user_profile().await;
    let schema = rest.rsplit("%3D").next().expect("a schema");
    cluster.run(&format!(
        "CREATE ROLE plain LOGIN; GRANT USAGE ON SCHEMA {schema} TO plain; GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO plain"
    ));
    let unable_to_see = server(&format!("postgres://plain@{host},{host}/{rest}"));
    let only_one = server(&address);
    let path = format!("/profiles/{reference}");
    for (setting, status) in
        [("SET synchronous_standby_names = 'other'", 503), ("RESET synchronous_standby_names", 200)]
    {
        cluster.run(&format!("ALTER SYSTEM {setting}"));
        cluster.run("SELECT pg_reload_conf()");
        // Sessions learn of it soon.
        while several.get(&path, Admin).await.status != status {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        several.get("/my/profile", Owner).await.is(status);
        only_one.get(&path, Admin).await.is(200);
        unable_to_see.get(&path, Admin).await.is(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_wait_too_long_for_a_connection_get_503() {
    let address = support::postgres::new_schema();
    let world = Arc::new(with_connections(&address, 1));
    let reference = world.user_profile().await;
    on_change(&address, "PERFORM pg_sleep(7);");
    let slow = tokio::spawn({
        let (world, reference) = (Arc::clone(&world), reference.clone());
        async move { world.patch(&reference, Owner, &json!({"a": "1"})).await }
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    let started = Instant::now();
    let answer = world.get(&format!("/profiles/{reference}"), Admin).await.is(503);
    assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
    assert!((4..7).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    slow.await.expect("no panic").is(200);
    world.get(&format!("/profiles/{reference}"), Admin).await.is(200);
}

#[tokio::test]
async fn tables_of_a_newer_version_are_left_unchanged() {
    let address = support::postgres::new_schema();
    server(&address).user_profile().await;
    support::postgres::run(&address, "INSERT INTO profiles_versions (version) VALUES (99)");
    let world = server(&address);
    world.get("/my/profile", Owner).await.is(503);
    let readiness = support::get(world.checked().await, "/readyz").await;
    assert_eq!(readiness.status.as_u16(), 503);
    assert_eq!(readiness.json()["profiles"]["problem"], "database unavailable");
}
