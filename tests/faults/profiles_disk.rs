//! What becomes of profiles when the disk is full, fails, or holds something else than it should.

mod damaged_store;
mod failing_disk;
mod foreign_folder;
mod full_disk;
mod two_servers;

use std::path::Path;
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use support::machine::Server;
use support::profile_writers::{Access, Connection, Writer};

/// Lets clients write for some time, in which nothing may fail.
fn write_for(server: &Server, access: &Access, writers: &mut [Writer], time: Duration) {
    let started = Instant::now();
    thread::scope(|scope| {
        for writer in writers {
            scope.spawn(|| {
                let mut connection = Connection::open(server.address()).expect("the server accepts");
                while started.elapsed() < time {
                    let answer = writer.write(&mut connection, access).expect("an answer");
                    assert!(answer.status < 300, "{answer:?}");
                }
            });
        }
    });
}

/// Returns what a command said that must have failed over a folder, but not by a crash.
fn refusal(output: &Output, folder: &Path, context: &str) -> String {
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}; {context}");
    check_refusal(&told, folder, context);
    told
}

/// Checks the last words of a command that has failed.
fn check_refusal(told: &str, folder: &Path, context: &str) {
    for crash in ["panicked", "stack backtrace", "RUST_BACKTRACE"] {
        assert!(!told.contains(crash), "{told}; {context}");
    }
    assert!(told.contains(&folder.display().to_string()), "no path: {told}; {context}");
}
