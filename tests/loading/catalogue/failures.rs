//! Loads that do not end well: the current catalogue stays, and the next load cleans up.

use std::fmt::Write;

use std::time::Instant;

use rand::RngExt;
use store::GenerationName;
use store_catalogue::CatalogueGeneration;
use support::machine::{kill_after, rounds};

use crate::loading::catalogue::{Folder, acknowledged, resources};

/// Resources of each state.
const NUM_SAMPLES: usize = 1000;

/// Writes the samples of a state, each of which names its number, and returns the command that
/// loads them.
fn load(folder: &Folder, number: u32) -> std::process::Command {
    let mut lines = String::new();
    for sample in 0..NUM_SAMPLES {
        writeln!(lines, r#"{{"type": "samples", "id": "ERS{sample}", "attributes": {{"species": "{number}"}}}}"#)
            .expect("memory");
    }
    folder.load([folder.write("state.jsonl", lines)])
}

/// Returns name and number of the current state after checking that it is whole.
fn current(folder: &Folder) -> (GenerationName, u32) {
    let generation = folder.open();
    CatalogueGeneration::verify_published(&folder.generations(), generation.name()).expect("whole");
    let samples = resources(&generation, "samples");
    assert_eq!(samples.len(), NUM_SAMPLES);
    let number = samples[0]["attributes"]["species"].as_str().expect("text");
    assert!(samples.iter().all(|sample| sample["attributes"]["species"] == number));
    (generation.name(), number.parse().expect("a number"))
}

/// Removes the added resources, by commands that are killed.
#[test]
fn killed_additions_and_removals_leave_a_whole_catalogue() {
    let folder = Folder::new();
    acknowledged(&mut load(&folder, 1));
    let added: Vec<String> = (0..500).map(|run| format!(r#"{{"type": "runs", "id": "ERR{run}"}}"#)).collect();
    let added = folder.write("added.jsonl", added.join("\n"));
    let change = |is_added: bool| {
        let mut command = folder.change(if is_added { "remove" } else { "add" }, Vec::<&str>::new());
        if is_added {
            command.arg("--from").arg(&added).arg("--allow-shrink")
        } else {
            command.arg(&added)
        };
        command
    };
    let state = || {
        let found = current(&folder);
        (found, resources(&folder.open(), "runs").len())
    };
    let started = Instant::now();
    acknowledged(&mut change(false));
    let change_time = started.elapsed();
    let mut known = state();
    let (mut random, mut num_killed, mut num_changed) = (rand::rng(), 0, 0);
    let kills = rounds(4, 12);
    for _ in 0..kills {
        let is_added = known.1 == 500;
        let delay = change_time.mul_f64(random.random());
        let output = kill_after(change(is_added).spawn().expect("the program"), delay);
        let found = state();
        let is_changed = found.0 != known.0;
        assert_eq!(found.1, if is_added == is_changed { 0 } else { 500 }, "{output:?}");
        assert!(is_changed || !output.status.success(), "{output:?}");
        assert!(folder.leftovers().len() <= 1, "a run removes what those before it left");
        num_killed += u32::from(output.status.code().is_none());
        num_changed += u32::from(is_changed);
        known = found;
    }
    assert!(num_killed > 0, "{num_changed} of {kills} changed it");
    acknowledged(&mut change(known.1 == 500));
    assert_eq!(folder.leftovers(), [""; 0]);
    let mut back = support::program();
    acknowledged(back.args(["rollback", "--data"]).arg(folder.data()).arg("catalogue"));
    assert_eq!(state().1, known.1, "an addition or removal is taken back like a load");
}
