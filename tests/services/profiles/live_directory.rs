//! Rights change with the directory, for tokens that were made before.

use std::fs;
use std::time::Duration;

use axum::body::Body;
use serde_json::json;
use tokio::sync::oneshot;

use crate::services::profiles::harness::Role::{Manager, ManagerOnly, Member, Owner};
use crate::services::profiles::harness::{Facts, Role, Setup, TEAM, World};

/// The longest time for which an outdated directory is used.
const OUTDATED_MAX: Duration = Duration::from_millis(5100);

/// Returns the statuses of reading and of changing a profile.
async fn statuses(world: &World, reference: &str, role: Role) -> (u16, u16) {
    let read = world.get(&format!("/profiles/{reference}"), role).await.status;
    (read, world.patch(reference, role, &json!({"a": role.name()})).await.status)
}

/// A new directory that cannot be opened may lock accounts that the old one accepts, so the old one
/// is used only for a short time.
#[tokio::test]
async fn outdated_directories_grant_no_rights() {
    let world = World::new();
    let reference = world.user_profile().await;
    let root = world.data().join("directory");
    let before = fs::read(root.join("CURRENT")).expect("a generation");
    fs::write(root.join("CURRENT"), "gen-00000000-0000-4000-8000-000000000000").expect("writable");
    world.directory.refresh().expect_err("no generation has that name");
    assert_eq!(statuses(&world, &reference, Owner).await, (200, 200), "it is tried again for a while");
    let readiness = support::get(world.checked().await, "/readyz").await;
    let directory = &readiness.json()["directory"];
    assert_eq!((readiness.status.as_u16(), &directory["status"]), (200, &json!("ready")));
    assert_eq!(directory["problem"], "damaged data");
    tokio::time::sleep(OUTDATED_MAX).await;
    world.directory.refresh().expect_err("no generation has that name");
    assert_eq!(statuses(&world, &reference, Owner).await, (503, 503));
    assert_eq!(statuses(&world, &reference, Role::Admin).await, (503, 503));
    let readiness = support::get(world.checked().await, "/readyz").await;
    let directory = &readiness.json()["directory"];
    assert_eq!((readiness.status.as_u16(), &directory["status"]), (503, &json!("failed")));
    assert_eq!(directory["problem"], "damaged data");
    fs::write(root.join("CURRENT"), before).expect("writable");
    world.directory.refresh().expect("the one before");
    assert_eq!(statuses(&world, &reference, Owner).await, (200, 200));
    assert_eq!(support::get(world.checked().await, "/readyz").await.status.as_u16(), 200);
}

/// The profile of a removed domain is kept for administrators.
#[tokio::test]
async fn domains_can_be_removed_and_restored() {
    let world = World::new();
    let reference = world.domain_profile(TEAM, json!({"a": "b"})).await;
    let by_domain = format!("/domains/{TEAM}/profile");
    world.publish(&Facts { domains: vec![crate::services::profiles::harness::SECOND], ..Facts::default() });
    for role in [Member, Manager, ManagerOnly] {
        assert_eq!(statuses(&world, &reference, role).await, (403, 403), "{role:?}");
        let status = world.get(&by_domain, role).await.status;
        assert!([403, 404].contains(&status), "{role:?}: {status}");
    }
    assert_eq!(statuses(&world, &reference, Role::Admin).await, (200, 200));
    world.publish(&Facts::default());
    assert_eq!(world.get(&by_domain, Member).await.is(200).attributes(), r#"{"a":"adam"}"#);
}

/// Without a directory, users have the names and groups of their tokens, and domains are unknown.
#[tokio::test]
async fn users_have_profiles_without_a_directory() {
    let world = World::with(Setup { facts: None, ..Setup::default() });
    let reference = world.user_profile().await;
    world.patch(&reference, Owner, &json!({"a": "b"})).await.is(200);
    assert_eq!(world.get("/my/profile", Owner).await.json()["user"]["accountNonLocked"], true);
    for role in [Manager, Role::Admin] {
        let read = world.get(&format!("/domains/{TEAM}/profile"), role).await;
        let made = world.post(role, &json!({"domain": {"domainReference": TEAM}})).await;
        for answer in [read, made] {
            assert!([404, 503].contains(&answer.status), "{answer:?}");
        }
    }
    world.publish(&Facts::default());
    world.domain_profile(TEAM, json!({})).await;
}

/// Requests that run while directories change see one state or the other, and get no internal
/// error.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn directories_change_while_requests_are_running() {
    let world = World::new();
    world.domain_profile(TEAM, json!({"a": "b"})).await;
    let (with, without) = (Facts::default(), Facts { members: vec![], ..Facts::default() });
    let reads = async {
        let (mut num_read, mut num_refused) = (0, 0);
        for _ in 0..400 {
            match world.get(&format!("/domains/{TEAM}/profile"), Member).await.status {
                200 => num_read += 1,
                403 => num_refused += 1,
                status => panic!("{status}"),
            }
            tokio::task::yield_now().await;
        }
        (num_read, num_refused)
    };
    let changes = async {
        for number in 0..20 {
            world.publish(if number % 2 == 0 { &without } else { &with });
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    };
    let ((num_read, num_refused), ()) = tokio::join!(reads, changes);
    assert!(num_read > 0 && num_refused > 0, "{num_read} {num_refused}");
}

/// A right that is revoked while the body arrives does not apply any more.
#[tokio::test]
async fn rights_revoked_while_a_body_arrives_are_gone() {
    let world = World::new();
    let reference = world.domain_profile(TEAM, json!({"a": "b"})).await;
    let without = Facts { managers: vec![], ..Facts::default() };
    let locked = Facts { locked: vec![Manager.user()], ..Facts::default() };
    for (facts, expected) in [(without, (403, "FORBIDDEN")), (locked, (401, "ACCOUNT_LOCKED"))] {
        world.publish(&Facts::default());
        let (body_requested, is_body_requested) = oneshot::channel();
        let (sender, arrival) = oneshot::channel();
        // The body is read after the right was checked.
        let body = futures_util::stream::once(async {
            body_requested.send(()).expect("awaited");
            arrival.await
        });
        let (path, token) = (format!("/profiles/{reference}"), format!("Bearer {}", Manager.token()));
        let headers = [("authorization", token.as_str()), ("content-type", "application/json")];
        let (answer, ()) = tokio::join!(world.send("PATCH", &path, &headers, Body::from_stream(body)), async {
            is_body_requested.await.expect("the body is asked for");
            world.publish(&facts);
            sender.send(r#"{"a":"c"}"#).expect("awaited");
        });
        assert_eq!(answer.error(), (expected.0, expected.1.to_owned()));
    }
    world.publish(&Facts::default());
    assert_eq!(world.get(&format!("/profiles/{reference}"), Manager).await.is(200).attributes(), r#"{"a":"b"}"#);
}
