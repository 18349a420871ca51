//! A server of the catalogue with the faults of the real one: it sends the answers of the real
//! router, some of them damaged according to a plan.

mod damaged;
mod plan;
mod reply;

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use support::HttpServer;
use support::machine::{kill_after, wait_for};
use tokio::runtime::Runtime;

pub(super) use self::plan::{Loss, Plan};
pub(super) use self::reply::Reply;
use super::answers::V2;
use super::documents::Source;

/// The interval of looking whether a client has ended.
const LOOK: Duration = Duration::from_millis(5);

/// An item of a list: its key and its JSON.
type Item = (String, String);

/// A request, and how it was answered.
#[derive(Clone, Debug)]
pub(super) struct ReceivedRequest {
    /// The path below the prefix, and the query.
    pub(super) get: String,
    pub(super) agent: String,
    pub(super) began: Instant,
    /// Set if the answer was a whole document or a redirect on the same host.
    pub(super) is_good: bool,
}

/// When a client is stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moment {
    Before,
    Within,
    After,
}

/// A running server.
pub(super) struct FaultyServer {
    server: HttpServer,
    inner: Arc<Inner>,
}

struct Inner {
    plan: Plan,
    runtime: Runtime,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    received: Vec<ReceivedRequest>,
    tries: HashMap<String, u64>,
    /// Requests under way, and the most that ever were.
    current: usize,
    most: usize,
    /// The page sizes that each list was asked for with, in that order.
    sizes: HashMap<String, Vec<usize>>,
    /// The lists that are spoiled, from the router of a number.
    lists: HashMap<(usize, String), Option<Arc<Vec<Item>>>>,
    stop: Option<(usize, Moment)>,
    is_stopped: bool,
    is_changed: bool,
    is_repaired: bool,
    num_ended: usize,
}

impl FaultyServer {
    /// Starts a server.
    pub(super) fn start(source: &Source, mut plan: Plan) -> Self {
        plan.changes.insert(0, (0, source.clone()));
        let runtime = Runtime::new().expect("threads");
        let (state, changed) = (Mutex::default(), Condvar::new());
        let inner = Arc::new(Inner { plan, runtime, state, changed });
        let answering = Arc::clone(&inner);
        Self { server: HttpServer::start(move |head, stream| answering.answer(head, stream)), inner }
    }

    /// Returns the address of the API.
    pub(super) fn url(&self) -> String {
        format!("http://{}{V2}", self.server.address())
    }

    /// Returns the requests so far, and forgets them. Checks that they arrived one by one.
    pub(super) fn take(&self) -> Vec<ReceivedRequest> {
        self.settle();
        let mut state = self.inner.state();
        assert!(state.most <= 1, "{} requests at once", state.most);
        state.tries.clear();
        state.sizes.clear();
        std::mem::take(&mut state.received)
    }

    /// Has the documents of the last change from now on.
    pub(super) fn change(&self) {
        self.inner.state().is_changed = true;
    }

    /// Repairs the faults that can be repaired, or restores them.
    pub(super) fn set_repaired(&self, is_repaired: bool) {
        self.inner.state().is_repaired = is_repaired;
    }

    /// Runs a client, kills it some time after the request with a number, and returns whether that
    /// request arrived.
    pub(super) fn kill_at(&self, number: usize, moment: Moment, delay: Duration, client: &mut Command) -> bool {
        let mut state = self.inner.state();
        state.stop = Some((state.received.len() + number, moment));
        state.is_stopped = false;
        let mut client = client.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary");
        while !state.is_stopped && client.try_wait().expect("a child").is_none() {
            state = self.inner.changed.wait_timeout(state, LOOK).expect("no panic").0;
        }
        let is_stopped = state.is_stopped;
        drop(state);
        kill_after(client, delay);
        self.inner.state().stop = None;
        self.inner.changed.notify_all();
        self.settle();
        is_stopped
    }

    /// Waits until all connections are answered that were made so far.
    fn settle(&self) {
        // Connections are accepted in the order in which they were made.
        let mut last = TcpStream::connect(self.server.address()).expect("the server accepts");
        last.write_all(b"\r\n").and_then(|()| last.read_to_end(&mut Vec::new())).expect("it is closed");
        let num_accepted = self.server.num_requests();
        wait_for("the answers", || (self.inner.state().num_ended >= num_accepted).then_some(()));
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }

    /// Answers a request of a client.
    fn answer(&self, head: &[String], stream: &TcpStream) -> io::Result<()> {
        let answered = self.reply(head, stream);
        self.state().num_ended += 1;
        answered
    }

    fn reply(&self, head: &[String], mut stream: &TcpStream) -> io::Result<()> {
        let Some(target) = head.first().and_then(|line| line.split(' ').nth(1)) else { return Ok(()) };
        let agent = head.iter().find_map(|line| line.to_lowercase().strip_prefix("user-agent: ").map(str::to_owned));
        let get = target.strip_prefix(V2).unwrap_or(target).to_owned();
        let (number, attempt) = {
            let mut state = self.state();
            let (began, agent) = (Instant::now(), agent.unwrap_or_default());
            state.received.push(ReceivedRequest { get: get.clone(), agent, began, is_good: false });
            state.current += 1;
            state.most = state.most.max(state.current);
            let attempt = state.tries.entry(get.clone()).or_default();
            *attempt += 1;
            let attempt = *attempt - 1;
            (state.received.len(), attempt)
        };
        let is_away = self.plan.away_from.is_some_and(|from| from <= number) && !self.state().is_repaired;
        let fault = if is_away { Some(Reply::page(502)) } else { self.plan.fault(&get, attempt) };
        let is_fault = fault.is_some();
        let reply = fault.unwrap_or_else(|| self.shown(target, &get, number));
        let is_good = reply.status == if is_fault { 301 } else { 200 };
        let bytes = reply.into_bytes();
        let moment = self.state().stop.filter(|(at, _)| *at == number).map(|(_, moment)| moment);
        let num_before = match moment {
            // An answer that the client can recognize as useless does not stop it.
            _ if !is_good => 0,
            Some(Moment::Before) => 0,
            Some(Moment::Within) => bytes.len() / 2,
            _ => bytes.len() - 1,
        };
        let written = stream.write_all(&bytes[..num_before]);
        let mut state = self.state();
        if matches!(moment, Some(Moment::Before | Moment::Within)) {
            state.is_stopped = true;
            self.changed.notify_all();
            while state.stop.is_some() {
                state = self.changed.wait(state).expect("no panic");
            }
            state.current -= 1;
            return written;
        }
        // The client asks again as soon as it has the last byte.
        if let Some(received) = number.checked_sub(1).and_then(|position| state.received.get_mut(position)) {
            received.is_good = is_good;
        }
        state.current -= 1;
        drop(state);
        let written = written.and_then(|()| stream.write_all(&bytes[num_before..]));
        if moment == Some(Moment::After) {
            self.state().is_stopped = true;
            self.changed.notify_all();
        }
        written
    }
}
