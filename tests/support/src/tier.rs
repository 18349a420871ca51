//! The requirements of a tier of tests, apart from Rust.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use crate::project;

/// Returns a requirement of a test, or prints on standard error that the test is skipped because it
/// is missing. In CI (`CI=true`), nothing may be missing.
pub fn needed<T>(found: Result<T, String>) -> Option<T> {
    let missing = match found {
        Ok(value) => return Some(value),
        Err(missing) => missing,
    };
    assert!(env::var_os("CI").is_none_or(|value| value != "true"), "this test must run in CI, and needs {missing}");
    let test = thread::current().name().unwrap_or_default().to_owned();
    // The test harness would capture `eprintln`, since the test passes.
    writeln!(io::stderr(), "SKIPPED {test}: it needs {missing}").expect("stderr");
    None
}

/// Returns the path of a program that a test needs, or says that the test is skipped and which
/// package of Debian has the program.
pub fn needed_program(program: &str, package: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file());
    needed(found.ok_or_else(|| format!("{program} (`apt-get install {package}`)")))
}

/// Returns the Python of a virtual environment that `tests/python/setup` makes of a file of
/// requirements, once, or says that the test is skipped.
pub fn needed_python(requirements: &str) -> Option<PathBuf> {
    needed_program("python3", "python3-venv")?;
    let made = Command::new(project("tests/python/setup")).arg(requirements).output();
    needed(match made {
        Ok(made) if made.status.success() => {
            Ok(project(String::from_utf8_lossy(&made.stdout).trim()).join("bin/python"))
        }
        Ok(made) => Err(format!(
            "what {requirements} names, and `tests/python/setup {requirements}` fails: {}",
            String::from_utf8_lossy(&made.stderr).trim()
        )),
        Err(error) => Err(format!("tests/python/setup: {error}")),
    })
}
