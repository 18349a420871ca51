//! Clients ask without a pause while generations are published.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use api::Api;
use api_proteins::LocalProteins;
use axum::http::{Method, StatusCode};
use support::machine::wait_for;
use support::{Answer, PROTEINS, TestFolder, send};

use super::{publish, router, served, state_of_record, state_of_search, tagged_generation};

/// Generations that are published under load.
const NUM_STATES: u64 = 40;

/// The number of clients at the same time.
const NUM_CLIENTS: usize = 8;

/// The interval of looking for a new generation, shorter than a server's, for more switches.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

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

/// Sets a flag when its owner ends, with or without a panic.
struct SetsOnDrop<'a>(&'a AtomicBool);

impl Drop for SetsOnDrop<'_> {
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
            let _sets_on_drop = SetsOnDrop(&is_over);
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
