//! The Python of the tests that need other programs' code.

use std::path::PathBuf;
use std::process::Command;

use crate::project;

/// Names the Python to use in place of that of `target/test-venv`.
const PYTHON_VARIABLE: &str = "MGDEX_TEST_PYTHON";

/// Returns a Python that has a module. That of `target/test-venv` is made by `tests/python/setup`, once.
pub fn python(module: &str) -> PathBuf {
    let path = std::env::var_os(PYTHON_VARIABLE).map_or_else(
        || {
            let made = Command::new(project("tests/python/setup")).output().expect("a script");
            assert!(
                made.status.success(),
                "this test needs a Python with {module}. Name one in {PYTHON_VARIABLE}, or mend what keeps tests/python/setup from \
                 making one in target/test-venv: {}",
                String::from_utf8_lossy(&made.stderr)
            );
            project("target/test-venv/bin/python")
        },
        PathBuf::from,
    );
    let found = Command::new(&path).args(["-c", &format!("import {module}")]).output();
    let works = found.is_ok_and(|output| output.status.success());
    assert!(works, "{} is no Python with {module}, which this test needs", path.display());
    path
}
