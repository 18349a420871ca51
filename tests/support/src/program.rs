//! The program itself, as a process.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;

use crate::project;

/// The variable with a program to test in place of the one that Cargo builds.
const BINARY_VARIABLE: &str = "MGDEX_BINARY";

/// The folders with the sources of the program.
const SOURCES: [&str; 5] = ["src", "api", "indexer", "similarity", "store"];

static BINARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let Some(path) = std::env::var_os(BINARY_VARIABLE).map(PathBuf::from) else {
        // Cargo sets it for integration tests and benches, which it builds the program for.
        let path: OsString = std::env::var_os("CARGO_BIN_EXE_mgdex").expect("run by cargo");
        return path.into();
    };
    let is_current = built(&path).is_some_and(|built| SOURCES.iter().all(|folder| !has_newer(&project(folder), built)));
    assert!(
        is_current,
        "{BINARY_VARIABLE}={} is missing or older than the sources: `cargo build --release --features distributed` makes target/release/mgdex",
        path.display()
    );
    path
});

fn built(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

/// Returns whether a folder has a file in Rust that is newer than a time.
fn has_newer(folder: &Path, time: SystemTime) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => has_newer(&path, time),
            _ => {
                path.extension().is_some_and(|ending| ending == "rs") && built(&path).is_some_and(|built| built > time)
            }
        }
    })
}

/// Returns the command of the program without arguments and input, and without settings from the
/// environment of the tests.
pub fn program() -> Command {
    let mut command = Command::new(&*BINARY);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MGDEX_") {
            command.env_remove(name);
        }
    }
    command.env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    command
}
