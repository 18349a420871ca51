//! Keys are replaced while requests go on.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use jsonwebtoken::Algorithm;
use serde_json::json;

use crate::services::profiles::harness::Role::Owner;
use crate::services::profiles::harness::World;
use crate::services::profiles::signing::{KEY, Key, NEXT_KEY, claims, signed};

/// Asks with a token that a key has signed, and returns the status.
async fn with(world: &World, key: &Key) -> u16 {
    let token = signed(Algorithm::RS256, key, &claims(Owner.user(), &json!({})));
    world.send("GET", "/my/profile", &[("authorization", &format!("Bearer {token}"))], "").await.status
}

/// Returns the statuses with the old and the new key.
async fn statuses(world: &World) -> (u16, u16) {
    (with(world, &KEY).await, with(world, &NEXT_KEY).await)
}

#[tokio::test]
async fn a_key_counts_as_soon_as_the_file_is_read_again() {
    let world = World::new();
    assert_eq!(statuses(&world).await, (200, 401));
    let both = format!("{}{}", KEY.public, NEXT_KEY.public);
    for (content, num_keys, expected) in
        [(both.as_str(), 2, (200, 200)), (&NEXT_KEY.public, 1, (401, 200)), (&KEY.public, 1, (200, 401))]
    {
        let before = statuses(&world).await;
        fs::write(world.key_path(), content).expect("writable");
        // Nothing happens before it is told.
        assert_eq!(statuses(&world).await, before);
        assert_eq!(world.tokens.reload().expect("keys"), num_keys);
        assert_eq!(statuses(&world).await, expected);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_used_changes_nothing() {
    let world = World::new();
    for content in ["", "rubbish", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", &KEY.private] {
        fs::write(world.key_path(), content).expect("writable");
        let error = world.tokens.reload().expect_err("no key").to_string();
        assert!(error.contains("key.pem") && !error.contains("PRIVATE KEY-----"), "{error}");
        assert_eq!(statuses(&world).await, (200, 401), "{content}");
    }
    fs::remove_file(world.key_path()).expect("there");
    world.tokens.reload().expect_err("no file");
    assert_eq!(statuses(&world).await, (200, 401));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_fails_while_keys_are_rotated() {
    let world = World::new();
    let both = format!("{}{}", KEY.public, NEXT_KEY.public);
    let num_requests = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let requests = async {
        while !is_over.load(Ordering::Relaxed) {
            assert_eq!(with(&world, &NEXT_KEY).await, 200);
            num_requests.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
    };
    let rotations = async {
        let mut num_rotations = 0;
        while num_rotations < 40 || num_requests.load(Ordering::Relaxed) < 20 {
            fs::write(world.key_path(), if num_rotations % 2 == 0 { &NEXT_KEY.public } else { &both })
                .expect("writable");
            world.tokens.reload().expect("keys");
            num_rotations += 1;
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        is_over.store(true, Ordering::Relaxed);
    };
    fs::write(world.key_path(), &both).expect("writable");
    world.tokens.reload().expect("keys");
    tokio::join!(requests, rotations);
}
