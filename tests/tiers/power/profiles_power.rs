//! Power cuts while profiles are written, on a disk without a volatile cache.
//!
//! The promise: acknowledged writes are whole after a power cut, and there is nothing that no
//! client wrote. The store opens after every cut, also after one during its opening or its first
//! creation.

mod site;

use std::fs;
use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use site::Site;
use support::machine::{number_of, or_skip, rounds, seeded};
use support::profile_writers::{Contents, Mix, Writer, print_survived};
use tempfile::TempDir;

/// The variable with the total number of cuts.
const CUTS_VARIABLE: &str = "MGDEX_TEST_POWER_CUTS";

/// One in this many cuts is on a new disk; the others follow one another on one disk, as long as
/// the disk lasts.
const CUTS_PER_NEW_DISK: usize = 3;

/// One in this many cuts happens after the file system has committed by itself, which it does every
/// 5 s.
const CUTS_PER_LONG_ONE: usize = 10;

/// One in this many cuts of a series happens while the store opens.
const CUTS_PER_OPENING: usize = 4;

/// The clients of the rounds: one at a time, a few, many.
const NUMS_WRITERS: [usize; 3] = [1, 4, 16];

/// The kinds of writers.
const MIXES: [Mix; 3] = [Mix::MIXED, Mix::SMALL, Mix::LARGEST];

/// The number of power cuts while profiles are imported, or just after that.
const CUTS_OF_IMPORTS: usize = 5;

/// The number of times that syncs which do nothing must be noticed.
const CUTS_WITHOUT_SYNCS: usize = 4;

/// The most attempts: on a busy machine the file system may have committed by itself, so that
/// nothing is lost.
const CUTS_WITHOUT_SYNCS_MAX: usize = 40;

fn num_cuts() -> usize {
    number_of(CUTS_VARIABLE, rounds(6, 20))
}

/// Returns the duration of writing before a cut.
fn writing_time(random: &mut StdRng, cut: usize) -> Duration {
    let seconds = if cut % CUTS_PER_LONG_ONE == CUTS_PER_LONG_ONE / 2 {
        6.0
    } else {
        [0.06, 0.1, 0.2, 0.5, 1.0, 2.0][random.random_range(0..6)]
    };
    Duration::from_secs_f64(seconds * random.random_range(0.85..1.15))
}

#[test]
fn acknowledged_profiles_survive_a_series_of_power_cuts() {
    let (mut random, seed) = seeded();
    let Some(mut site) = or_skip(Site::new(NUMS_WRITERS[2], seed, &MIXES)) else { return };
    let cuts = num_cuts() - num_cuts() / CUTS_PER_NEW_DISK;
    let mut num_openings = 0;
    for cut in 1..=cuts {
        let num_writers = NUMS_WRITERS[cut % NUMS_WRITERS.len()];
        let time = writing_time(&mut random, cut);
        let mut context = format!("cut {cut} of a series, {num_writers} writers, {time:?}, seed {seed}");
        site.write_until_cut(num_writers, time);
        if random.random_range(0..CUTS_PER_OPENING) == 0 {
            site.cut_while_opening(&mut random);
            num_openings += 1;
            context += ", and another while it opened";
        }
        site.restart_and_check(&mut random, &context);
    }
    site.report(&format!("{cuts} cuts in series, after which {num_openings} more while the store opened"));
}

#[test]
fn acknowledged_profiles_of_a_new_store_survive_a_power_cut() {
    let (mut random, seed) = seeded();
    let cuts = num_cuts() / CUTS_PER_NEW_DISK;
    let (mut num_acknowledged, mut num_made) = (0, 0);
    for cut in 1..=cuts {
        let num_writers = NUMS_WRITERS[cut % NUMS_WRITERS.len()];
        let time = writing_time(&mut random, cut);
        let mut context = format!("cut {cut} of new disks, {num_writers} writers, {time:?}, seed {seed}");
        let Some(mut site) = or_skip(Site::new(num_writers, seed.wrapping_add(1000 * cut as u64), &MIXES)) else {
            return;
        };
        if random.random() {
            site.cut_while_opening(&mut random);
            context += ", after one while it was made";
        }
        site.write_until_cut(num_writers, time);
        site.restart_and_check(&mut random, &context);
        num_acknowledged += site.num_acknowledged();
        num_made += site.num_profiles();
    }
    print_survived(&format!("{cuts} cuts on new disks"), num_acknowledged, num_made);
}

#[test]
fn the_check_detects_syncs_that_do_nothing() {
    let (mut random, seed) = seeded();
    let (mut num_found_out, mut cut) = (0, 0);
    while num_found_out < CUTS_WITHOUT_SYNCS {
        cut += 1;
        assert!(cut <= CUTS_WITHOUT_SYNCS_MAX, "found out {num_found_out} times, seed {seed}");
        let seed = seed.wrapping_add(1000 * cut as u64);
        let Some(mut site) = or_skip(Site::new(4, seed, &[Mix::SMALL])) else { return };
        site.write_until_cut(4, Duration::from_millis(200));
        site.restart_and_check(&mut random, &format!("with syncs, seed {seed}"));
        let Some(strace) = or_skip(site.without_syncs()) else { return };
        site.write_until_cut(4, Duration::from_millis(500));
        drop(strace);
        num_found_out += usize::from(site.has_lost());
    }
}

#[test]
fn imports_survive_a_power_cut_whole() {
    let (mut random, seed) = seeded();
    let contents = Writer::new(0, seed, Mix::MIXED).generate(60);
    let folder = TempDir::new().expect("a temporary folder");
    let lines = folder.path().join("profiles.jsonl");
    fs::write(&lines, contents.lines()).expect("writable");
    let mut num_acknowledged = 0;
    for cut in 1..=CUTS_OF_IMPORTS {
        let Some(mut site) = or_skip(Site::new(0, seed, &MIXES)) else { return };
        // The last one ends before the cut, at the latest.
        let time = Duration::from_secs_f64(if cut == CUTS_OF_IMPORTS { 60.0 } else { random.random_range(0.0..1.0) });
        let context = format!("import cut after {time:?}, seed {seed}");
        let is_acknowledged = site.import_until_cut(&lines, time);
        num_acknowledged += usize::from(is_acknowledged);
        let found = site.exported_or_empty(&context);
        assert!(found == contents || !is_acknowledged && found == Contents::default(), "torn or lost; {context}");
    }
    assert!(num_acknowledged > 0);
}
