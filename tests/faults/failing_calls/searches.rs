//! Searches for similar proteins, which a server keeps in files.

use axum::http::StatusCode;
use serde_json::Value;
use support::failing_calls::{FailingCalls, Fault, FileCall};
use support::machine::{Server, wait_for};
use support::similarity::client::{Client, detail, id, order};
use support::similarity::engine::AT_ONCE;
use support::similarity::proteins::{QUERY, row};
use support::similarity::site::Site;
use support::{Answer, TestFolder, needed};

use super::fail_each;

/// The last calls of a search, which remove it.
const REMOVING_CALLS: usize = 6;

/// The proteins of the site, which each search finds.
const NUM_PROTEINS: u32 = 20;

/// The requests of the life of a search, and their answers.
struct Life {
    posted: Answer,
    /// The identifier, if the search was accepted.
    id: Option<String>,
    /// The last state that was read.
    state: Option<Value>,
    hits: Option<Answer>,
    removed: Option<Answer>,
}

impl Life {
    /// Starts a search, waits for its end, reads its hits and removes it, as far as there are no
    /// errors.
    fn of(client: Client<'_>, number: usize) -> Self {
        let posted = client.post(&order(number));
        let id = posted.status.is_success().then(|| id(&posted));
        let mut life = Self { posted, id, state: None, hits: None, removed: None };
        let Some(id) = &life.id else { return life };
        life.state = wait_for("the end of a search", || {
            let answer = client.get(&format!("/searches/{id}?wait=20"));
            let state = answer.status.is_success().then(|| answer.json());
            let has_ended = |state: &Value| ["done", "failed"].contains(&state["state"].as_str().unwrap_or_default());
            state.as_ref().is_none_or(has_ended).then_some(state)
        });
        life.hits = life.is_done().then(|| client.hits(id, "format=fasta"));
        life.removed = Some(client.remove(id));
        life
    }

    fn is_done(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state["state"] == "done")
    }

    /// Checks all answers: each is right, or an error that says why.
    fn check(&self, log: &str) -> Result<(), String> {
        for answer in [Some(&self.posted), self.hits.as_ref(), self.removed.as_ref()].into_iter().flatten() {
            let is_refusal = || {
                let detail = detail(answer);
                answer.status.is_server_error() && !detail.is_empty() && !detail.contains('/')
            };
            if !answer.status.is_success() && !is_refusal() {
                return Err(format!("{answer:?}"));
            }
        }
        if self.hits.as_ref().is_some_and(|hits| hits.status.is_success() && !is_whole(hits)) {
            return Err(format!("these are not all hits: {:?}", self.hits));
        }
        if log.contains("panicked") { Err(log.to_owned()) } else { Ok(()) }
    }

    /// Checks that the server has the search as it was acknowledged.
    fn check_kept(&self, client: Client<'_>) -> Result<(), String> {
        let Some(id) = &self.id else { return Ok(()) };
        let answer = client.get(&format!("/searches/{id}"));
        let removed = self.removed.as_ref().map(|removed| removed.status.is_success());
        let is_kept = match answer.status {
            StatusCode::OK if removed != Some(true) => !self.is_done() || is_whole(&client.hits(id, "format=fasta")),
            StatusCode::NOT_FOUND => removed.is_some(),
            _ => false,
        };
        let now = || format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body));
        if is_kept { Ok(()) } else { Err(format!("removed: {removed:?}, and now {}", now())) }
    }
}

/// Returns whether an answer has all hits.
fn is_whole(hits: &Answer) -> bool {
    let text = String::from_utf8_lossy(&hits.body);
    hits.status.is_success() && text.matches('>').count() == NUM_PROTEINS as usize
}

fn serve(site: &Site, calls: &FailingCalls) -> Server {
    Server::of_command(calls.watch(&mut site.command(&["--search-jobs", "1"]), &site.searches()))
}

/// Lets calls of a search fail, and returns whether there were any.
fn fail(site: &Site, calls: &FailingCalls, first: usize, fault: Fault, number: usize) -> Result<bool, String> {
    let mut server = serve(site, calls);
    calls.fail(first, fault);
    let life = Life::of(Client::new(&server), number);
    let has_failed = calls.calls().iter().any(|call| call.has_failed);
    calls.stop();
    life.check(&server.log())?;
    life.check_kept(Client::new(&server)).map_err(|problem| format!("{problem}; {}", server.log()))?;
    server.kill();
    let server = serve(site, calls);
    let client = Client::new(&server);
    life.check_kept(client).map_err(|problem| format!("after a restart, {problem}"))?;
    let again = Life::of(client, number);
    again.check(&server.log())?;
    let is_right = again.is_done() && again.removed.is_some_and(|removed| removed.status.is_success());
    let is_leftover = |file: &String| file.contains(".new") || file.contains("/run");
    let leftovers: Vec<_> = site.files().into_iter().filter(is_leftover).collect();
    if !is_right || !leftovers.is_empty() {
        return Err(format!("the next search: {:?}, {leftovers:?} are left", again.state));
    }
    Ok(has_failed)
}

/// Lets calls fail while the searches of a server are opened, with one that is done. Returns the
/// calls.
fn fail_opening(
    site: &Site,
    calls: &FailingCalls,
    first: usize,
    fault: Fault,
    done: &Life,
) -> Result<Vec<FileCall>, String> {
    calls.fail(first, fault);
    let mut server = serve(site, calls);
    server.kill();
    let all = calls.calls();
    calls.stop();
    if server.log().contains("panicked") {
        return Err(server.log());
    }
    done.check_kept(Client::new(&serve(site, calls)))?;
    Ok(all)
}

fn site() -> Site {
    let rows: String = (1..=NUM_PROTEINS).map(|number| row(number, QUERY)).collect();
    Site::with_engine(TestFolder::of_rows(&rows), AT_ONCE)
}

#[test]
fn failing_calls_of_a_search_end_only_that_search() {
    let Some(calls) = needed(FailingCalls::new()) else { return };
    let site = site();
    let server = serve(&site, &calls);
    calls.stop();
    assert!(Life::of(Client::new(&server), 0).is_done(), "{}", server.log());
    let num_calls = calls.calls().len();
    drop(server);
    let mut number = 0;
    let is_in_sample = |call| call % 8 == 3 || call + REMOVING_CALLS > num_calls;
    fail_each("a search", num_calls, is_in_sample, |first, fault| {
        number += 1;
        fail(&site, &calls, first, fault, number)
    });
}

#[test]
fn failing_calls_while_searches_are_opened_lose_none() {
    let Some(calls) = needed(FailingCalls::new()) else { return };
    let site = site();
    let server = serve(&site, &calls);
    let mut done =
        Life { posted: Client::new(&server).post(&order(0)), id: None, state: None, hits: None, removed: None };
    let id = id(&done.posted);
    done.state = Some(Client::new(&server).wait(&id));
    done.id = Some(id);
    drop(server);
    let num_calls = fail_opening(&site, &calls, 0, Fault::Eio, &done).expect("no call fails").len();
    fail_each(
        "opened searches",
        num_calls,
        |call| call % 4 == 3,
        |first, fault| {
            let calls = fail_opening(&site, &calls, first, fault, &done)?;
            Ok(calls.iter().any(|call| call.has_failed))
        },
    );
}
