//! Comparing the answers of two servers.

use api::Api;
use axum::http::StatusCode;
use serde_json::Value;
use support::machine::rounds;
use support::{Answer, get};
use tokio::runtime::Runtime;

use super::documents::Documents;

/// The prefix of version 2.
pub(super) const V2: &str = "/metagenomics/api/v2";

/// The lists that do not belong to single objects.
const LISTS: &str = "/biomes/? /studies/? /studies/?order=-updated_at /studies/?has_analyses_from_pipeline=V5 \
    /studies/?has_analyses_from_pipeline=V6 /samples/? /samples/?order=-updated_at /runs/? /assemblies/? /analyses/? /publications/? \
    /super-studies/? /genomes/? /genomes/?order=-length /genomes/catalogues/? /genomes/catalogues/marine-v2-0/genomes/?";

/// The details and lists of single objects of a kind, with the place of their names.
const OBJECTS: [(&str, &str); 8] = [
    ("studies", "/studies/{} /studies/{}/samples/? /studies/{}/analyses/? /studies/{}/publications/?"),
    ("samples", "/samples/{} /samples/{}/runs/? /samples/{}/assemblies/?"),
    ("runs", "/runs/{} /runs/{}/analyses/? /runs/{}/assemblies/?"),
    (
        "assemblies",
        "/assemblies/{} /assemblies/{}/analyses? /assemblies/{}/genome-links? /assemblies/{}/additional-contained-genomes?",
    ),
    ("analyses", "/analyses/{} /analyses/{}/annotations /analyses/{}/annotations/pfams?"),
    ("publications", "/publications/{} /publications/{}/annotations"),
    ("super-studies", "/super-studies/{}"),
    ("genomes", "/genomes/{} /genomes/{}/annotations"),
];

/// If a kind has more objects than this, the lists of every seventh one are read.
const MANY: usize = 300;

/// The paths to request below a prefix.
#[derive(Default)]
pub(super) struct Paths {
    /// Lists, which are read page by page. Each has a question mark.
    pub(super) lists: Vec<String>,
    pub(super) others: Vec<String>,
}

impl Paths {
    /// Returns the lists and details of a server that has some documents.
    pub(super) fn of(documents: &Documents) -> Self {
        let mut paths = Self { lists: LISTS.split_whitespace().map(str::to_owned).collect(), others: Vec::new() };
        for (kind, of_object) in OBJECTS {
            let keys = documents.keys(kind);
            let (step, lists_step) = if keys.len() > MANY { (rounds(5, 1), 7) } else { (1, 1) };
            for (number, key) in keys.iter().enumerate().step_by(step) {
                for path in of_object.split_whitespace() {
                    let path_of = path.replace("{}", &key.replace(' ', "%20"));
                    match path.contains('?') {
                        true if number.is_multiple_of(lists_step) => paths.lists.push(path_of),
                        true => {}
                        false => paths.others.push(path_of),
                    }
                }
            }
        }
        paths
    }

    /// Returns the differences between the answers of a server and those of the harvested one.
    pub(super) fn differences(&self, harvested: &Api, loaded: &Api) -> Vec<String> {
        Runtime::new().expect("threads").block_on(async {
            let mut differences = Vec::new();
            for path in &self.others {
                differences.extend(difference(harvested, loaded, &format!("{V2}{path}")).await.0);
            }
            for list in &self.lists {
                for page in 1.. {
                    let target = format!("{V2}{list}&page_size=100&page={page}");
                    let (difference, answer) = difference(harvested, loaded, &target).await;
                    differences.extend(difference);
                    if answer["items"].as_array().is_none_or(Vec::is_empty) {
                        break;
                    }
                }
            }
            differences
        })
    }
}

/// Returns the differences between two answers to a request, and the body of the first.
async fn difference(one: &Api, other: &Api, target: &str) -> (Option<String>, Value) {
    let (one, other) = (get(one, target).await, get(other, target).await);
    let body = |answer: &Answer| serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
    let (bodies, statuses) = ([body(&one), body(&other)], [one.status, other.status]);
    let is_equal =
        statuses[0] == statuses[1] && (bodies[0] == bodies[1] && one.body.is_empty() == other.body.is_empty());
    let [first, second] = bodies;
    let difference = (!is_equal).then(|| match statuses {
        [StatusCode::OK, StatusCode::OK] => format!("{target}: {}", place(&first, &second)),
        _ => format!("{target}: {} and {}", statuses[0], statuses[1]),
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
