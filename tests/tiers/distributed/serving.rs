//! Replicas serve the same data as their publisher.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use support::TestFolder;
use support::machine::Server;

use support::replicas::{Site, measured, readiness, served_state, wait_until_served};

#[test]
fn replicas_answer_like_their_publisher() {
    let site = Site::new();
    site.index(1);
    site.load_catalogue(&["--keep-sealed"]);
    let printed = site.publish(&["--dry-run"]);
    assert!(printed.contains("would be published") && !site.store().is_dir(), "{printed}");
    site.publish(&[]);
    let (publisher, folder) = (Server::start(site.publisher.path()), TestFolder::empty());
    let replica = Server::of_command(&mut site.replica_command(folder.path(), &[]));
    for kind in ["proteins", "catalogue"] {
        let expected = readiness(&publisher).1[kind].clone();
        support::machine::wait_for(kind, || {
            let mut state = readiness(&replica).1[kind].clone();
            let asked = state.as_object_mut()?.remove("asked_seconds_ago");
            (state == expected && asked?.as_u64()? < 60).then_some(())
        });
    }
    assert_eq!(readiness(&replica).0, 200);
    for path in [
        "/metagenomics/proteins/api/v1/protein/search?biome_id=2&limit=1000",
        "/metagenomics/proteins/api/v1/protein/1",
        "/metagenomics/proteins/api/v1/protein/999",
        "/metagenomics/proteins/api/v2/proteins?q=pfam:5",
        "/metagenomics/api/v1/studies?page_size=50&page=2",
        "/metagenomics/api/v1/studies?search=human+gut",
        "/metagenomics/api/v1/biomes?depth_gte=3",
    ] {
        assert_eq!(replica.get(path), publisher.get(path), "{path}");
    }
}

#[test]
fn replicas_switch_under_load_without_failed_or_mixed_answers() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let first = site.publish_state(1);
    let replica = site.replica(folder.path());
    wait_until_served(&replica, first);
    let (is_over, num_answers) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut newest = 1;
                while !is_over.load(Ordering::Relaxed) {
                    let number = served_state(&replica);
                    assert!(number >= newest, "state {newest} was served, then {number}");
                    newest = number;
                    num_answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for number in 2..=5 {
            let name = site.publish_state(number);
            wait_until_served(&replica, name);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(served_state(&replica), 5);
    assert!(num_answers.load(Ordering::Relaxed) > 20);
    assert_eq!(measured(&replica, "mgdex_replica_lag_generations"), 0);
    assert_eq!(measured(&replica, "mgdex_replica_lag_seconds"), 0);
    assert!(measured(&replica, "mgdex_replica_fetched_bytes_total") > 0);
    assert!(measured(&replica, "mgdex_replica_last_poll_timestamp_seconds") > 1_000_000_000);
}

#[test]
fn empty_replicas_are_not_ready_and_serve_only_their_part() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let replica = site.replica(folder.path());
    let (status, body) = readiness(&replica);
    assert_eq!((status, &body["proteins"]["status"]), (503, &"fetching".into()), "{body}");
    assert_eq!(body["catalogue"]["status"], "not served here");
    let (status, body) = replica.get_protein("/protein/1");
    assert!(status == 503 && body.contains("has not fetched proteins yet"), "{status} {body}");
    let (status, body) = replica.get("/metagenomics/api/v1/studies");
    assert!(status == 503 && body.contains("does not serve the catalogue"), "{status} {body}");
    let (status, body) = replica.get("/my/profile");
    assert!(status == 503 && body.contains("does not serve profiles"), "{status} {body}");
    assert_eq!(replica.get("/healthz").0, 200);
    wait_until_served(&replica, site.publish_state(1));
    assert_eq!(readiness(&replica).0, 200);
    assert!(replica.log().contains("answers again"), "{}", replica.log());
}
