//! The promises of indexing: the results for good and bad rows, whatever the form, order and number
//! of inputs.

mod compression;
mod failures;
mod generations;
mod killed;
mod layouts;
mod metadata;
mod nothing;
mod order;
mod rejects;
mod superseded;
pub(crate) mod survey;
mod tables;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;

use api::Api;
use axum::http::StatusCode;
use flate2::Compression;
use flate2::write::GzEncoder;
use indexer::{Input, Published};
use indexer_release::PortalPlan;
use serde_json::Value;
use support::generation::current_folder;
use support::{TestFolder, get_protein};

/// The header of the portal's export.
const HEADER: &str = "mgyp,sequence,full_length,cluster_size,metadata\n";

/// Two good rows.
const TWO_ROWS: &str = "11,MKVL,true,1,\"{\"\"b\"\":[[132,1]]}\"\n12,MKAA,,2,{}\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("in memory");
    encoder.finish().expect("in memory")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).expect("in memory")
}

/// Returns a plan over inputs, with a table of the few families that rows name here, which is read
/// in no time.
fn plan_of(folder: &TestFolder, inputs: Vec<Input>) -> PortalPlan {
    let bytes = b"PF00462\tCL0172\tThioredoxin\tGlutaredoxin\tGlutaredoxin\n";
    PortalPlan { pfam: Input::Bundled { name: "few-clans.tsv", bytes }, ..folder.plan(inputs) }
}

/// Runs a plan that must fail, and returns its error message.
fn failure(plan: &PortalPlan) -> String {
    plan.run().expect_err("the plan must fail").to_string()
}

/// Returns the accessions that were indexed, without prefix and padding, by a lookup of each
/// candidate.
async fn indexed(router: &Api, candidates: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut found = Vec::new();
    for candidate in candidates {
        if get_protein(router, &format!("/protein/{candidate}")).await.status == StatusCode::OK {
            found.push(candidate);
        }
    }
    found
}

/// Returns the records of two rows in some form, as the service answers them.
async fn records_of(content: &[u8], file_name: &str) -> Vec<Value> {
    let folder = TestFolder::empty();
    let input = folder.input(file_name, content);
    let published = plan_of(&folder, vec![input]).run().unwrap_or_else(|error| panic!("{file_name}: {error}"));
    let report = checked_report(&folder, &published);
    assert_eq!(report["num_read"], 2, "{file_name}: {report}");
    let router = folder.router();
    let mut records = Vec::new();
    for accession in [11, 12] {
        records.push(get_protein(&router, &format!("/protein/{accession}")).await.json());
    }
    records
}

/// Returns the text of a file of the current generation.
fn current_file(folder: &TestFolder, file: &str) -> String {
    fs::read_to_string(current_folder(folder).join(file)).expect(file)
}

/// Returns the manifest of the current generation.
fn manifest(folder: &TestFolder) -> Value {
    serde_json::from_str(&current_file(folder, "manifest.json")).expect("JSON")
}

/// Returns the names in the folder of the generations, except the lock.
fn entries(folder: &TestFolder) -> BTreeSet<String> {
    let entries = fs::read_dir(folder.generations().root()).expect("readable");
    entries
        .map(|entry| entry.expect("readable").file_name().into_string().expect("text"))
        .filter(|name| name != "LOCK")
        .collect()
}

/// Returns the report in the manifest, which must be the returned one.
fn checked_report(folder: &TestFolder, published: &Published) -> Value {
    let report = manifest(folder)["origin"]["report"].clone();
    assert_eq!(report, serde_json::to_value(&published.report).expect("JSON"));
    let number = |value: &Value| value.as_u64().expect("a number");
    let mut sums = [0; 3];
    for file in report["files"].as_array().expect("a list") {
        let rejected: u64 = file["rejected"].as_object().expect("an object").values().map(number).sum();
        let (read, accepted) = (number(&file["num_read"]), number(&file["num_accepted"]));
        assert_eq!(read, accepted + rejected, "{file}");
        for (sum, value) in sums.iter_mut().zip([read, accepted, rejected]) {
            *sum += value;
        }
    }
    assert_eq!(sums, ["num_read", "num_accepted", "num_rejected"].map(|key| number(&report[key])), "{report}");
    let listed = current_file(folder, "rejects.tsv").lines().count() - 1;
    assert_eq!(u64::try_from(listed).expect("few"), sums[2]);
    report
}

/// Returns the part of a report about an input.
fn report_of(report: &Value, input: &Input) -> Value {
    let files = report["files"].as_array().expect("a list");
    files.iter().find(|file| file["name"] == input.name()).expect("a reported input").clone()
}
