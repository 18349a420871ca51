//! Keys are replaced while requests are running.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use jsonwebtoken::Algorithm;
use serde_json::json;

use crate::services::profiles::harness::Role::Owner;
use crate::services::profiles::harness::World;
use crate::services::profiles::signing::{KEY, Key, NEXT_KEY, claims, signed};

/// Sends a request with a token signed by a key, and returns the status.
async fn with(world: &World, key: &Key) -> u16 {
    let token = signed(Algorithm::RS256, key, &claims(Owner.user(), &json!({})));
    world.send("GET", "/my/profile", &[("authorization", &format!("Bearer {token}"))], "").await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_succeed_while_keys_are_rotated() {
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
