//! Connections that are lost, and a database that crashes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::future::join_all;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use store_profiles::ProfileSource;
use support::postgres::Cluster;

use super::encryption::connect;
use super::{check_audit, on_change, outcomes, server};
use crate::services::profiles::harness::Role::{Admin, Owner};

/// Ends all sessions except its own.
const END_SESSIONS: &str = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
                            AND application_name = 'mgdex'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_interrupted_by_a_crash_have_an_unknown_outcome() {
    let mut cluster = Cluster::start();
    let address = cluster.new_schema();
    let world = Arc::new(server(&address));
    let reference = world.user_profile().await;
    on_change(&address, "PERFORM pg_sleep(4);");
    let slow = tokio::spawn({
        let (world, reference) = (Arc::clone(&world), reference.clone());
        async move { world.patch(&reference, Owner, &json!({"a": "1"})).await }
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    cluster.kill();
    let answer = slow.await.expect("no panic").is(503);
    assert!(answer.text.contains("Try again with If-Match"), "{answer:?}");
    assert_eq!(outcomes(&world, "merge"), [json!(null)]);
    // While it is down, nothing is started.
    let answer = world.patch(&reference, Owner, &json!({"a": "2"})).await.is(503);
    assert!(answer.text.contains("nothing was changed") && answer.headers.contains_key("retry-after"), "{answer:?}");
    assert_eq!(outcomes(&world, "merge"), [json!(null), json!(503)]);
    let readiness = support::get(world.checked().await, "/readyz").await;
    assert_eq!((readiness.status.as_u16(), &readiness.json()["profiles"]["status"]), (503, &json!("failed")));
    // It restarts with all acknowledged writes, and the server continues.
    cluster.restart();
    support::postgres::run(&address, "DROP TRIGGER before ON profiles");
    assert_eq!(world.get("/my/profile", Owner).await.is(200).etag(), "\"1\"");
    world.patch(&reference, Owner, &json!({"a": "3"})).await.is(200);
    let readiness = support::get(world.checked().await, "/readyz").await;
    assert_eq!((readiness.status.as_u16(), &readiness.json()["profiles"]["num_records"]), (200, &json!(1)));
    check_audit(&address);
}

#[tokio::test]
async fn servers_start_without_their_database() {
    let mut cluster = Cluster::start();
    let address = cluster.new_schema();
    cluster.kill();
    let world = server(&address);
    world.get("/my/profile", Owner).await.is(503);
    cluster.restart();
    world.get("/my/profile", Owner).await.is(200);
}

#[tokio::test]
async fn ended_connections_are_replaced() {
    let cluster = Cluster::start();
    let world = server(&cluster.new_schema());
    let reference = world.user_profile().await;
    for number in 0..5 {
        assert_ne!(cluster.run(END_SESSIONS), "0");
        if number % 2 == 0 {
            // The end of the session may not have been noticed yet.
            world.patch(&reference, Owner, &json!({"a": number.to_string()})).await.is(200);
        }
        world.get(&format!("/profiles/{reference}"), Admin).await.is(200);
    }
    assert_eq!(outcomes(&world, "merge"), [json!(200), json!(200), json!(200)]);
}

/// Stops sessions, until this is dropped.
struct Frozen(Vec<Pid>);

impl Frozen {
    /// Stops all sessions except its own.
    fn sessions(cluster: &Cluster) -> Self {
        let numbers = cluster.run("SELECT pid FROM pg_stat_activity WHERE application_name = 'mgdex'");
        let processes = numbers.lines().map(|number| Pid::from_raw(number.parse().expect("a number")).expect("not 0"));
        let frozen = Self(processes.collect());
        frozen.signal(Signal::STOP);
        frozen
    }

    fn signal(&self, signal: Signal) {
        for process in &self.0 {
            kill_process(*process, signal).expect("a process of the tests");
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        self.signal(Signal::CONT);
    }
}

#[tokio::test]
async fn exports_from_frozen_sessions_end_and_new_ones_start() {
    let cluster = Cluster::start();
    let (profiles, failure) = connect(&cluster.new_schema(), None).await;
    assert_eq!(failure, None);
    let mut exports = Vec::new();
    while let Ok(export) = profiles.export().await {
        exports.push(export);
    }
    assert_eq!(exports.len(), 4);
    let frozen = Frozen::sessions(&cluster);
    let started = Instant::now();
    for piece in join_all(exports.iter_mut().map(StreamExt::next)).await {
        let fault = piece.expect("an end with an error").expect_err("no answer").to_string();
        assert!(fault.contains("does not answer"), "{fault}");
    }
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
    drop(exports);
    let mut export = profiles.export().await.expect("a session of its own");
    assert!(export.next().await.is_none(), "there are no profiles");
    drop(frozen);
}
