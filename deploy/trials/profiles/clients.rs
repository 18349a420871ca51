//! Clients of two servers that share a database: they write through one, and read their writes
//! through the other.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::rngs::StdRng;
use support::profile_writers::{Access, Answer, Attempt, Connection, State, Writer};

/// The pause after a failure.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The pause between two reads of a client that only reads.
const READ_PAUSE: Duration = Duration::from_millis(5);

/// The state that clients share.
#[derive(Default)]
pub(super) struct Board {
    /// The version of each profile, by reference, that was acknowledged last.
    versions: Mutex<BTreeMap<String, u64>>,
    writes: Pause,
    reads: Pause,
    /// The time of the slowest write, with all its repetitions.
    slowest: Mutex<Duration>,
    /// Writes with an unknown outcome, and those of them that were found to be written.
    pub(super) num_unknown: AtomicU64,
    pub(super) num_found: AtomicU64,
    pub(super) num_reads: AtomicU64,
    /// Set when the clients must end.
    is_over: AtomicBool,
    /// Set when nothing remains to wait for.
    is_lost: AtomicBool,
}

/// The longest time without a success.
#[derive(Default)]
struct Pause(Mutex<(Option<Instant>, Duration)>);

impl Pause {
    fn note_success(&self) {
        let (now, mut pause) = (Instant::now(), lock(&self.0));
        let (last, longest) = *pause;
        *pause = (Some(now), longest.max(last.map_or(Duration::ZERO, |last| now - last)));
    }

    /// Returns the longest time, and starts over.
    fn take(&self) -> Duration {
        std::mem::take(&mut lock(&self.0).1)
    }
}

impl Board {
    /// Returns the longest pauses of writes and of reads and the time of the slowest write, and
    /// starts over.
    pub(super) fn take_pauses(&self) -> [Duration; 3] {
        [self.writes.take(), self.reads.take(), std::mem::take(&mut lock(&self.slowest))]
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Waits after a failure.
    fn pause(&self) {
        assert!(!self.is_lost.load(Ordering::SeqCst), "the trial has failed");
        thread::sleep(RETRY_PAUSE);
    }
}

/// Ends the clients when it is dropped, even by a panic.
pub(super) struct Ending<'a>(pub(super) &'a Board);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.is_lost.store(thread::panicking(), Ordering::SeqCst);
        self.0.is_over.store(true, Ordering::SeqCst);
    }
}

/// Connections to both servers, which are made when they are needed.
struct Connections<'a> {
    addresses: &'a [String; 2],
    open: [Option<Connection>; 2],
}

impl<'a> Connections<'a> {
    fn new(addresses: &'a [String; 2]) -> Self {
        Self { addresses, open: [None, None] }
    }

    /// Sends a request to a server. A connection that failed is not used again.
    fn ask(&mut self, server: usize, send: impl FnOnce(&mut Connection) -> io::Result<Answer>) -> io::Result<Answer> {
        let mut connection = match self.open[server].take() {
            Some(connection) => connection,
            None => Connection::open(&self.addresses[server])?,
        };
        let answer = send(&mut connection)?;
        self.open[server] = Some(connection);
        Ok(answer)
    }

    /// Reads until a server answers.
    fn read(&mut self, mut server: usize, path: &str, access: &Access, board: &Board) -> Answer {
        loop {
            match self.ask(server, |connection| connection.get(path, &access.administrator)) {
                Ok(answer) if answer.status < 500 => return answer,
                _ => board.pause(),
            }
            server = 1 - server;
        }
    }
}

/// Writes until the end, and reads each write through the other server. A write whose outcome is
/// unknown is repeated so that it is not done twice.
pub(super) fn write(writer: &mut Writer, addresses: &[String; 2], access: &Access, board: &Board, random: &mut StdRng) {
    let mut connections = Connections::new(addresses);
    while !board.is_over() {
        let server = random.random_range(0..2);
        let attempt = writer.begin();
        let started = Instant::now();
        complete(writer, attempt, server, &mut connections, access, board);
        board.writes.note_success();
        let mut slowest = lock(&board.slowest);
        *slowest = started.elapsed().max(*slowest);
        drop(slowest);
        let known = writer.profiles.iter().find(|known| known.under_way.is_none() && known.reference.is_some());
        let known = known.expect("one was written");
        let reference = known.reference.clone().expect("acknowledged");
        let answer = connections.read(1 - server, &format!("/profiles/{reference}"), access, board);
        assert_state(&answer, known.acknowledged.as_ref().into_iter());
        board.reads.note_success();
    }
}

/// Sends a write until its outcome is known.
fn complete(
    writer: &mut Writer,
    mut attempt: Attempt,
    mut server: usize,
    connections: &mut Connections<'_>,
    access: &Access,
    board: &Board,
) {
    let user = writer.written(&attempt).user.clone();
    let path = format!("/users/{user}/profile");
    let mut may_be_written = false;
    loop {
        match connections.ask(server, |connection| attempt.send(connection, access)) {
            Ok(answer) if matches!(answer.status, 200 | 201) => {
                writer.acknowledge(&attempt, &answer);
                break;
            }
            // The write was already done: the owner has a profile, its version differs, or the
            // removed attribute is missing.
            Ok(answer) if matches!(answer.status, 404 | 409 | 412) => {
                assert!(may_be_written, "nobody said that it may be written: {answer:?}");
                board.num_found.fetch_add(1, Ordering::SeqCst);
                writer.take_over(&attempt, &connections.read(server, &path, access, board));
                break;
            }
            Ok(answer) if answer.status >= 500 => {
                let is_unknown =
                    !answer.body.contains("nothing was changed") && answer.header("retry-after").is_empty();
                may_be_written |= is_unknown;
            }
            Ok(answer) => panic!("{answer:?}"),
            Err(_) => may_be_written = true,
        }
        if may_be_written {
            let answer = connections.read(1 - server, &path, access, board);
            let known = writer.written(&attempt);
            if answer.status != 404 || known.acknowledged.is_some() {
                assert_state(&answer, known.acknowledged.iter().chain(&known.under_way));
            }
        }
        board.pause();
        attempt.repeat_once(writer.written(&attempt));
        server = 1 - server;
    }
    board.num_unknown.fetch_add(u64::from(may_be_written), Ordering::SeqCst);
    let known = writer.written(&attempt);
    let (reference, state) = (known.reference.clone(), known.acknowledged.as_ref());
    lock(&board.versions).insert(reference.expect("acknowledged"), state.expect("acknowledged").version);
}

/// Reads profiles of all writers from one server until the end. None may be older than the last
/// acknowledged version.
pub(super) fn read(server: usize, addresses: &[String; 2], access: &Access, board: &Board, random: &mut StdRng) {
    let mut connections = Connections::new(addresses);
    while !board.is_over() {
        let chosen = {
            let versions = lock(&board.versions);
            let at = random.random_range(0..versions.len().max(1));
            versions.iter().nth(at).map(|(reference, version)| (reference.clone(), *version))
        };
        let Some((reference, version)) = chosen else {
            thread::sleep(READ_PAUSE);
            continue;
        };
        let path = format!("/profiles/{reference}");
        match connections.ask(server, |connection| connection.get(&path, &access.administrator)) {
            Ok(answer) if answer.status == 200 => {
                let found = version_of(&answer);
                assert!(found >= version, "STALE: {reference} has version {version}, and server {server} says {found}");
                board.reads.note_success();
                board.num_reads.fetch_add(1, Ordering::SeqCst);
                thread::sleep(READ_PAUSE);
            }
            Ok(answer) if answer.status < 500 => panic!("LOST: {reference} has version {version}: {answer:?}"),
            _ => board.pause(),
        }
    }
}

/// Checks that an answer is one of some states, whole.
fn assert_state<'a>(answer: &Answer, mut states: impl Iterator<Item = &'a State> + Clone) {
    assert_eq!(answer.status, 200, "LOST: {answer:?}");
    let found = State {
        version: version_of(answer),
        attributes: answer.json()["attributes"].as_object().expect("attributes").clone(),
    };
    let expected: Vec<_> = states.clone().collect();
    assert!(states.any(|state| *state == found), "STALE OR TORN: {found:?}, and not {expected:?}");
}

fn version_of(answer: &Answer) -> u64 {
    answer.header("etag").trim_matches('"').parse().unwrap_or_else(|_| panic!("no version: {answer:?}"))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no panic")
}
