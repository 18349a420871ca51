//! Many writers at the same time: nothing is lost, and nothing is made twice.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;
use tokio::task::JoinSet;

use crate::services::profiles::harness::Role::{Admin, Manager, ManagerOnly, Owner};
use crate::services::profiles::harness::{TEAM, World};

/// The number of writers: fewer than the requests that one user may have.
const NUM_WRITERS: usize = 250;

/// Returns the version of a tag.
fn version(tag: &str) -> u64 {
    tag.trim_matches('"').parse().expect("a version")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_merges_are_all_kept() {
    let world = Arc::new(World::new());
    let reference = Arc::new(world.user_profile().await);
    let mut tasks = JoinSet::new();
    for number in 0..NUM_WRITERS {
        let (world, reference) = (Arc::clone(&world), Arc::clone(&reference));
        tasks.spawn(async move {
            // Each adds to its own key and to a shared one. A hundred keys are within the limit.
            let body = json!({format!("k{}", number % 100): number.to_string(), "last": number.to_string()});
            let answer = world.patch(&reference, if number % 7 == 0 { Admin } else { Owner }, &body).await.is(200);
            let seen = &answer.json()["attributes"];
            assert_eq!((&seen["last"], &seen[format!("k{}", number % 100)]), (&body["last"], &body["last"]));
            (version(answer.etag()), number, seen.as_object().expect("attributes").len())
        });
    }
    let mut writes = tasks.join_all().await;
    writes.sort_unstable();
    let versions: Vec<u64> = writes.iter().map(|(version, _, _)| *version).collect();
    assert_eq!(versions, (2..2 + NUM_WRITERS as u64).collect::<Vec<_>>(), "every version is of one write");
    // Later versions only have more attributes.
    assert!(writes.is_sorted_by_key(|(_, _, num_attributes)| *num_attributes));
    let end = world.get("/my/profile", Owner).await;
    assert_eq!(version(end.etag()), 1 + NUM_WRITERS as u64);
    let end = end.json()["attributes"].clone();
    assert_eq!(end.as_object().expect("attributes").len(), 2 + 100 + 1);
    let last_of = |is_of: &dyn Fn(usize) -> bool| {
        writes.iter().rev().find(|(_, number, _)| is_of(*number)).expect("one").1.to_string()
    };
    assert_eq!(end["last"], last_of(&|_| true));
    for key in 0..100 {
        assert_eq!(end[format!("k{key}")], last_of(&|number| number % 100 == key), "k{key}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conditional_updates_of_a_counter_lose_nothing() {
    const NUM_COUNTS: usize = 15;
    let world = Arc::new(World::new());
    let reference = Arc::new(world.domain_profile(TEAM, json!({"counter": "0"})).await);
    let mut counters = JoinSet::new();
    for number in 0..16 {
        let (world, reference) = (Arc::clone(&world), Arc::clone(&reference));
        let role = if number % 2 == 0 { Manager } else { ManagerOnly };
        counters.spawn(async move {
            let path = format!("/profiles/{reference}");
            let (mut versions, mut num_refused) = (Vec::new(), 0);
            while versions.len() < NUM_COUNTS {
                let read = world.get(&path, role).await.is(200);
                let tag = read.etag().to_owned();
                let count: usize =
                    read.json()["attributes"]["counter"].as_str().expect("a text").parse().expect("a number");
                let body = json!({"counter": (count + 1).to_string()}).to_string();
                let put = world.ask("PUT", &path, role, &[("if-match", &tag)], &body).await;
                match put.status {
                    200 => {
                        assert_eq!(version(put.etag()), version(&tag) + 1);
                        versions.push(version(put.etag()));
                    }
                    412 => num_refused += 1,
                    _ => panic!("{put:?}"),
                }
            }
            assert!(versions.is_sorted());
            (versions, num_refused)
        });
    }
    let results = counters.join_all().await;
    let versions: BTreeSet<u64> = results.iter().flat_map(|(versions, _)| versions).copied().collect();
    assert_eq!(versions.len(), 16 * NUM_COUNTS);
    assert!(results.iter().any(|(_, num_refused)| *num_refused > 0), "nobody came in between anybody");
    let end = world.get(&format!("/profiles/{reference}"), Manager).await;
    assert_eq!(end.json()["attributes"]["counter"], (16 * NUM_COUNTS).to_string());
    assert_eq!(version(end.etag()), 1 + 16 * NUM_COUNTS as u64);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_first_reads_make_one_profile() {
    let world = Arc::new(World::new());
    let mut readers = JoinSet::new();
    for number in 0..50 {
        let world = Arc::clone(&world);
        readers.spawn(async move {
            let path =
                if number % 2 == 0 { "/my/profile".to_owned() } else { format!("/users/{}/profile", Owner.user()) };
            let answer = world.get(&path, Owner).await.is(200);
            (answer.reference(), answer.etag().to_owned(), answer.text)
        });
    }
    let answers: BTreeSet<_> = readers.join_all().await.into_iter().collect();
    assert_eq!(answers.len(), 1, "{answers:?}");
    let export = world.get("/profiles/export", Admin).await.is(200);
    assert_eq!(export.text.lines().count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_for_a_new_profile_make_one() {
    let world = Arc::new(World::new());
    let mut makers = JoinSet::new();
    for number in 0..60 {
        let world = Arc::clone(&world);
        makers.spawn(async move {
            let (role, owner) = match number % 3 {
                0 => (Owner, json!({"user": {"userReference": Owner.user()}})),
                1 => (Admin, json!({"user": {"userReference": Owner.user()}})),
                _ => (Manager, json!({"domain": {"domainReference": TEAM}})),
            };
            let mut body = owner;
            body["attributes"] = json!({"maker": number.to_string()});
            let answer = world.post(role, &body).await;
            (number % 3 == 2, answer.status, answer.text)
        });
    }
    let answers = makers.join_all().await;
    for (is_of_domain, path) in
        [(false, format!("/users/{}/profile", Owner.user())), (true, format!("/domains/{TEAM}/profile"))]
    {
        let of: Vec<_> = answers.iter().filter(|(is, _, _)| *is == is_of_domain).collect();
        let made: Vec<_> = of.iter().filter(|(_, status, _)| *status == 201).collect();
        assert_eq!((made.len(), of.iter().filter(|(_, status, _)| *status == 409).count()), (1, of.len() - 1));
        assert_eq!(world.get(&path, Admin).await.is(200).text, made[0].2);
    }
}

/// An export shows a single moment: two attributes that are always written together have the same
/// age.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exports_contain_whole_writes() {
    let world = Arc::new(World::new());
    let reference = world.user_profile().await;
    let writing = {
        let (world, reference) = (Arc::clone(&world), reference.clone());
        tokio::spawn(async move {
            for number in 0..200 {
                let text = number.to_string();
                world.patch(&reference, Owner, &json!({"left": text, "right": text})).await.is(200);
            }
        })
    };
    let mut last = 0;
    while !writing.is_finished() {
        let export = world.get("/profiles/export", Admin).await.is(200);
        let line: serde_json::Value = serde_json::from_str(&export.text).expect("one line");
        assert_eq!(line["attributes"]["left"], line["attributes"]["right"]);
        let version = line["version"].as_u64().expect("a number");
        assert!(version >= last, "{version} after {last}");
        last = version;
    }
    writing.await.expect("no panic");
}
