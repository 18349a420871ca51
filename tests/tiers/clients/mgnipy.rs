//! `mgnipy`, MGnify's own client of version 2 of the catalogue, unchanged, in two of its versions:
//! it gets the contents of the documents.
//!
//! `tests/tiers/clients/scripts/mgnipy/tour.py` has the requests; the expected results are computed
//! there from the documents alone, by a model that the recorded answers of the real program are
//! compared with. Each version is in a virtual environment that `tests/python/setup` makes, once;
//! the earlier one is tried before a release.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use support::{needed_python, project};

use crate::documents::Documents;

/// The requirements file that installs the later version.
const REQUIREMENTS: &str = "tests/python/requirements.txt";

/// The folder of the tour.
const SCRIPTS: &str = "tests/tiers/clients/scripts/mgnipy";

/// The least numbers of steps and requests of a tour, so that none ends early.
const NUM_STEPS_MIN: u64 = 2_900;
const NUM_REQUESTS_MIN: u64 = 6_000;

/// Steps that fail because of bugs in the client, although the answers are as recorded.
const BUGS: [&str; 11] = [
    "studies of a biome",
    "details of biomes",
    "downloads of a catalogue",
    "a catalogue of a list",
    "downloads of a genome",
    "downloads of genomes",
    "details of publications",
    "runs of a sample by another name",
    "miscellaneous",
    "descriptions of all resources",
    "a resource on the command line",
];

/// Runs a script without leaving compiled files beside it, and returns its output.
fn run(python: &Path, script: &str, base_url: &str) -> Value {
    let mut command = Command::new(python);
    command.arg("-B").arg(project(SCRIPTS).join(script)).env("BASE_URL", base_url);
    let Output { status, stdout, stderr } = command.output().expect("Python");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{script}: {stdout}{stderr}");
    serde_json::from_str(&stdout).expect("JSON")
}

fn tour(version: &str, requirements: &str) {
    let Some(python) = needed_python(requirements) else { return };
    let documents = Documents::serve();
    let seen = run(&python, "tour.py", &format!("http://{}/", documents.server.address()));
    assert_eq!(seen["version"], version);
    assert_eq!(seen["failed_by_the_client"], json!(BUGS));
    let is_least = |name: &str, least| seen[name].as_u64().is_some_and(|number| number >= least);
    assert!(is_least("steps", NUM_STEPS_MIN) && is_least("requests", NUM_REQUESTS_MIN), "{seen}");
}

#[test]
#[ignore = "tried before a release, by `.ci/release clients`"]
fn version_0_2_1_of_the_official_client_gets_the_documents() {
    tour("0.2.1", "tests/python/mgnipy-0.2.1.txt");
}

#[test]
fn version_0_3_0_of_the_official_client_gets_the_documents() {
    tour("0.3.0", REQUIREMENTS);
}

#[test]
fn expected_results_agree_with_the_recorded_answers() {
    let Some(python) = needed_python(REQUIREMENTS) else { return };
    let seen = run(&python, "recorded.py", "");
    // The error text for hidden studies reveals that they exist, and studies in super-studies lack
    // the lineages of their biomes.
    assert_eq!(
        seen["exceptions"],
        json!([
            ["tells that it is hidden", "/studies/MGYS90000000/analyses/"],
            ["lacks lineages", "/super-studies/tara-oceans"],
            ["tells that it is hidden", "/studies/MGYS90000000/samples/"],
        ])
    );
    assert_eq!(seen["answers"]["equal"], 351, "{seen}");
}
