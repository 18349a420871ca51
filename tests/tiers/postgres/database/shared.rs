//! Several servers on one database.

use std::sync::Arc;

use serde_json::json;
use support::postgres::new_schema;
use tokio::task::JoinSet;

use super::{check_audit, server};
use crate::services::profiles::harness::Role::{Admin, Owner};
use crate::services::profiles::harness::World;

const NUM_SERVERS: usize = 3;

const NUM_WRITES: usize = 40;

/// Starts servers at once, all of which want to make the tables.
async fn servers(address: &str) -> Vec<Arc<World>> {
    let worlds: Vec<_> = (0..NUM_SERVERS).map(|_| Arc::new(server(address))).collect();
    let mut first_reads = JoinSet::new();
    for world in &worlds {
        let world = Arc::clone(world);
        first_reads.spawn(async move { world.user_profile().await });
    }
    let references = first_reads.join_all().await;
    assert!(references.iter().all(|reference| *reference == references[0]), "one profile for all: {references:?}");
    worlds
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn merges_through_many_servers_are_all_kept() {
    let address = new_schema();
    let worlds = servers(&address).await;
    let reference = worlds[0].user_profile().await;
    let mut writers = JoinSet::new();
    for (number, world) in worlds.iter().cycle().take(NUM_SERVERS * 4).cloned().enumerate() {
        let reference = reference.clone();
        writers.spawn(async move {
            for count in 1..=NUM_WRITES {
                let body = json!({format!("w{number}"): count.to_string()});
                let role = if number % 2 == 0 { Admin } else { Owner };
                let answer = world.patch(&reference, role, &body).await.is(200);
                // A read after a write, through any server, returns this write or a later one.
                assert_eq!(answer.json()["attributes"][format!("w{number}")], json!(count.to_string()));
            }
        });
    }
    writers.join_all().await;
    let end = worlds[1].get("/my/profile", Owner).await.is(200);
    assert_eq!(end.etag(), format!("\"{}\"", 1 + NUM_SERVERS * 4 * NUM_WRITES), "every version is of one write");
    for number in 0..NUM_SERVERS * 4 {
        assert_eq!(end.json()["attributes"][format!("w{number}")], json!(NUM_WRITES.to_string()));
    }
    check_audit(&address);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_changes_to_the_same_version_succeeds() {
    let address = new_schema();
    let worlds = servers(&address).await;
    let reference = worlds[0].user_profile().await;
    let path = format!("/profiles/{reference}");
    for version in 1..30_u64 {
        let tag = format!("\"{version}\"");
        let mut writers = JoinSet::new();
        for world in &worlds {
            let world = Arc::clone(world);
            let (path, tag) = (path.clone(), tag.clone());
            let body = json!({"a": version.to_string()}).to_string();
            writers.spawn(async move { world.ask("PATCH", &path, Owner, &[("if-match", &tag)], &body).await.status });
        }
        let mut statuses = writers.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 412, 412]);
    }
    check_audit(&address);
}
