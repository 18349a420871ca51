//! Version 2 of the catalogue conforms to its description: schemathesis reads it, and sends each
//! operation valid and invalid requests.
//!
//! `tests/tiers/clients/scripts/schemathesis.toml` has names to ask for. The program is in a
//! virtual environment that `tests/python/setup` makes, once. Without it, the test fails.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use support::{needed_python, project};
use tempfile::TempDir;

use crate::documents::Documents;

const DESCRIPTION: &str = "/metagenomics/api/v2/openapi.json";

/// The number of generated cases for each operation, in addition to those at the bounds of its
/// parameters.
const NUM_EXAMPLES: &str = "40";

/// The same cases each time.
const SEED: &str = "34";

/// The minimum numbers of described operations and of requests.
const NUM_OPERATIONS_MIN: u64 = 37;
const NUM_CASES_MIN: u64 = 2_000;

/// Checks that do not hold on purpose: values that mean nothing are ignored, as by the real
/// program, and which values mean something depends on the data.
const NOT_CHECKED: &str = "negative_data_rejection,positive_data_acceptance";

/// The path that never answers with success: the studies of a user, since there are no logins.
const USER_PATH: &str = "/my-data/studies/";

#[test]
fn version_2_conforms_to_its_description() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let documents = Documents::serve();
    let folder = TempDir::new().expect("a temporary folder");
    let report = folder.path().join("report.json");
    let mut command = Command::new(python);
    command.args(["-m", "schemathesis.cli", "--config-file"]);
    command.arg(project("tests/tiers/clients/scripts/schemathesis.toml"));
    command.args(["run", &format!("http://{}{DESCRIPTION}", documents.server.address())]);
    command.args(["--phases", "examples,coverage,fuzzing,stateful", "--checks", "all", "--continue-on-failure"]);
    command.args(["--exclude-checks", NOT_CHECKED]);
    command.args(["--max-examples", NUM_EXAMPLES, "--seed", SEED, "--generation-database", "none"]);
    command.args(["--workers", "2", "--request-timeout", "10", "--no-color", "--report-json-path"]).arg(&report);
    let output = command.current_dir(folder.path()).output().expect("schemathesis");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));

    let report: Value = serde_json::from_str(&fs::read_to_string(report).expect("a report")).expect("JSON");
    let number = |pointer: &str| report.pointer(pointer).and_then(Value::as_u64).expect("a number");
    assert_eq!(number("/operations/tested"), number("/operations/total"));
    assert!(number("/operations/tested") >= NUM_OPERATIONS_MIN, "{report}");
    assert!(number("/test_cases/generated") >= NUM_CASES_MIN, "{report}");
    // The names in the settings belong to existing parameters.
    assert_eq!(report["warnings"]["unmatched_filter"], json!([]));
    for (operation, rates) in report["valid_rates"].as_object().expect("an object") {
        let accepted = |phase: &str| rates[phase]["accepted"].as_u64().unwrap_or_default();
        let is_found = accepted("coverage") + accepted("fuzzing") > 0;
        assert!(is_found || !operation.starts_with("GET") || operation.ends_with(USER_PATH), "{operation}: {rates}");
    }
}
