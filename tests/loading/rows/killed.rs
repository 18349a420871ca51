//! Builds that are killed, refused or out of room. The current generation is served as if nothing
//! had happened.

use std::fs::File;
use std::io::Write as _;
use std::time::Instant;

use rand::RngExt;
use support::machine::{Inputs, acknowledged, current, failure, generations, kill_after, leftovers, rounds, seeded};
use tempfile::TempDir;

#[test]
fn killed_builds_leave_a_whole_generation() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let (mut random, seed) = seeded();
    let started = Instant::now();
    let mut known = inputs.publish(data, 1);
    let build_time = started.elapsed();
    let (mut num_with_rubbish, mut num_killed) = (0, 0);
    for (kill, number) in (1..100).zip(2..) {
        if num_killed >= rounds(3, 30) && num_with_rubbish > 0 {
            break;
        }
        let context = format!("kill {kill}, seed {seed}");
        let delay = build_time.mul_f64(random.random());
        let output = kill_after(inputs.index(data, number).spawn().expect("the binary"), delay);

        let found = current(data, &context).unwrap_or_else(|| panic!("nothing is current; {context}"));
        if output.status.success() {
            assert_eq!(found, (acknowledged(&output), number), "{context}");
        } else {
            assert_eq!(output.status.code(), None, "{output:?}; {context}");
            // It may have been killed after the publish and before its last message.
            assert!(found == known || found.1 == number, "{known:?} was current, then {found:?}; {context}");
            num_killed += 1;
        }
        known = found;
        num_with_rubbish += usize::from(!leftovers(data).is_empty());
        assert!(leftovers(data).len() <= 1, "a build removes what those before it left; {context}");
    }
    assert!(num_killed > 0 && num_with_rubbish > 0, "no build was killed in the middle of its work; seed {seed}");

    known = inputs.publish(data, 1000);
    assert_eq!(current(data, "after all kills"), Some(known));
    assert_eq!(leftovers(data), [""; 0]);
    assert_eq!(generations(data).names().expect("readable").len(), 2, "this one and the one before; seed {seed}");
}

#[test]
fn a_second_builder_is_refused_and_the_first_continues() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    inputs.publish(data, 1);
    let (first, mut rows) = inputs.start_waiting_build(data);

    let second = inputs.index(data, 3).output().expect("the binary");
    let message = failure(&second);
    assert!(message.contains("another mgdex process is writing to"), "{message}");
    assert!(message.contains(&data.join("proteins").display().to_string()), "{message}");
    assert_eq!(leftovers(data).len(), 1, "the folder of the first is not taken for rubbish");

    rows.write_all(support::states::rows(2).as_bytes()).expect("the first reads");
    drop(rows);
    let first = acknowledged(&first.wait_with_output().expect("a child"));
    assert_eq!(current(data, "the first"), Some((first, 2)));
    let third = inputs.publish(data, 3);
    assert_eq!(current(data, "the lock is free again"), Some(third));
}

#[test]
fn runs_that_cannot_fit_are_refused_before_they_start() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let known = inputs.publish(data, 1);
    // Its size is all that is looked at.
    let huge = inputs.write("huge.csv", "");
    File::options().write(true).open(&huge).and_then(|file| file.set_len(4 << 40)).expect("a sparse file");
    let message = failure(&inputs.index_file(data, &huge).output().expect("the binary"));
    assert!(message.contains("MB free, and this run needs about"), "{message}");
    assert!(message.contains(&data.display().to_string()) && message.contains("--data"), "{message}");
    assert_eq!(current(data, &message), Some(known));
    assert_eq!(leftovers(data), [""; 0]);
}
