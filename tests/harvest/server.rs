//! A server of the catalogue with the faults of the real one: it sends the answers of the real
//! router, some of them damaged according to a plan.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use axum::http::Method;
use serde_json::Value;
use support::machine::{kill_after, wait_for};
use support::{HttpServer, send};
use tokio::runtime::Runtime;

use super::answers::V2;
use super::documents::{Source, key_of};

/// The error page of the real server.
const PAGE: &str =
    "<!doctype html>\n<html><head><title>Server Error</title></head><body><h1>Server Error (500)</h1></body></html>\n";

/// The interval of looking whether a client has ended.
const LOOK: Duration = Duration::from_millis(5);

/// The largest pages.
const PAGE_SIZE_MAX: usize = 100;

/// An item of a list: its key and its JSON.
type Item = (String, String);

/// The faults of a server.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) seed: u64,
    /// One in this many requests fails at first, up to three times; none if it is 0.
    pub(super) passing: u64,
    pub(super) losing: Loss,
    /// Lists and items that are counted but on no page.
    pub(super) never_shown: Vec<(&'static str, String)>,
    /// Items that make pages and details fail, unless the server is repaired.
    pub(super) broken: BTreeSet<String>,
    /// The first request from which the server sends only pages of a proxy, unless it is repaired.
    pub(super) away_from: Option<usize>,
    /// Items that have no detail, since they are hidden while the lists are read.
    pub(super) hidden: BTreeSet<String>,
    /// Paths below the prefix that are answered with redirects.
    pub(super) redirected: BTreeMap<String, String>,
    /// Requests, by their number, from which on the server has other documents.
    pub(super) changes: Vec<(usize, Source)>,
    /// Answers to the first requests of a path below the prefix.
    pub(super) scripted: Vec<(String, Vec<Reply>)>,
}

/// The items that pages of unordered lists lose, if there is more than one page.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Loss {
    #[default]
    Nothing,
    /// Other items for each page size.
    BySize,
    /// Less for each further page size that a list is asked for with; nothing for the fourth.
    ByTurn,
}

/// An answer.
#[derive(Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
    /// The number of bytes of the body sent before the connection is cut.
    pub(super) cut: Option<usize>,
}

impl Reply {
    pub(super) fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: vec![("content-type", content_type.to_owned())], body: body.into(), cut: None }
    }

    /// Returns a page for people.
    pub(super) fn page(status: u16) -> Self {
        Self::new(status, "text/html; charset=utf-8", PAGE)
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    fn into_bytes(mut self) -> Vec<u8> {
        let headers: Vec<String> = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let (status, num_bytes, headers) = (self.status, self.body.len(), headers.concat());
        let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {num_bytes}\r\n{headers}connection: close\r\n\r\n");
        self.body.truncate(self.cut.unwrap_or(usize::MAX));
        [head.into_bytes(), self.body].concat()
    }
}

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
    Behind,
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
    asked: Vec<ReceivedRequest>,
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
    is_well: bool,
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
        std::mem::take(&mut state.asked)
    }

    /// Has the documents of the last change from now on.
    pub(super) fn change(&self) {
        self.inner.state().is_changed = true;
    }

    /// Repairs the faults that can be repaired, or restores them.
    pub(super) fn set_repaired(&self, is_well: bool) {
        self.inner.state().is_well = is_well;
    }

    /// Runs a client, kills it some time after the request with a number, and returns whether that
    /// request arrived.
    pub(super) fn kill_at(&self, number: usize, moment: Moment, delay: Duration, client: &mut Command) -> bool {
        let mut state = self.inner.state();
        state.stop = Some((state.asked.len() + number, moment));
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
            state.asked.push(ReceivedRequest { get: get.clone(), agent, began, is_good: false });
            state.current += 1;
            state.most = state.most.max(state.current);
            let attempt = state.tries.entry(get.clone()).or_default();
            *attempt += 1;
            let attempt = *attempt - 1;
            (state.asked.len(), attempt)
        };
        let is_away = self.plan.away_from.is_some_and(|from| from <= number) && !self.state().is_well;
        let fault = if is_away { Some(Reply::page(502)) } else { self.fault(&get, attempt) };
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
        if let Some(asked) = number.checked_sub(1).and_then(|position| state.asked.get_mut(position)) {
            asked.is_good = is_good;
        }
        state.current -= 1;
        drop(state);
        let written = written.and_then(|()| stream.write_all(&bytes[num_before..]));
        if moment == Some(Moment::Behind) {
            self.state().is_stopped = true;
            self.changed.notify_all();
        }
        written
    }

    /// Returns a fault that does not depend on the request.
    fn fault(&self, get: &str, attempt: u64) -> Option<Reply> {
        let path = get.split('?').next().unwrap_or_default();
        let scripted = self.plan.scripted.iter().find(|(other, _)| other == path);
        if let Some(reply) = scripted.and_then(|(_, replies)| replies.get(usize::try_from(attempt).ok()?)) {
            return Some(reply.clone());
        }
        if let Some(location) = self.plan.redirected.get(path) {
            return Some(
                Reply::new(if location.starts_with('/') { 301 } else { 302 }, "text/html", "")
                    .with("location", location),
            );
        }
        let drawn = hash(&(self.plan.seed, get));
        if self.plan.passing == 0 || !drawn.is_multiple_of(self.plan.passing) || attempt > (drawn >> 8) % 3 {
            return None;
        }
        let cut = |num_bytes| Reply {
            cut: Some(num_bytes),
            ..Reply::new(200, "application/json", r#"{"count": 1, "items": ["#.repeat(9))
        };
        Some(match (drawn >> 16).wrapping_add(attempt) % 10 {
            0 => Reply::page(500),
            1 => Reply::page(502),
            2 => Reply::page(503).with("retry-after", "0"),
            3 => Reply::page(504),
            4 => Reply::new(429, "application/json", r#"{"detail": "Request was throttled."}"#),
            5 => cut(0),
            6 => cut(99),
            7 => Reply::page(200),
            8 => Reply::new(200, "application/json; charset=utf-8", r#"{"count": 7, "items": [{"#),
            _ => Reply::new(200, "application/json; charset=utf-8", ""),
        })
    }

    /// Returns the router's answer, without the objects that the plan hides.
    fn shown(&self, target: &str, get: &str, number: usize) -> Reply {
        let (path, query) = get.split_once('?').unwrap_or((get, ""));
        let names: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        if names.iter().any(|name| self.plan.hidden.contains(*name)) {
            return Reply::new(404, "application/json; charset=utf-8", r#"{"detail": "Not found."}"#);
        }
        let is_broken = |name: &str| self.is_broken(name);
        let Some((count, items)) = self.page(path, query, number) else {
            return if names.last().is_some_and(|name| is_broken(name)) {
                Reply::page(500)
            } else {
                self.ask(number, target)
            };
        };
        if items.iter().any(|(key, _)| is_broken(key)) {
            return Reply::page(500);
        }
        let items: Vec<&str> = items.iter().map(|(_, text)| text.as_str()).collect();
        let body = format!("{{\"count\": {count}, \"items\": [{}]}}", items.join(", "));
        Reply::new(200, "application/json; charset=utf-8", body)
    }

    fn is_broken(&self, name: &str) -> bool {
        self.plan.broken.contains(name) && !self.state().is_well
    }

    /// Returns the position of the router that answers a request.
    fn current(&self, number: usize) -> usize {
        let number = if self.state().is_changed { usize::MAX } else { number };
        self.plan.changes.iter().rposition(|(from, _)| *from <= number).expect("one from the beginning")
    }

    /// Asks the router.
    fn ask(&self, number: usize, target: &str) -> Reply {
        let (_, Source { router, .. }) = &self.plan.changes[self.current(number)];
        let answer = self.runtime.block_on(send(router, Method::GET, target, &[]));
        let mut reply = Reply::new(answer.status.as_u16(), answer.header("content-type"), answer.body.clone());
        reply.headers.extend(["retry-after", "location"].map(|name| (name, answer.header(name).to_owned())));
        reply.headers.retain(|(_, value)| !value.is_empty());
        reply
    }

    /// Returns the length of a list and a page of it, if its pages may be spoiled.
    fn page(&self, path: &str, query: &str, number: usize) -> Option<(usize, Vec<Item>)> {
        let (paging, filters): (Vec<_>, Vec<_>) =
            query.split('&').partition(|pair| pair.starts_with("page=") || pair.starts_with("page_size="));
        let is_ordered = filters.iter().any(|pair| pair.strip_prefix("order=").is_some_and(|by| !by.is_empty()));
        let is_ordered = is_ordered || ["/biomes/", "/super-studies/"].contains(&path);
        let loses = self.plan.losing != Loss::Nothing && !is_ordered;
        let hides = |key: &str| self.plan.never_shown.iter().any(|(list, hidden)| *list == path && hidden == key);
        if !loses && self.plan.broken.is_empty() && self.plan.never_shown.iter().all(|(list, _)| *list != path) {
            return None;
        }
        let value =
            |name: &str| paging.iter().find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
        let (page, size) = (value("page").unwrap_or(1), value("page_size").unwrap_or(100_usize).min(100));
        let list = format!("{path}?{}", filters.join("&"));
        let all = self.whole(&list, number)?;
        let turn = {
            let mut state = self.state();
            let sizes = state.sizes.entry(list.clone()).or_default();
            // Pages of one item belong to the turn in which they are asked for.
            if size > 1 && !sizes.contains(&size) {
                sizes.push(size);
            }
            sizes.iter().position(|known| *known == size).unwrap_or(sizes.len().saturating_sub(1)) as u64
        };
        let draw = |key: &str, more: usize| hash(&(self.plan.seed, &list, key, more));
        let loses = loses && all.len() > size;
        let is_lost = |key: &str| {
            let is_lost = match self.plan.losing {
                Loss::BySize => draw(key, size).is_multiple_of(7),
                Loss::ByTurn => draw(key, 0).is_multiple_of(3) && turn <= (draw(key, 0) >> 8) % 3,
                Loss::Nothing => false,
            };
            loses && is_lost || hides(key)
        };
        let mut order: Vec<&Item> = all.iter().collect();
        if loses && !all.iter().any(|(key, _)| self.is_broken(key)) {
            order.sort_by_key(|(key, _)| draw(key, size));
        }
        // Another item is shown twice in place of a lost one.
        let found: Vec<&Item> = order.iter().copied().filter(|(key, _)| !is_lost(key)).collect();
        let shown = order.iter().enumerate().filter_map(|(place, item)| {
            if is_lost(&item.0) { found.get(place % found.len().max(1)).copied() } else { Some(*item) }
        });
        Some((all.len(), shown.skip((page - 1) * size).take(size).cloned().collect()))
    }

    /// Returns all items of a list, in the order of the router.
    fn whole(&self, list: &str, number: usize) -> Option<Arc<Vec<Item>>> {
        let key = (self.current(number), list.to_owned());
        if let Some(known) = self.state().lists.get(&key) {
            return known.clone();
        }
        let mut all = Vec::new();
        let all = loop {
            let page = all.len() / PAGE_SIZE_MAX + 1;
            let answer = self.ask(number, &format!("{V2}{list}&page_size={PAGE_SIZE_MAX}&page={page}"));
            let answer: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
            let (Some(_), Some(items)) = (answer["count"].as_u64(), answer["items"].as_array()) else { break None };
            all.extend(items.iter().map(|item| (key_of(item), item.to_string())));
            if items.len() < PAGE_SIZE_MAX {
                break Some(Arc::new(all));
            }
        };
        self.state().lists.insert(key, all.clone());
        all
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
