//! The Python of the tests that need other programs' code.

use std::path::PathBuf;
use std::process::Command;

use crate::project;

/// Names the Python to use in place of that of `target/test-venv`.
const PYTHON_VARIABLE: &str = "MGDEX_TEST_PYTHON";

/// Returns a Python that has a module. That of `target/test-venv` is made by `tests/python/setup`, once.
pub fn python(module: &str) -> PathBuf {
    python_with(module, "tests/python/requirements.txt", "target/test-venv")
}

/// Returns a Python that has a module, in a virtual environment that `tests/python/setup` makes, once.
pub fn python_with(module: &str, requirements: &str, venv: &str) -> PathBuf {
    let path = std::env::var_os(PYTHON_VARIABLE).map_or_else(
        || {
            let made = Command::new(project("tests/python/setup")).args([requirements, venv]).output().expect("a script");
            assert!(
                made.status.success(),
                "this needs a Python with {module}. Name one in {PYTHON_VARIABLE}, or mend what keeps tests/python/setup from making \
                 one in {venv}: {}",
                String::from_utf8_lossy(&made.stderr)
            );
            project(venv).join("bin/python")
        },
        PathBuf::from,
    );
    let found = Command::new(&path).args(["-c", &format!("import {module}")]).output();
    let works = found.is_ok_and(|output| output.status.success());
    assert!(works, "{} is no Python with {module}, which is needed", path.display());
    path
}
