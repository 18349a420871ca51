//! Loads that fail, and data that differ from those published.

use std::fs;
use std::process::Command;

use std::time::Instant;

use rand::RngExt;
use store::GenerationName;
use store_profiles::DirectoryGeneration;
use support::machine::{kill_after, rounds};

use crate::loading::directory::{Folder, acknowledged, domain, domain_line, refused, user, user_line};

/// Users of each state.
const NUM_USERS: u32 = 4000;

/// Writes the users of a state and the domain that is named by its number, and returns the command
/// that loads them.
fn load(folder: &Folder, number: u32) -> Command {
    let mut lines: Vec<String> = (0..NUM_USERS).map(|of| user_line(of, of % 7 == number % 7)).collect();
    lines.push(domain_line(&number.to_string(), &(0..NUM_USERS).collect::<Vec<_>>(), &[]));
    folder.load(folder.write("state.jsonl", lines.join("\n")))
}

/// Checks that the current state is whole and has the given number, and returns its name.
fn current(folder: &Folder, numbers: impl IntoIterator<Item = u32>) -> (GenerationName, u32) {
    let directory = folder.open();
    DirectoryGeneration::verify_published(&folder.generations(), directory.name()).expect("whole");
    let of = |number: &u32| domain(&number.to_string());
    let number = numbers.into_iter().find(|number| directory.has_domain(&of(number))).expect("one of them");
    for who in 0..NUM_USERS {
        assert_eq!(directory.is_locked(user(who)), who % 7 == number % 7);
        assert!(directory.membership(&of(&number), user(who)).is_member);
    }
    (directory.name(), number)
}

#[test]
fn killed_loads_leave_a_whole_directory() {
    let folder = Folder::new();
    let mut command = load(&folder, 1);
    let started = Instant::now();
    acknowledged(&mut command);
    let load_time = started.elapsed();
    let mut known = current(&folder, [1]);
    let (mut random, mut num_killed, mut num_with_rubbish) = (rand::rng(), 0, 0);
    for number in 2..100 {
        if num_killed >= rounds(3, 12) && num_with_rubbish > 0 {
            break;
        }
        let delay = load_time.mul_f64(random.random());
        let output = kill_after(load(&folder, number).spawn().expect("the program"), delay);
        let found = current(&folder, [number, known.1]);
        // It may have been killed after the publish and before its last message.
        assert!(found.1 == number || (found == known && !output.status.success()), "{known:?}, {found:?}: {output:?}");
        num_killed += usize::from(output.status.code().is_none());
        num_with_rubbish += usize::from(!folder.leftovers().is_empty());
        assert!(folder.leftovers().len() <= 1, "a load removes what those before it left");
        known = found;
    }
    assert!(num_killed > 0 && num_with_rubbish > 0, "no load was killed in the middle of its work");
    acknowledged(&mut load(&folder, 1000));
    current(&folder, [1000]);
    assert_eq!(folder.leftovers(), [""; 0]);
}

#[test]
fn damaged_inputs_fail_only_the_load() {
    let folder = Folder::new();
    acknowledged(&mut load(&folder, 1));
    let known = current(&folder, [1]);
    let mut compressed = zstd::encode_all(user_line(1, false).as_bytes(), 1).expect("memory");
    compressed.truncate(compressed.len() - 3);
    let damaged = folder.write("damaged.zst", compressed);
    assert!(refused(&mut folder.load(&damaged)).contains("damaged.zst"));
    assert_eq!(current(&folder, [1]), known);
    assert_eq!(folder.leftovers(), [""; 0]);
}

#[test]
fn verify_finds_a_flipped_bit_in_a_directory() {
    let folder = Folder::new();
    let lines = [user_line(1, true), user_line(2, false), domain_line("a", &[1, 2, 3], &[1])];
    folder.load_lines(&lines);
    folder.load_lines(&lines[1..]);
    let done = folder.verify();
    assert_eq!((done.status.code(), &*done.stderr), (Some(0), &b""[..]), "{done:?}");
    let current = folder.generations().current().expect("readable").expect("published");
    let message = String::from_utf8_lossy(&done.stdout).into_owned();
    let expected = format!("ok      directory/{current} (current): 1 users, 1 domains, 3 memberships");
    assert!(message.lines().count() == 2 && message.lines().any(|line| line == expected), "{message}");
    let path = folder.generations().path(current).join("keys.fst");
    let mut bytes = fs::read(&path).expect("readable");
    bytes[0] ^= 1;
    fs::write(&path, bytes).expect("writable");
    let done = folder.verify();
    let message = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let (broken, good): (Vec<&str>, Vec<&str>) = message.lines().partition(|line| line.starts_with("BROKEN"));
    assert!(broken.len() == 1 && broken[0].contains(&path.display().to_string()), "{message}");
    assert!(good.len() == 1 && good[0].starts_with("ok"), "{message}");
}
