//! New generations are used while requests are answered. Each answer is from one generation, and
//! none fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use api::Api;
use api::ServiceConfig;
use api_proteins::LocalProteins;
use axum::http::{Method, StatusCode};
use indexer_release::PortalPlan;
use serde_json::Value;
use store::{Error, GenerationName, ProteinAccession};
use store_proteins::ProteinQuery;
use support::machine::{Inputs, Server, acknowledged, wait_for};
use support::{Answer, PROTEINS, TestFolder, get, get_protein, send, services};

/// Generations that are published under load.
const NUM_STATES: u64 = 40;

/// The number of clients at the same time.
const NUM_CLIENTS: usize = 8;

/// The interval of looking for a new generation, shorter than a server's, for more switches.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// The longest time in which a running server must start to use a new generation.
const TAKE_OVER_MAX: Duration = Duration::from_secs(10);

/// Publishes a state.
fn publish(folder: &TestFolder, number: u64) -> GenerationName {
    let plan = PortalPlan {
        biomes: folder.input("biomes.tsv", support::states::BIOMES),
        pfam: folder.input("clans.tsv", support::states::CLANS),
        ..folder.plan(vec![folder.input("rows.csv", support::states::rows(number))])
    };
    plan.run().expect("well-formed rows").generation
}

fn router(folder: &TestFolder, proteins: &Arc<LocalProteins>) -> Api {
    let services = services(Arc::clone(proteins), folder.catalogue());
    Api::new(&services, &ServiceConfig::default())
}

fn served(proteins: &LocalProteins) -> Option<String> {
    proteins.current().map(|generation| generation.name().to_string())
}

/// Returns the generation named by the tag of an answer.
fn tagged_generation(answer: &Answer) -> String {
    let tag = answer.header("etag");
    let opaque = tag.strip_prefix("W/\"").and_then(|rest| rest.strip_suffix('"'));
    let (generation, _) = opaque.and_then(|opaque| opaque.rsplit_once('-')).unwrap_or_else(|| panic!("{tag:?}"));
    generation.to_owned()
}

/// Returns the number of the state that a search was answered from, after checking that the whole
/// answer is from it.
fn state_of_search(hits: &Value, limit: usize) -> u64 {
    let number = hits[0]["cluster_size"].as_u64().expect("a number");
    let found: Vec<_> =
        hits.as_array().expect("a list").iter().map(|hit| (&hit["mgyp"], &hit["cluster_size"])).collect();
    let expected: Vec<_> = support::states::accessions(number)
        .take(limit)
        .map(|accession| (Value::from(format!("MGYP{accession:012}")), Value::from(number)))
        .collect();
    assert_eq!(found, expected.iter().map(|(mgyp, size)| (mgyp, size)).collect::<Vec<_>>());
    number
}

/// Returns the same for a record.
fn state_of_record(record: &Value, accession: u64) -> u64 {
    let number = record["cluster_size"].as_u64().expect("a number");
    assert_eq!(record["mgyp"], format!("MGYP{accession:012}"));
    assert_eq!(record["sequence"], support::states::sequence(number));
    assert!(
        support::states::accessions(number).any(|known| known == accession),
        "{accession} is not in state {number}"
    );
    number
}

/// A request of a client.
#[derive(Clone, Copy, Debug)]
enum Question {
    Search(&'static str, usize),
    Record(u64),
}

const QUESTIONS: [Question; 7] = [
    Question::Search("biome_id=2", 1000),
    Question::Record(1),
    Question::Search("biome_lineage=root", 1000),
    Question::Record(101),
    Question::Search("pfam_accession=5", 7),
    Question::Record(201),
    Question::Record(support::states::NUM_COMMON),
];

/// Checks an answer, and returns the number of its state, if the answer shows it.
fn state_of(question: Question, answer: &Answer) -> Option<u64> {
    match (question, answer.status) {
        (Question::Search(_, limit), StatusCode::OK) => Some(state_of_search(&answer.json(), limit)),
        (Question::Record(accession), StatusCode::OK) => Some(state_of_record(&answer.json(), accession)),
        (Question::Record(accession), StatusCode::NOT_FOUND) if accession > support::states::NUM_COMMON => None,
        _ => panic!("{question:?}: {answer:?}"),
    }
}

/// Sends requests until stopped, and returns the number of the state that each generation had.
async fn ask(router: &Api, is_running: impl Fn() -> bool) -> BTreeMap<String, u64> {
    let mut states = BTreeMap::new();
    let mut last_tags = [const { String::new() }; QUESTIONS.len()];
    let mut newest = 0;
    while is_running() {
        for (question, last_tag) in QUESTIONS.into_iter().zip(&mut last_tags) {
            let path = match question {
                Question::Search(filter, limit) => format!("{PROTEINS}/protein/search?{filter}&limit={limit}"),
                Question::Record(accession) => format!("{PROTEINS}/protein/{accession}"),
            };
            let is_shown = !last_tag.is_empty();
            let shown = [("if-none-match", last_tag.as_str())];
            let answer = send(router, Method::GET, &path, if is_shown { &shown } else { &[] }).await;
            let number = if answer.status == StatusCode::NOT_MODIFIED {
                assert_eq!(answer.header("etag"), last_tag);
                Some(states[&tagged_generation(&answer)])
            } else {
                let number = state_of(question, &answer);
                if let Some(number) = number {
                    let generation = tagged_generation(&answer);
                    let known = *states.entry(generation.clone()).or_insert(number);
                    assert_eq!(known, number, "{generation} has answered with both states");
                }
                number
            };
            if let Some(number) = number {
                assert!(number >= newest, "state {newest} was served, then {number}");
                newest = number;
            }
            // Every second request has no tag, so that both kinds meet a switch.
            *last_tag = if is_shown { String::new() } else { answer.header("etag").to_owned() };
        }
    }
    states
}

/// Reports the end of its owner, with or without a panic.
struct TellsEnd<'a>(&'a AtomicBool);

impl Drop for TellsEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Publishes one state after the other, and returns their numbers by generation.
fn publish_all(folder: &TestFolder, proteins: &LocalProteins) -> BTreeMap<String, u64> {
    let mut published = BTreeMap::new();
    for number in 2..=NUM_STATES {
        let name = publish(folder, number).to_string();
        // Sometimes a state is published before the previous one is served.
        if number % 3 != 0 {
            wait_for("the switch", || (served(proteins).as_ref() == Some(&name)).then_some(()));
        }
        published.insert(name, number);
    }
    published
}

#[test]
fn answers_under_load_come_from_one_generation() {
    let folder = TestFolder::empty();
    let first = publish(&folder, 1);
    let proteins = folder.proteins();
    let is_over = AtomicBool::new(false);
    let is_running = || !is_over.load(Ordering::Relaxed);
    let (mut published, seen) = thread::scope(|scope| {
        let publisher = scope.spawn(|| {
            let _tells_end = TellsEnd(&is_over);
            publish_all(&folder, &proteins)
        });
        scope.spawn(|| {
            while is_running() {
                proteins.refresh().expect("published generations are whole");
                thread::sleep(LOOK_INTERVAL);
            }
        });
        let clients: Vec<_> = (0..NUM_CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    let runtime =
                        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
                    runtime.block_on(ask(&router(&folder, &proteins), is_running))
                })
            })
            .collect();
        let seen: Vec<_> = clients.into_iter().map(|client| client.join().expect("no wrong answer")).collect();
        (publisher.join().expect("well-formed rows"), seen)
    });
    published.insert(first.to_string(), 1);
    let mut numbers = BTreeSet::new();
    for (generation, number) in seen.into_iter().flatten() {
        assert_eq!(published.get(&generation), Some(&number), "{generation}");
        numbers.insert(number);
    }
    assert!(numbers.len() > 10, "only {numbers:?} were seen");
}

/// Returns whether this process has a file of a generation mapped into its memory, removed or not.
fn is_mapped(generation: GenerationName) -> bool {
    fs::read_to_string("/proc/self/maps").is_ok_and(|maps| maps.contains(&generation.to_string()))
}

#[tokio::test]
async fn held_snapshots_answer_from_removed_generations_until_dropped() {
    let folder = TestFolder::empty();
    let first = publish(&folder, 1);
    let proteins = folder.proteins();
    let held = proteins.current().expect("loaded");
    for number in 2..=3 {
        let name = publish(&folder, number);
        assert_eq!(proteins.refresh().expect("whole"), Some(name));
    }
    assert!(!folder.generations().path(first).try_exists().expect("readable"), "only the one before is kept");

    assert_eq!(held.name(), first);
    let hits = held.search(&ProteinQuery::Everything, 1000).expect("still open");
    let found: Vec<_> = hits.iter().map(|hit| (hit.accession.number(), hit.cluster_size)).collect();
    assert_eq!(found, support::states::accessions(1).map(|accession| (accession, 1)).collect::<Vec<_>>());
    for accession in support::states::accessions(1) {
        let accession = ProteinAccession::new(accession).expect("in range");
        let protein = held.fetch(accession).expect("still open").expect("was found");
        assert_eq!(protein.sequence, support::states::sequence(1));
    }
    assert_eq!(served(&proteins), folder.generations().current().expect("readable").map(|name| name.to_string()));

    assert!(is_mapped(first));
    let weak = Arc::downgrade(&held);
    drop(held);
    assert!(weak.upgrade().is_none(), "nothing else keeps the old generation");
    wait_for("the files to be closed", || (!is_mapped(first)).then_some(()));
}

/// Breaks the current generation, and checks that the old one is served until there is a complete
/// one.
async fn check_not_taken_over(
    damage: impl FnOnce(&TestFolder, GenerationName),
    is_expected: impl FnOnce(&Error) -> bool,
) {
    let folder = TestFolder::empty();
    let old = publish(&folder, 1);
    let proteins = folder.proteins();
    let router = router(&folder, &proteins);
    damage(&folder, publish(&folder, 2));
    for _ in 0..2 {
        let error = proteins.refresh().expect_err("it cannot be served");
        assert!(matches!(error, Error::Torn { .. } | Error::Altered { .. } | Error::UnknownFormat { .. }), "{error}");
    }
    assert!(proteins.refresh().is_err_and(|error| is_expected(&error)));
    let answer = get_protein(&router, "/protein/search?biome_id=2&limit=1000").await;
    assert_eq!((tagged_generation(&answer), state_of_search(&answer.json(), 1000)), (old.to_string(), 1));
    let readiness = get(&router, "/readyz").await;
    let served = readiness.json()["proteins"].clone();
    assert_eq!((readiness.status, &served["generation"]), (StatusCode::OK, &old.to_string().into()));
    let kind = proteins.refresh().expect_err("it cannot be served").kind();
    assert_eq!(served["problem"], kind, "{served}");

    let new = publish(&folder, 3);
    assert_eq!(proteins.refresh().expect("whole"), Some(new));
    let answer = get_protein(&router, "/protein/101").await;
    assert_eq!((tagged_generation(&answer), state_of_record(&answer.json(), 101)), (new.to_string(), 3));
    assert!(get(&router, "/readyz").await.json()["proteins"].get("problem").is_none());
}

#[tokio::test]
async fn malformed_current_files_are_ignored() {
    for nonsense in [
        "",
        "nonsense
",
        "../gen-00000000-0000-0000-0000-000000000000
",
    ] {
        let write = |folder: &TestFolder, _| {
            fs::write(folder.generations().root().join("CURRENT"), nonsense).expect("writable");
        };
        check_not_taken_over(write, |error| matches!(error, Error::Altered { .. })).await;
    }
    let name_what_is_missing = |folder: &TestFolder, _| {
        let current = folder.generations().root().join("CURRENT");
        fs::write(
            current,
            "gen-00000000-0000-0000-0000-000000000000
",
        )
        .expect("writable");
    };
    check_not_taken_over(name_what_is_missing, |error| matches!(error, Error::Torn { .. })).await;
}

#[test]
fn old_generation_is_served_if_current_is_lost() {
    let folder = TestFolder::empty();
    let old = publish(&folder, 1);
    let proteins = folder.proteins();
    fs::remove_file(folder.generations().root().join("CURRENT")).expect("there");
    assert_eq!(proteins.refresh().expect("nothing to open"), None);
    assert_eq!(served(&proteins), Some(old.to_string()));
}

/// Publishes a state with the binary, and waits until a running server serves it.
fn publish_and_wait(inputs: &Inputs, folder: &TestFolder, server: &Server, number: u64) {
    let name = acknowledged(&inputs.index(folder.path(), number).output().expect("the binary")).to_string();
    let started = Instant::now();
    wait_for("the new generation to be served", || {
        let (status, body) = server.get("/readyz");
        assert_eq!(status, 200, "{body}");
        let body: Value = serde_json::from_str(&body).expect("JSON");
        (body["proteins"]["generation"] == name).then_some(())
    });
    assert!(started.elapsed() < TAKE_OVER_MAX, "{:?}", started.elapsed());
    let (status, body) = server.get_protein("/protein/search?biome_id=2&limit=1000");
    assert_eq!(status, 200, "{body}");
    assert_eq!(state_of_search(&serde_json::from_str(&body).expect("JSON"), 1000), number);
}

#[test]
fn running_servers_take_over_the_first_generation_and_skip_incomplete_ones() {
    let (inputs, folder) = (Inputs::new(), TestFolder::empty());
    let server = Server::start(folder.path());
    let (status, body) = server.get_protein("/protein/1");
    assert!(status == 503 && body.contains("mgdex index"), "{status} {body}");
    publish_and_wait(&inputs, &folder, &server, 1);
    let torn = folder.generations().path(publish(&folder, 2));
    fs::write(torn.join("manifest.json"), "{}").expect("writable");
    wait_for("the log line", || server.log().contains("a new generation cannot be served").then_some(()));
    let (status, body) = server.get_protein("/protein/search?biome_id=2&limit=1000");
    assert_eq!(status, 200, "{body}");
    assert_eq!(state_of_search(&serde_json::from_str(&body).expect("JSON"), 1000), 1);
    publish_and_wait(&inputs, &folder, &server, 3);
}
