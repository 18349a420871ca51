//! Requests to all services, due by the clock whether or not earlier ones were answered, and the
//! check of every answer.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use store::UserReference;
use support::machine::Server;
use support::profile_writers::{Access, Answer, Connection, print_to_stderr};
use support::similarity::client::order;
use uuid::Uuid;

/// The clients of a load have addresses from 127.0.0.2.
const FIRST_CLIENT: u8 = 2;
const NUM_CLIENTS: usize = 8;

/// The memory of a thread of a client.
const STACK_BYTES: usize = 256 << 10;

/// The idle time after which a client opens another connection, before the server closes it.
const IDLE_MAX: Duration = Duration::from_secs(10);

/// The time after which a request is not sent any more. A client that was stopped, or has no free
/// connection, must not send everything at once later.
const LATE_MAX: Duration = Duration::from_secs(1);

/// Reads whose answers are the same with and without own proteins and further publications.
const READS: [(&str, &str); 19] = [
    ("search", "/metagenomics/proteins/api/v1/protein/search?pfam_accession=5&limit=50"),
    ("large search", "/metagenomics/proteins/api/v1/protein/search?biome_lineage=root:Environmental&limit=1000"),
    ("record", "/metagenomics/proteins/api/v1/protein/MGYP004580811409"),
    ("count", "/metagenomics/proteins/api/v2/proteins?q=pfam:*+AND+length:[50+TO+300]&limit=20&count=exact"),
    ("facets", "/metagenomics/proteins/api/v2/facets?by=biome&q=pfam:*"),
    ("FASTA", "/metagenomics/proteins/api/v2/proteins?q=pfam:PF00005&format=fasta"),
    ("NDJSON", "/metagenomics/proteins/api/v2/proteins?q=biome:root:Environmental:Aquatic&format=ndjson"),
    ("studies", "/metagenomics/api/v1/studies?search=soil&page_size=25"),
    ("samples", "/metagenomics/api/v1/samples?biome_name=marine&ordering=accession&page_size=50"),
    ("where", "/metagenomics/api/v1/studies?where=sample:(biome:root:Environmental)&page_size=10"),
    ("study", "/metagenomics/api/v1/studies/MGYS00002008"),
    ("CSV", "/metagenomics/api/v1/samples.csv?lineage=root:Environmental:Aquatic"),
    ("v2 studies", "/metagenomics/api/v2/studies/?page_size=20"),
    ("v2 samples", "/metagenomics/api/v2/samples/?page_size=50"),
    ("page: studies", "/portal/studies?search=soil"),
    ("page: protein", "/portal/proteins/MGYP004580811409"),
    ("page: study", "/portal/studies/MGYS00002072"),
    ("page: samples", "/portal/samples?page_size=50"),
    ("completion", "/portal/completion?text=soil"),
];

/// The requests whose answers are made at once, without waiting for a turn.
const AT_ONCE: [&str; 8] =
    ["search", "large search", "record", "study", "v2 studies", "v2 samples", "profile", "write"];

/// A long stream, and the part of it that a client reads before it leaves.
const CUT: &str = "/metagenomics/proteins/api/v2/proteins?q=pfam:*&format=ndjson";
const CUT_BYTES: u64 = 32 << 10;

const BATCH: &str = "/metagenomics/proteins/api/v2/proteins/batch";
const SEARCHES: &str = "/metagenomics/proteins/api/v2/searches";

/// Different searches for similar proteins.
const NUM_SEARCHES: usize = 1_000;

/// Profiles that are written.
const NUM_WRITTEN: usize = 16;

/// A mix of requests, all equally frequent, and the answers that they must have.
pub(crate) struct Mix<'a> {
    server: &'a Server,
    token: &'a str,
    asked: Vec<Asked>,
    /// The references of profiles, and the number in each acknowledged version of them.
    written: Vec<(String, Mutex<BTreeMap<u64, usize>>)>,
}

struct Asked {
    name: &'static str,
    request: String,
    body: Option<String>,
    kind: Kind,
}

enum Kind {
    /// The answer is that of an unloaded server.
    Same(String),
    /// A stream that the client leaves.
    Cut,
    /// A search for similar proteins is accepted.
    Search,
    /// One of the profiles is written.
    Write,
}

/// The number of connections, the time between two requests on all of them together, which may be
/// none, and the time after which answers are timed.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) num_connections: usize,
    pub(crate) interval: Duration,
    pub(crate) warm_up: Duration,
}

/// The answers to a load.
#[derive(Default)]
pub(crate) struct Outcome {
    /// The times of good answers, from sending the request to the end of the answer, by request.
    times: Vec<Vec<Duration>>,
    pub(crate) num_good: usize,
    pub(crate) num_refused: usize,
    /// Answers that are neither good nor refusals.
    wrong: Vec<String>,
}

/// A client of a load, which has one connection at a time.
struct Client<'a> {
    mix: &'a Mix<'a>,
    number: u8,
    connection: Option<(Connection, Instant)>,
}

impl<'a> Mix<'a> {
    /// Asks an unloaded server once for everything. Without tokens, there are no profiles.
    pub(crate) fn new(server: &'a Server, access: Option<&'a Access>) -> Self {
        let token = access.map_or("", |access| &access.administrator);
        let mut connection = Connection::open(server.address()).expect("the server accepts");
        let mut profile = || {
            let user = UserReference::new(Uuid::new_v4()).to_string();
            let body = json!({"user": {"userReference": user}, "attributes": {"number": "0"}}).to_string();
            let made = connection.send("POST /profiles", token, "", Some(&body)).expect("an answer");
            assert_eq!(made.status, 201, "{made:?}");
            made.json()["reference"].as_str().expect("a text").to_owned()
        };
        let mut asked: Vec<_> = READS.iter().map(|(name, path)| (*name, format!("GET {path}"), None)).collect();
        asked.push((
            "batch",
            format!("POST {BATCH}"),
            Some(json!(["MGYP004580811409", "MGYP000000000001"]).to_string()),
        ));
        let mut written = Vec::new();
        if access.is_some() {
            asked.push(("profile", format!("GET /profiles/{}", profile()), None));
            written = (0..NUM_WRITTEN).map(|_| (profile(), Mutex::default())).collect();
        }
        let same = |(name, request, body): (_, String, Option<String>)| {
            let answer = connection.send(&request, token, "", body.as_deref()).expect("an answer");
            assert_eq!(answer.status, 200, "{request}: {answer:?}");
            Asked { name, request, body, kind: Kind::Same(answer.body) }
        };
        let mut asked: Vec<_> = asked.into_iter().map(same).collect();
        let other = |name, request: String, kind| Asked { name, request, body: None, kind };
        asked.push(other("cut stream", format!("GET {CUT} HTTP/1.0\r\nhost: mgdex.test\r\n\r\n"), Kind::Cut));
        asked.push(other("similar", format!("POST {SEARCHES}"), Kind::Search));
        if access.is_some() {
            asked.push(other("write", String::new(), Kind::Write));
        }
        Self { server, token, asked, written }
    }

    /// Sends the requests in turn until a time, each when it is due. If no connection is free for a
    /// second, a request is left out.
    pub(crate) fn offer(&self, load: Load, is_over: impl Fn(Duration) -> bool + Sync) -> Outcome {
        let (number, started) = (AtomicUsize::new(0), Instant::now());
        let outcomes = Mutex::new(self.nothing());
        let work = |client: &mut Client| {
            let mut outcome = self.nothing();
            while !is_over(started.elapsed()) {
                let number = number.fetch_add(1, Ordering::Relaxed);
                let due = load.interval.saturating_mul(number.try_into().expect("few requests"));
                if !load.interval.is_zero() && started.elapsed() > due + LATE_MAX {
                    continue;
                }
                thread::sleep(due.saturating_sub(started.elapsed()));
                let place = number % self.asked.len();
                let (asked, sent) = (&self.asked[place], Instant::now());
                match client.ask(asked, number) {
                    Ok(true) => {
                        outcome.num_good += 1;
                        if sent.duration_since(started) >= load.warm_up {
                            outcome.times[place].push(sent.elapsed());
                        }
                    }
                    Ok(false) => outcome.num_refused += 1,
                    Err(problem) => outcome.wrong.push(format!("{}: {problem}", asked.name)),
                }
            }
            outcomes.lock().expect("no panic").add(outcome);
        };
        thread::scope(|scope| {
            for number in 0..load.num_connections {
                let mut client = self.client(FIRST_CLIENT + u8::try_from(number % NUM_CLIENTS).expect("few"));
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                thread.spawn_scoped(scope, move || work(&mut client)).expect("a thread");
            }
        });
        outcomes.into_inner().expect("no panic")
    }

    fn nothing(&self) -> Outcome {
        Outcome { times: vec![Vec::new(); self.asked.len()], ..Outcome::default() }
    }

    fn client(&self, number: u8) -> Client<'_> {
        Client { mix: self, number, connection: None }
    }

    /// Returns the first request without a good answer, if there is one.
    pub(crate) fn unanswered(&self) -> Option<String> {
        let mut client = self.client(1);
        let mut answered = |(number, asked)| client.ask(asked, number);
        let mut all = (0..).zip(&self.asked).map(|(number, asked)| (asked.name, answered((number, asked))));
        all.find(|(_, answered)| *answered != Ok(true)).map(|(name, answered)| format!("{name}: {answered:?}"))
    }

    /// Checks that no acknowledged write is lost. The outcome of a refused one is unknown.
    pub(crate) fn check_written(&self) {
        let mut connection = Connection::open(self.server.address()).expect("the server accepts");
        for (reference, acknowledged) in &self.written {
            let answer = connection.get(&format!("/profiles/{reference}"), self.token).expect("an answer");
            let (version, acknowledged) = (version_of(&answer), acknowledged.lock().expect("no panic"));
            let Some((last, number)) = acknowledged.last_key_value() else { continue };
            let is_kept =
                version > *last || answer.json()["attributes"]["number"].as_str() == Some(&*number.to_string());
            assert!(version >= *last && is_kept, "LOST: {number} in version {last} of {answer:?}");
        }
    }

    /// Prints the times of answers without and with load.
    pub(crate) fn print(&self, outcomes: [&Outcome; 2]) {
        for (place, asked) in self.asked.iter().enumerate() {
            let [before, after] = outcomes.map(|outcome| percentiles(&mut outcome.times[place].clone()));
            print_to_stderr(&format!("{:14} {before}   loaded {after}", asked.name));
        }
    }

    /// Returns the time that 99 % of the answers do not exceed: of those that are made at once, or
    /// of those that wait for a turn. Streams count as neither, since they are as slow as they are
    /// long.
    pub(crate) fn p99(&self, outcome: &Outcome, at_once: bool) -> Duration {
        let is_counted = |asked: &Asked| !asked.is_stream() && AT_ONCE.contains(&asked.name) == at_once;
        let counted = self.asked.iter().zip(&outcome.times).filter(|(asked, _)| is_counted(asked));
        let mut times: Vec<_> = counted.flat_map(|(_, times)| times.clone()).collect();
        times.sort_unstable();
        percentile(&times, 99)
    }
}

impl Asked {
    fn is_stream(&self) -> bool {
        ["format=", ".csv", BATCH].iter().any(|mark| self.request.contains(mark))
    }
}

impl Client<'_> {
    /// Returns whether a request is answered well; `false` if the server refuses it for now. Any
    /// other answer is an error.
    fn ask(&mut self, asked: &Asked, number: usize) -> Result<bool, String> {
        let answer = match asked.kind {
            Kind::Cut => return self.leave(&asked.request).map_err(|error| error.to_string()),
            Kind::Same(_) => self.send(&asked.request, asked.body.as_deref()),
            Kind::Search => self.send(&asked.request, Some(&order(number % NUM_SEARCHES).to_string())),
            Kind::Write => {
                let (reference, _) = &self.mix.written[number % NUM_WRITTEN];
                self.send(
                    &format!("PATCH /profiles/{reference}"),
                    Some(&json!({"number": number.to_string()}).to_string()),
                )
            }
        };
        let answer = answer.map_err(|error| error.to_string())?;
        let is_good = match &asked.kind {
            Kind::Same(expected) => answer.status == 200 && answer.body == *expected,
            Kind::Search => matches!(answer.status, 200 | 202),
            Kind::Write if answer.status == 200 => {
                let (_, acknowledged) = &self.mix.written[number % NUM_WRITTEN];
                acknowledged.lock().expect("no panic").insert(version_of(&answer), number).is_none()
            }
            Kind::Write | Kind::Cut => false,
        };
        let is_refused = answer.status == 503 || answer.status == 429 && matches!(asked.kind, Kind::Search);
        if is_good || is_refused && answer.header("retry-after").parse::<u32>().is_ok() {
            return Ok(is_good);
        }
        Err(format!("{}{:.300}", answer.head, answer.body))
    }

    fn send(&mut self, request: &str, body: Option<&str>) -> io::Result<Answer> {
        let open = self.connection.take().filter(|(_, used)| used.elapsed() < IDLE_MAX);
        let mut connection = match open {
            Some((connection, _)) => connection,
            None => Connection::over(self.mix.server.connect_from(self.number)?)?,
        };
        let answer = connection.send(request, self.mix.token, "", body)?;
        self.connection = Some((connection, Instant::now())).filter(|_| answer.header("connection") != "close");
        Ok(answer)
    }

    /// Reads the beginning of a stream.
    fn leave(&self, request: &str) -> io::Result<bool> {
        let mut stream = self.mix.server.connect_from(self.number)?;
        stream.write_all(request.as_bytes())?;
        let mut begun = Vec::new();
        stream.take(CUT_BYTES).read_to_end(&mut begun)?;
        let begun = String::from_utf8_lossy(&begun);
        let is_good = begun.contains(" 200 OK\r\n") && begun.len() as u64 == CUT_BYTES;
        let is_refused = begun.contains(" 503 ") && begun.contains("\r\nretry-after: ");
        (is_good || is_refused).then_some(is_good).ok_or_else(|| io::Error::other(format!("{begun:.300}")))
    }
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.times.iter_mut().zip(other.times).for_each(|(all, times)| all.extend(times));
        self.num_good += other.num_good;
        self.num_refused += other.num_refused;
        self.wrong.extend(other.wrong);
    }

    /// Checks that all answers are good or refusals.
    pub(crate) fn assert_right(&self) {
        let first = &self.wrong[..self.wrong.len().min(3)];
        assert!(first.is_empty(), "{} answers are wrong, among them {first:#?}", self.wrong.len());
    }
}

/// Sorts times, and writes their number, the median and what 99 % do not exceed.
fn percentiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let [median, p99] = [50, 99].map(|share| percentile(times, share).as_secs_f64() * 1e3);
    format!("{:6} p50 {median:8.2} p99 {p99:8.2} ms", times.len())
}

fn percentile(times: &[Duration], share: usize) -> Duration {
    times.get(times.len().saturating_sub(1) * share / 100).copied().unwrap_or(Duration::ZERO)
}

fn version_of(answer: &Answer) -> u64 {
    answer.header("etag").trim_matches('"').parse().unwrap_or_else(|_| panic!("{answer:?}"))
}
