//! Killed harvests resume where they stopped.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use rand::RngExt;
use support::machine::{rounds, seeded};
use tempfile::TempDir;

use super::documents::{Documents, SMALL};
use super::server::{FaultyServer, Loss, Moment, Plan, ReceivedRequest};
use super::{fail, files, harvest, report, succeed};

/// The most requests that are repeated after a kill, in addition to the one under way.
const AGAIN_MAX: usize = 1;

const OPTIONS: [&str; 2] = ["--analyses", "details"];

fn good_answers(received: &[ReceivedRequest]) -> BTreeMap<&str, usize> {
    let mut good = BTreeMap::new();
    for received in received.iter().filter(|request| request.is_good) {
        *good.entry(&*received.get).or_default() += 1;
    }
    good
}

/// Returns whether a folder has a finished harvest and no other.
fn is_finished(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).try_exists().expect("readable");
    has("harvest.json") && !has("harvest.unfinished")
}

/// Kills harvests at random requests, resumes them, and compares the results with those of an
/// undisturbed harvest. All start from the files in a folder.
fn kill(server: &FaultyServer, before: &Path, options: &[&str], num_kills: usize) {
    let folder = TempDir::new().expect("a temporary folder");
    let to = folder.path().join("to");
    let begin = || {
        let _ = fs::remove_dir_all(&to);
        fs::create_dir(&to).expect("a new folder");
        for entry in fs::read_dir(before).expect("a folder") {
            let path = entry.expect("readable").path();
            fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("readable");
        }
    };
    let run = || harvest(&server.url(), &to, &[options, &["--since", to.to_str().expect("text")]].concat());
    begin();
    succeed(&mut run());
    let (alone, received) = (files(&to), server.take());
    let (expected, num_received) = (good_answers(&received), received.len());
    let (mut random, seed) = seeded();
    let (mut num_killed, mut num_within) = (0, 0);
    while num_killed < num_kills {
        begin();
        let before = files(&to);
        let num_before = num_killed;
        while num_killed < num_kills {
            let moment = [Moment::Before, Moment::Within, Moment::After][random.random_range(0..3)];
            let number = random.random_range(1..=num_received / 12 + 1);
            if !server.kill_at(number, moment, Duration::ZERO, &mut run()) {
                break;
            }
            num_killed += 1;
            if is_finished(&to) {
                break;
            }
            num_within += 1;
            let is_written = to.join("harvest.unfinished/complete").try_exists().expect("readable");
            assert!(is_written || files(&to) == before, "seed {seed}");
        }
        if !is_finished(&to) || files(&to) == before {
            succeed(&mut run());
        }
        assert_eq!(files(&to), alone, "seed {seed}");
        let received = server.take();
        let num_again: usize = good_answers(&received).iter().map(|(get, number)| number - expected[get]).sum();
        assert!(num_again <= (num_killed - num_before) * AGAIN_MAX, "{num_again} again, seed {seed}");
    }
    assert!(num_within > num_kills / 2, "{num_within}, seed {seed}");
}

#[test]
fn killed_harvests_end_like_undisturbed_ones() {
    let broken = ["MGYS00000274", "MGYG000000003"].map(str::to_owned).into();
    let documents = Documents::of_studies(&SMALL);
    let mut after = documents.clone();
    after.retain_studies(|study| study != SMALL[0]);
    let changes = vec![(usize::MAX, documents.publish())];
    let server =
        FaultyServer::start(&after.publish(), Plan { losing: Loss::BySize, broken, changes, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    kill(&server, folder.path(), &OPTIONS, rounds(5, 50));
    // Others replace those that they start from.
    succeed(&mut harvest(&server.url(), folder.path(), &OPTIONS));
    server.change();
    server.take();
    kill(&server, folder.path(), &OPTIONS, rounds(3, 25));
}

/// The last answer is followed by the writing of all files.
#[test]
fn harvests_killed_while_writing_write_all_files_or_none() {
    let documents = Documents::of_studies(&["MGYS00000274", "MGYS00000558"]);
    // One study remains, which has only a sample, so that files are removed, too.
    let mut after = documents.clone();
    after.retain_studies(|study| study == "MGYS00000558");
    let server = FaultyServer::start(
        &documents.publish(),
        Plan { changes: vec![(usize::MAX, after.publish())], ..Plan::default() },
    );
    let folder = TempDir::new().expect("a temporary folder");
    // Each harvest replaces the one that it starts from.
    let site = |name: &str| {
        let to = folder.path().join(name);
        succeed(&mut harvest(&server.url(), &to, &[]));
        to
    };
    let names: Vec<String> = (0..8).map(|number| number.to_string()).collect();
    let (alone, sites) = (site("alone"), names.iter().map(|name| site(name)).collect::<Vec<_>>());
    let since = |to: &Path| harvest(&server.url(), to, &["--since", to.to_str().expect("text")]);
    server.change();
    server.take();
    succeed(&mut since(&alone));
    let (alone, num_received) = (files(&alone), server.take().len());
    let mut num_within = 0;
    for (number, to) in (0..).zip(&sites) {
        assert!(server.kill_at(num_received, Moment::After, Duration::from_millis(4 * number), &mut since(to)));
        num_within += usize::from(to.join("harvest.unfinished").try_exists().expect("readable"));
        succeed(&mut since(to));
        assert_eq!(files(to), alone);
        server.take();
    }
    assert!(num_within > 0);
}

#[test]
fn harvests_resume_when_their_server_returns() {
    let documents = Documents::of_studies(&SMALL[..6]);
    let server = FaultyServer::start(&documents.publish(), Plan { away_from: Some(50), ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    let [alone, other] = ["alone", "other"].map(|name| folder.path().join(name));
    server.set_repaired(true);
    succeed(&mut harvest(&server.url(), &alone, &OPTIONS));
    let received = server.take();
    assert_eq!(report(&alone)["requests"], received.len());
    server.set_repaired(false);
    let message = fail(&mut harvest(&server.url(), &other, &OPTIONS));
    assert!(message.contains("20 requests in a row") && message.contains("502"), "{message}");
    assert!(!is_finished(&other));
    server.set_repaired(true);
    let before = server.take();
    succeed(&mut harvest(&server.url(), &other, &OPTIONS));
    assert_eq!(files(&other), files(&alone));
    // Nothing is requested twice, and nothing is skipped.
    let good = good_answers(&before).into_values().sum::<usize>() + server.take().len();
    assert_eq!(good, received.len());
}
