//! Readers behind the load balancer, who check every answer.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use support::profile_writers::{Connection, print_to_stderr};

use super::states::Question;

/// Readers with a connection that they keep, and as many that open one for each question.
const NUM_READERS: usize = 3;

/// The pause between two questions of a reader.
const PAUSE: Duration = Duration::from_millis(8);

/// The longest time of an answer; a later one counts as a failure.
const ANSWER_MAX: Duration = Duration::from_secs(15);

/// The number of failures that are printed one by one.
const FAILURES_PRINTED_MAX: usize = 5;

/// The states that an answer may be of.
#[derive(Debug, Default)]
pub(crate) struct Window {
    /// The oldest state that a running replica serves.
    pub(crate) oldest: AtomicU64,
    /// The newest state that may have been published.
    pub(crate) newest: AtomicU64,
}

/// The answers that readers got, by fault.
#[derive(Default)]
struct Seen {
    fault: String,
    answers: BTreeMap<String, Answers>,
    failures: Vec<String>,
}

#[derive(Clone, Copy, Default)]
struct Answers {
    number: u64,
    slowest: Duration,
    /// The number of answers from an older state than the reader saw before.
    num_backward: u64,
}

pub(crate) struct Load<'a> {
    address: SocketAddr,
    window: &'a Window,
    seen: Mutex<Seen>,
    is_over: AtomicBool,
}

/// Ends the load when it is dropped.
struct Ending<'a>(&'a AtomicBool);

impl Load<'_> {
    /// Reads while an action runs, and prints the results of the readers. Each of their answers
    /// must be a success, and wholly of a state of the window.
    pub(crate) fn during(address: SocketAddr, window: &Window, seed: u64, work: impl FnOnce(&Load)) {
        let load = Load { address, window, seen: Mutex::default(), is_over: AtomicBool::new(false) };
        load.begin("the beginning");
        let started = Instant::now();
        thread::scope(|scope| {
            let _ending = Ending(&load.is_over);
            for number in 0..2 * NUM_READERS {
                let (load, random) = (&load, StdRng::seed_from_u64(seed.wrapping_add(number as u64)));
                scope.spawn(move || load.read(random, number % 2 == 0));
            }
            work(&load);
        });
        load.check();
        for (fault, Answers { number, slowest, num_backward }) in &load.lock().answers {
            print_to_stderr(&format!(
                "{fault}: {number} answers, the slowest after {slowest:.2?}, {num_backward} older than the one before"
            ));
        }
        print_to_stderr(&format!("0 failed and 0 mixed answers in {:.0?}", started.elapsed()));
    }

    /// Sets the name of the current phase.
    pub(crate) fn begin(&self, fault: &str) {
        self.check();
        fault.clone_into(&mut self.lock().fault);
    }

    fn check(&self) {
        let seen = self.lock();
        let first = seen.failures.iter().take(FAILURES_PRINTED_MAX).cloned().collect::<Vec<_>>().join("\n");
        assert!(seen.failures.is_empty(), "{} reads failed, in the order of their ends:\n{first}", seen.failures.len());
    }

    fn read(&self, mut random: StdRng, keeps_alive: bool) {
        let (mut connection, mut last) = (None, 0);
        while !self.is_over.load(Ordering::Relaxed) {
            let question = Question::of(random.random());
            let (fault, asked) = (self.lock().fault.clone(), Instant::now());
            let state = self.ask(question, &mut connection, keeps_alive);
            let elapsed = asked.elapsed();
            let mut seen = self.lock();
            let answers = seen.answers.entry(fault.clone()).or_default();
            answers.number += 1;
            answers.slowest = answers.slowest.max(elapsed);
            let in_time = state.and_then(|state| {
                if elapsed > ANSWER_MAX {
                    Err(format!("{} was answered after {elapsed:.1?}", question.path()))
                } else {
                    Ok(state)
                }
            });
            match in_time {
                Ok(state) => {
                    answers.num_backward += u64::from(state < last);
                    last = state;
                }
                Err(problem) => {
                    seen.failures.push(format!("{fault}, after {elapsed:.1?}, keeps alive: {keeps_alive}: {problem}"));
                    connection = None;
                }
            }
            drop(seen);
            thread::sleep(PAUSE);
        }
    }

    /// Asks, and returns the state that the answer is of.
    fn ask(&self, question: Question, connection: &mut Option<Connection>, keeps_alive: bool) -> Result<u64, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", question.path());
        let oldest = self.window.oldest.load(Ordering::SeqCst);
        let mut open = match connection.take() {
            Some(open) => open,
            None => Connection::open(&self.address.to_string()).map_err(failed)?,
        };
        let headers = if keeps_alive { "" } else { "connection: close\r\n" };
        let answer = open.ask(&format!("GET {}", question.path()), headers, None).map_err(failed)?;
        if keeps_alive && answer.header("connection") != "close" {
            *connection = Some(open);
        }
        let state = question.state_of(&answer)?;
        // A replica that was restarted meanwhile may serve an older state.
        let oldest = oldest.min(self.window.oldest.load(Ordering::SeqCst));
        let newest = self.window.newest.load(Ordering::SeqCst);
        if (oldest..=newest).contains(&state) {
            Ok(state)
        } else {
            Err(format!("{} was answered from state {state}, not {oldest} to {newest}", question.path()))
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
