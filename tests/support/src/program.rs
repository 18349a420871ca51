//! The program itself, as a process.

use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Returns the command of the program without arguments and input, and without settings from the environment of the tests.
pub fn program() -> Command {
    // Cargo sets it for integration tests and benches, which it builds the program for.
    let path: OsString = std::env::var_os("CARGO_BIN_EXE_mgdex").expect("run by cargo");
    let mut command = Command::new(path);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MGDEX_") {
            command.env_remove(name);
        }
    }
    command.env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    command
}
