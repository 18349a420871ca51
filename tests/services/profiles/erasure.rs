//! Profiles are erased by administrators, and nothing remains.

use std::fs;

use futures_util::StreamExt;
use serde_json::json;

use crate::services::profiles::harness::Role::{self, Admin, Manager};
use crate::services::profiles::harness::{NO_PROFILE, ROLES, TEAM, World};

async fn erase(world: &World, reference: &str, role: Role) -> u16 {
    world.ask("DELETE", &format!("/profiles/{reference}"), role, &[], "").await.status
}

#[tokio::test]
async fn only_administrators_erase_profiles() {
    let expected = [403, 403, 403, 403, 403, 204, 403, 401, 401];
    for (role, expected) in ROLES.into_iter().zip(expected) {
        let world = World::new();
        let references = [world.user_profile().await, world.domain_profile(TEAM, json!({"a": "1"})).await];
        for reference in &references {
            assert_eq!(erase(&world, reference, role).await, expected, "{role:?}");
            let left = if expected == 204 { 404 } else { 200 };
            assert_eq!(world.get(&format!("/profiles/{reference}"), Admin).await.status, left, "{role:?}");
        }
        let unknown = if role == Role::Nobody || role == Role::Locked { 401 } else { 404 };
        assert_eq!(erase(&world, NO_PROFILE, role).await, unknown, "{role:?}");
    }
}

/// A slash at the end begins the key of an attribute, so a client with an empty key erases nothing.
#[tokio::test]
async fn empty_keys_do_not_erase_profiles() {
    let world = World::new();
    let reference = world.user_profile().await;
    world.ask("DELETE", &format!("/profiles/{reference}/"), Admin, &[], "").await.is(400);
    world.get(&format!("/profiles/{reference}"), Admin).await.is(200);
}

#[tokio::test]
async fn erasures_are_logged_without_values() {
    let world = World::new();
    let reference = world.domain_profile(TEAM, json!({"pet": "Turtle"})).await;
    erase(&world, &reference, Manager).await;
    erase(&world, &reference, Admin).await;
    world.settle();
    let text = fs::read_to_string(world.audit_path()).expect("a log");
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let summary = |line: &serde_json::Value| {
        let names = ["actor", "action", "profile", "owner", "keys", "outcome"];
        json!(names.map(|name| line[name].clone()))
    };
    assert_eq!(summary(&lines[1]), json!([Manager.user(), "erase", reference, TEAM, [], 403]));
    assert_eq!(summary(&lines[2]), json!([Admin.user(), "erase", reference, TEAM, [], 204]));
    assert!(!text.contains("Turtle"));
}

/// A running export leaves out profiles that are erased meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_exports_leave_out_erased_profiles() {
    let world = World::new();
    // More than the stream reads ahead: a piece and its buffer.
    let value = "x".repeat(4096);
    let attributes: serde_json::Map<_, _> = (0..50).map(|number| (format!("k{number}"), json!(value))).collect();
    for number in 0..40 {
        let user = format!("usr-00000000-0000-4000-8000-0000000001{number:02}");
        world.post(Admin, &json!({"user": {"userReference": user}, "attributes": attributes})).await.is(201);
    }
    let all = world.get("/profiles/export", Admin).await.is(200).text;
    let references: Vec<String> = all
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["reference"]
                .as_str()
                .expect("text")
                .to_owned()
        })
        .collect();
    let authorization = format!("Bearer {}", Admin.token());
    let request = axum::http::Request::builder().uri("/profiles/export").header("host", "mgdex.test");
    let request = request.header("authorization", authorization).body(axum::body::Body::empty()).expect("a request");
    let body = Box::pin(world.api().answer(request)).await.into_body();
    #[expect(clippy::disallowed_methods, reason = "it is an answer")]
    let mut pieces = body.into_data_stream();
    for reference in &references {
        assert_eq!(erase(&world, reference, Admin).await, 204);
    }
    let mut num_shown = 0;
    while let Some(piece) = pieces.next().await {
        num_shown += std::str::from_utf8(&piece.expect("whole")).expect("whole lines").lines().count();
    }
    assert_eq!(num_shown, 0);
}
