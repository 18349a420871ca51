//! Servers that are killed while profiles are written: acknowledged writes are there when the next
//! one starts.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use support::machine::{rounds, seeded};
use support::profile_writers::{
    Access, Mix, Writer, check_over_http, export_until_failure, exported, print_survived, settle, write_until_failure,
};
use tempfile::TempDir;

/// The number of data folders that share the kills, at the same time.
const FOLDERS: usize = 2;

/// The number of kills between two reads by the command that exports.
const KILLS_PER_EXPORT: usize = 20;

/// One in this many servers exports while it is written to.
const KILLS_PER_LIVE_EXPORT: usize = 4;

/// The time before a kill, in milliseconds.
const WRITING_MS: Range<u64> = 20..150;

/// The kinds of writers.
const MIXES: [Mix; 4] = [Mix::SMALL, Mix::MIXED, Mix::SMALL, Mix::LARGEST];

/// Returns the number of acknowledged writes.
fn num_acknowledged(writers: &[Writer]) -> u64 {
    writers.iter().map(|writer| writer.num_acknowledged).sum()
}

/// Kills servers of one folder, and returns the writers.
fn kill_servers(access: &Access, seed: u64, kills: usize) -> Vec<Writer> {
    let folder = TempDir::new().expect("a temporary folder");
    let mut random = StdRng::seed_from_u64(seed);
    let mut writers = Writer::several(MIXES.len(), seed, &MIXES);
    let mut server = access.start(folder.path());
    let mut kill = 0;
    // On a busy machine many a server is killed before it has acknowledged anything.
    while kill < kills || num_acknowledged(&writers) <= kills as u64 {
        kill += 1;
        let context = format!("kill {kill}, seed {seed}");
        let (is_killed, address) = (AtomicBool::new(false), server.address().to_owned());
        let num_writers = random.random_range(1..=writers.len());
        thread::scope(|scope| {
            for writer in &mut writers[..num_writers] {
                scope.spawn(|| write_until_failure(writer, &address, access, &is_killed));
            }
            if kill % KILLS_PER_LIVE_EXPORT == 0 {
                scope.spawn(|| export_until_failure(&address, access));
            }
            thread::sleep(Duration::from_millis(random.random_range(WRITING_MS)));
            is_killed.store(true, Ordering::SeqCst);
            server.kill();
        });
        if kill % KILLS_PER_EXPORT == 0 || kill == kills {
            settle(&mut writers, exported(folder.path(), &context), &context);
        }
        server = access.start(folder.path());
        check_over_http(&server, access, &mut writers, &mut random, &context);
    }
    writers
}

#[test]
fn acknowledged_profiles_survive_killed_servers() {
    let (access, started, kills) = (Access::new(), Instant::now(), rounds(10, 200));
    let (_, seed) = seeded();
    let writers: Vec<_> = thread::scope(|scope| {
        let kill = |folder: usize| {
            scope.spawn({
                let access = &access;
                move || kill_servers(access, seed.wrapping_add(1000 * folder as u64), kills / FOLDERS)
            })
        };
        let threads: Vec<_> = (0..FOLDERS).map(kill).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    let num_profiles = writers.iter().map(|writer| writer.profiles.len()).sum();
    let what = format!("{kills} servers killed in {:?}", started.elapsed());
    print_survived(&what, num_acknowledged(&writers), num_profiles);
}
