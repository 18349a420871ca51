//! Whether two servers give the same answers.

use api::Api;
use axum::http::StatusCode;
use serde_json::Value;
use support::{Answer, get};
use tokio::runtime::Runtime;

use super::documents::Documents;

/// The prefix of version 2.
pub(super) const V2: &str = "/metagenomics/api/v2";

/// The lists beside those of single objects.
const LISTS: [&str; 16] = [
    "/biomes/?",
    "/studies/?",
    "/studies/?order=-updated_at",
    "/studies/?has_analyses_from_pipeline=V5",
    "/studies/?has_analyses_from_pipeline=V6",
    "/samples/?",
    "/samples/?order=-updated_at",
    "/runs/?",
    "/assemblies/?",
    "/analyses/?",
    "/publications/?",
    "/super-studies/?",
    "/genomes/?",
    "/genomes/?order=-length",
    "/genomes/catalogues/?",
    "/genomes/catalogues/marine-v2-0/genomes/?",
];

/// The details and lists of single objects of a kind, with the place of their names.
const OBJECTS: [(&str, &[&str]); 8] = [
    ("studies", &["/studies/{}", "/studies/{}/samples/?", "/studies/{}/analyses/?", "/studies/{}/publications/?"]),
    ("samples", &["/samples/{}", "/samples/{}/runs/?", "/samples/{}/assemblies/?"]),
    ("runs", &["/runs/{}", "/runs/{}/analyses/?", "/runs/{}/assemblies/?"]),
    (
        "assemblies",
        &[
            "/assemblies/{}",
            "/assemblies/{}/analyses?",
            "/assemblies/{}/genome-links?",
            "/assemblies/{}/additional-contained-genomes?",
        ],
    ),
    ("analyses", &["/analyses/{}", "/analyses/{}/annotations", "/analyses/{}/annotations/pfams?"]),
    ("publications", &["/publications/{}", "/publications/{}/annotations"]),
    ("super-studies", &["/super-studies/{}"]),
    ("genomes", &["/genomes/{}", "/genomes/{}/annotations"]),
];

/// The lists of one of so many objects are read, where there are many.
const STEP: usize = 7;

/// Returns in what the answers of a server differ from those of the one that was harvested, which has the given documents.
pub(super) fn differences(harvested: &Api, loaded: &Api, documents: &Documents) -> Vec<String> {
    let mut paths: Vec<String> = LISTS.map(str::to_owned).into();
    for (kind, of_object) in OBJECTS {
        let keys = documents.keys(kind);
        let step = if keys.len() > 300 { STEP } else { 1 };
        for (number, key) in keys.iter().enumerate() {
            let wanted = of_object.iter().filter(|path| number.is_multiple_of(step) || !path.contains('?'));
            paths.extend(wanted.map(|path| path.replace("{}", &key.replace(' ', "%20"))));
        }
    }
    Runtime::new().expect("threads").block_on(async {
        let mut differences = Vec::new();
        for path in paths {
            let num_pages = if path.contains('?') { usize::MAX } else { 1 };
            for page in 1..=num_pages {
                let page = if num_pages == 1 { path.clone() } else { format!("{path}&page_size=100&page={page}") };
                let (difference, answer) = difference(harvested, loaded, &page).await;
                differences.extend(difference);
                if answer["items"].as_array().is_none_or(Vec::is_empty) {
                    break;
                }
            }
        }
        differences
    })
}

/// Returns in what two answers to a request below the prefix differ, and the body of the first.
pub(super) async fn difference(one: &Api, other: &Api, path: &str) -> (Option<String>, Value) {
    let target = format!("{V2}{path}");
    let (one, other) = (get(one, &target).await, get(other, &target).await);
    let body = |answer: &Answer| serde_json::from_slice::<Value>(&answer.body).unwrap_or_default();
    let (bodies, statuses) = ([body(&one), body(&other)], [one.status, other.status]);
    let is_equal =
        statuses[0] == statuses[1] && (bodies[0] == bodies[1] && one.body.is_empty() == other.body.is_empty());
    let [first, second] = bodies;
    let difference = (!is_equal).then(|| match statuses {
        [StatusCode::OK, StatusCode::OK] => format!("{path}: {}", place(&first, &second)),
        _ => format!("{path}: {} and {}", statuses[0], statuses[1]),
    });
    (difference, first)
}

/// Returns where two values differ first.
fn place(one: &Value, other: &Value) -> String {
    match (one, other) {
        (Value::Object(members), Value::Object(_))
            if members.keys().eq(other.as_object().expect("an object").keys()) =>
        {
            let differing = members.iter().find(|(name, value)| **value != other[name.as_str()]);
            differing
                .map_or_else(String::new, |(name, value)| format!("/{name}{}", place(value, &other[name.as_str()])))
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            let differing = items.iter().zip(others).enumerate().find(|(_, (item, other))| item != other);
            differing.map_or_else(String::new, |(position, (item, other))| format!("/{position}{}", place(item, other)))
        }
        _ => format!(": {one:.300} and {other:.300}"),
    }
}
