//! All that a server answers about a catalogue, for comparisons.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use api::{Api, ServiceConfig};
use api_catalogue::LocalCatalogue;
use api_proteins::LocalProteins;
use serde_json::Value;
use store::Generations;
use store_catalogue::model::{RESOURCE_TYPES, ResourceType};
use support::{get, services};

/// The prefix of the service.
const CATALOGUE: &str = "/metagenomics/api/v1";

/// Searches, of which some are ordered by relevance.
const SEARCHES: [&str; 7] = [
    "samples?search=soil&ordering=relevance",
    "samples?search=human+skin&ordering=-relevance",
    "samples?search=%22sea+water%22",
    "runs?search=soil&ordering=relevance",
    "analyses?search=human&ordering=relevance",
    "samples?metadata_key=depth",
    "runs?lineage=root:Environmental",
];

/// Answers by path.
pub(crate) type Answers = BTreeMap<String, (u16, String)>;

fn router(data: &Path) -> Api {
    let catalogue = LocalCatalogue::open(Generations::new(data.join("catalogue"))).expect("whole");
    let proteins = LocalProteins::open(Generations::new(data.join("proteins"))).expect("none");
    let services = services(Arc::new(proteins), Arc::new(catalogue));
    Api::new(&services, &ServiceConfig::default())
}

/// Returns the lists of all types in all orders and formats, searches, and details and related
/// lists of each `step`th resource.
pub(crate) fn all_answers(data: &Path, step: usize) -> Answers {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let router = router(data);
        let mut answers = Answers::new();
        let mut ask = async |path: String| {
            let answer = get(&router, &format!("{CATALOGUE}/{path}")).await;
            let body = String::from_utf8(answer.body).expect("text");
            answers.insert(path, (answer.status.as_u16(), body.clone()));
            body
        };
        for ResourceType { path, orders, relations, identifiers, .. } in RESOURCE_TYPES {
            let exported = ask(format!("{path}?format=ndjson")).await;
            ask(format!("{path}.csv")).await;
            for (order, _) in *orders {
                ask(format!("{path}?page_size=250&ordering={order}")).await;
                ask(format!("{path}?page_size=250&ordering=-{order}")).await;
            }
            for line in exported.lines().step_by(step) {
                let resource: Value = serde_json::from_str(line).expect("a resource");
                let Some(id) = resource["id"].as_str() else { continue };
                let by_version = identifiers.contains(&store_catalogue::model::Identifier::WithVersion);
                let version = resource["attributes"]["version"].as_str().filter(|_| by_version);
                let id = version.map_or(id.to_owned(), |version| format!("{id}/{version}"));
                let id = encoded(&id);
                ask(format!("{path}/{id}")).await;
                for relation in *relations {
                    ask(format!("{path}/{id}/{}", relation.name)).await;
                }
            }
        }
        for path in SEARCHES.iter().copied().chain(["", "biomes/root", "biomes/root/children", "biomes/top10"]) {
            ask(path.to_owned()).await;
        }
        answers
    })
}

/// Encodes an identifier for a path, in which that of a tool has two segments.
fn encoded(id: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/".contains(&byte);
    id.bytes().map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Checks that answers are equal, and names the first one that differs.
pub(crate) fn assert_same(found: &Answers, expected: &Answers, context: &str) {
    assert!(expected.values().filter(|(status, _)| *status == 200).count() > 50, "{context}");
    for (path, answer) in expected {
        let found = found.get(path).unwrap_or_else(|| panic!("{path} was not asked for; {context}"));
        if found != answer {
            let (left, right) = (found.1.as_bytes(), answer.1.as_bytes());
            let at =
                left.iter().zip(right).position(|(left, right)| left != right).unwrap_or(left.len().min(right.len()));
            let excerpt = |text: &[u8]| {
                String::from_utf8_lossy(&text[at.saturating_sub(200)..text.len().min(at + 200)]).into_owned()
            };
            panic!(
                "{path} ({}, {}) differs at {at}; {context}:\n{}\n{}",
                found.0,
                answer.0,
                excerpt(left),
                excerpt(right)
            );
        }
    }
    assert_eq!(found.len(), expected.len(), "{context}");
}
