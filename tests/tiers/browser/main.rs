//! The portal in a real browser: Debian's Chromium visits the pages of the demo, to whose data
//! hostile texts are added.
//!
//! `main.mjs` runs the tests. `tests/node/setup` makes the folder with its libraries, once. Without
//! Chromium, these or HMMER, the test fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use support::machine::{Server, is_thorough, rounds};
use support::{HOSTILE, SCRIPT, data, data_text, hostile, needed, needed_program, program, project};
use tempfile::TempDir;

/// The variable with the browser to use in place of Debian's.
const BROWSER_VARIABLE: &str = "CHROMIUM";

const BROWSER: &str = "/usr/bin/chromium";

/// The variable with a folder for pictures of every page.
const PICTURES_VARIABLE: &str = "MGDEX_TEST_PICTURES";

/// The variable with the number of visits for each measured page, by default one.
const VISITS_VARIABLE: &str = "MGDEX_TEST_VISITS";

/// The collections that are loaded whole, and those that are loaded in part, with the numbers of
/// resources.
const COLLECTIONS: [&str; 8] =
    ["biomes", "studies", "samples", "assemblies", "publications", "pipelines", "pipeline-tools", "experiment-types"];
const LARGE_COLLECTIONS: [&str; 2] = ["runs", "analyses"];
const NUM_LARGE: usize = 200;

/// The source run of a synthetic protein: it is loaded, too, with its analyses.
const RUN: &str = "SRR873595";

/// Documents of version 2 that are loaded: their kinds, the members that name them, and their
/// names.
const DOCUMENTS: [(&str, &str, &str); 10] = [
    ("studies", "accession", "MGYS00000260"),
    ("analyses", "accession", "MGYA09000003"),
    ("analysis-annotations", "accession", "MGYA09000003"),
    ("assemblies", "accession", "ERZ9990001"),
    ("assembly-genome-links", "assembly", "ERZ9990001"),
    ("assembly-additional-contained-genomes", "assembly", "ERZ9990001"),
    ("assembly-runs", "assembly", "ERZ9990001"),
    ("genomes", "accession", "MGYG000000003"),
    ("genome-annotations", "accession", "MGYG000000003"),
    ("genome-catalogues", "catalogue_id", "human-gut-v2-0-2"),
];

/// The user and the domain of the demo.
const USER: &str = "usr-7d1c5b0e-92a4-4c7b-8f3e-5a60c1d2e3f4";
const DOMAIN: &str = "dom-2f9d4e81-6a3b-4c05-b7e9-18d0c6f5a432";

/// The schema of the attributes of the domain.
const SCHEMA: &str = r#"{"type": "object", "required": ["address"], "properties": {
    "address": {"type": "string", "minLength": 1},
    "cost_center": {"type": "string", "pattern": "^[A-Z]{3}[0-9]{3}$"}}}"#;

/// Returns the path of a browser, if there is one.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os(BROWSER_VARIABLE).map_or_else(|| PathBuf::from(BROWSER), PathBuf::from);
    let missing = || {
        format!("a browser in {} (`apt-get install chromium`), or one that {BROWSER_VARIABLE} names", path.display())
    };
    needed(path.is_file().then(|| path.clone()).ok_or_else(missing))
}

/// Loads resources and profiles into a data folder.
fn load(folder: &Path) {
    let write = |name: &str, lines: &[String]| {
        let path = folder.join(name);
        fs::write(&path, lines.join("\n")).expect("writable");
        path
    };
    let mut inputs: Vec<PathBuf> =
        COLLECTIONS.iter().map(|name| data(&format!("catalogue/collections/{name}.jsonl.gz"))).collect();
    for name in LARGE_COLLECTIONS {
        let text = data_text(&format!("catalogue/collections/{name}.jsonl.gz"));
        let of_run = format!("\"id\": \"{RUN}\"");
        let lines = text.lines().enumerate().filter(|(index, line)| *index < NUM_LARGE || line.contains(&of_run));
        let lines: Vec<String> = lines.map(|(_, line)| line.to_owned()).collect();
        inputs.push(write(&format!("{name}.jsonl"), &lines));
    }
    inputs.push(write("hostile.jsonl", &hostile().map(|resource| resource.to_string())));
    fs::create_dir(folder.join("harvest")).expect("writable");
    for (kind, key, name) in DOCUMENTS {
        let documents = data_text(&format!("catalogue-v2/documents/{kind}.jsonl.gz"));
        let is_it = |line: &&str| serde_json::from_str::<Value>(line).expect("a document")[key] == name;
        let document = documents.lines().find(is_it).expect("a document");
        write(&format!("harvest/{kind}.jsonl"), &[document.to_owned()]);
    }
    let mut load = program();
    load.args(["catalogue", "load", "--quiet", "--v2"]).arg(folder.join("harvest")).arg("--data").arg(folder);
    run(load.args(inputs));

    let profiles = [
        json!({
            "reference": "prf-00000000-0000-4000-8000-000000000001", "user": USER, "version": 1,
            "attributes": {"name": "Demo User", "note": SCRIPT},
        }),
        json!({
            "reference": "prf-00000000-0000-4000-8000-000000000002", "domain": DOMAIN, "version": 1,
            "schema": {"given": SCHEMA}, "attributes": {"address": SCRIPT, "cost_center": "ABC123"},
        }),
    ];
    let profiles = write("profiles.jsonl", &profiles.map(|profile| profile.to_string()));
    run(program().args(["profiles", "import", "--data"]).arg(folder).arg(profiles));
}

fn run(command: &mut Command) {
    let output = command.output().expect("the binary");
    assert!(output.status.success(), "{output:?}");
}

/// Returns the token that the demo has left for its user.
fn token(folder: &Path) -> String {
    fs::read_to_string(folder.join("demo-keys/token")).expect("the token").trim_end().to_owned()
}

#[test]
#[expect(clippy::print_stdout, reason = "the harness shows the measurements to those who ask for them")]
fn the_portal_works_in_a_browser() {
    let node = || needed_program("npm", "npm").and(needed_program("node", "nodejs"));
    let (Some(browser), Some(node), Some(_)) = (browser(), node(), needed_program("phmmer", "hmmer")) else {
        return;
    };
    let made = Command::new(project("tests/node/setup")).output().expect("a script");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let folder = TempDir::new().expect("a temporary folder");
    load(folder.path());
    let mut demo = program();
    let server = Server::of_command(demo.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder.path()));
    let [study, sample] = HOSTILE;
    let site: Value = json!({
        "url": format!("http://{}", server.address()), "browser": browser, "token": token(folder.path()), "domain": DOMAIN,
        "script": SCRIPT, "study": study, "sample": sample, "pictures": std::env::var(PICTURES_VARIABLE).ok(),
        "visits": std::env::var(VISITS_VARIABLE).map_or(rounds(1, 2), |number| number.parse().expect("a number")),
        "thorough": is_thorough(),
    });
    let mut tests = Command::new(node);
    tests.args(["--test-reporter=spec"]).arg(project("target/test-node/portal/main.mjs")).arg(site.to_string());
    let output = tests.output().expect("Node.js");
    let message = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{message}\n{}", String::from_utf8_lossy(&output.stderr));
    println!("{message}");
}
