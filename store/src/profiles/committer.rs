//! The thread that writes: it takes the writes that wait, makes one batch of them, and answers them when that is on the disk.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Instant;

use super::batch::{Evaluation, Order};
use super::change::{Permission, Refusal, WriteResult};
use super::copies::{BegunSnapshot, Copies};
use super::database::Database;
use super::durability::Durability;
use super::folder::Folder;
use super::gathering::Gathering;
use super::limits::Limits;
use super::record::Totals;
use super::room;
use crate::engine::unless_it_panics;
use crate::{Error, Result, available_bytes};

/// The most writes of a commit.
const WRITES_MAX: usize = 256;

/// A commit that has so many bytes takes no further writes. The engine can write many times as much: see [`super::room`].
const BYTES_MAX: usize = 2 << 20;

/// Called with what a write comes to.
pub(super) type Answer = Box<dyn FnOnce(WriteResult) + Send>;

/// What the committer is told.
pub(super) enum Message {
    /// To write, if it is permitted.
    Write(Order, Permission, Answer),
    /// To begin a snapshot.
    BeginSnapshot(SyncSender<Result<BegunSnapshot>>),
    /// That a snapshot ended.
    EndSnapshot(u64),
    /// To answer what was told before, and to end.
    Close,
}

/// What the committer and those who read have in common.
pub(super) struct Shared {
    /// The database. It is closed before the folder is unlocked.
    pub(super) database: Database,
    /// How far the commits are.
    pub(super) durability: Durability,
    /// See [`super::ProfilesState::num_profiles`].
    pub(super) num_profiles: AtomicU64,
    /// See [`super::ProfilesState::num_writes`].
    pub(super) num_writes: AtomicU64,
    /// See [`super::ProfilesState::num_commits`].
    pub(super) num_commits: AtomicU64,
    /// The locked folder.
    pub(super) folder: Folder,
}

/// The one who writes.
pub(super) struct Committer {
    /// What it has in common with those who read.
    shared: Arc<Shared>,
    /// What it is told.
    messages: Receiver<Message>,
    /// Writes that wait.
    waiting: VecDeque<(Order, Permission, Answer)>,
    /// How long it waits for further ones.
    gathering: Gathering,
    /// What all writes must keep to.
    limits: Limits,
    /// What is known of the store as a whole, after the last commit.
    totals: Totals,
    /// The snapshots.
    copies: Copies,
    /// Whether it is to end.
    is_closing: bool,
}

impl Committer {
    /// Makes one that is not running yet.
    pub(super) fn new(
        shared: Arc<Shared>,
        messages: Receiver<Message>,
        limits: Limits,
        totals: Totals,
        copies: Copies,
    ) -> Self {
        Self {
            shared,
            messages,
            waiting: VecDeque::new(),
            gathering: Gathering::default(),
            limits,
            totals,
            copies,
            is_closing: false,
        }
    }

    /// Writes until the store is closed. After a failure all are answered that it failed.
    pub(super) fn run(mut self) {
        while panic::catch_unwind(AssertUnwindSafe(|| self.serve())).is_err() {
            self.shared.durability.fail("the committing thread panicked".into());
        }
    }

    /// Writes until the store is closed.
    fn serve(&mut self) {
        while !(self.is_closing && self.waiting.is_empty()) {
            self.gather();
            if !self.waiting.is_empty() {
                self.commit();
            }
            // After a failed sync nothing is written: nobody knows what is on the disk.
            if self.shared.durability.failure().is_none()
                && let Err(error) = self.copies.remove_some(&self.shared.database)
            {
                self.shared.durability.fail(error.to_string());
            }
            if self.shared.durability.failure().is_some() {
                self.copies.forget();
            }
        }
    }

    /// Takes the writes that wait, and some that are about to come.
    fn gather(&mut self) {
        if self.waiting.is_empty() && !self.is_closing {
            let received = match self.copies.idle_max() {
                None => self.messages.recv().map_err(RecvTimeoutError::from),
                Some(idle_max) => self.messages.recv_timeout(idle_max),
            };
            match received {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.is_closing = true,
            }
        }
        let since = Instant::now();
        while self.waiting.len() < WRITES_MAX {
            if let Ok(message) = self.messages.try_recv() {
                self.take(message);
                continue;
            }
            if self.waiting.is_empty() || self.is_closing {
                break;
            }
            let Some(deadline) = self.gathering.deadline(self.waiting.len(), since) else { break };
            match self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    /// Takes a message.
    fn take(&mut self, message: Message) {
        match message {
            Message::Write(order, permission, answer) => self.waiting.push_back((order, permission, answer)),
            Message::BeginSnapshot(reply) => {
                let commit = self.totals.commit;
                let snapshot = self.shared.durability.check().map(|()| self.copies.begin(commit));
                // Whoever has asked waits for it.
                let _ = reply.send(snapshot);
            }
            Message::EndSnapshot(number) => self.copies.end(number),
            Message::Close => self.is_closing = true,
        }
    }

    /// Writes as much of what waits as one commit takes.
    fn commit(&mut self) {
        let Shared { database, durability, .. } = &*self.shared;
        if let Some(problem) = durability.failure() {
            return refuse(self.waiting.drain(..).map(|(.., answer)| answer), || failed(problem));
        }
        // A disk that does not tell counts as full: nothing is written yet, and the store goes on when it tells again.
        let free_bytes = available_bytes(database.path()).unwrap_or_default();
        if room::is_short(free_bytes) {
            let path = database.path();
            return refuse(self.waiting.drain(..).map(|(.., answer)| answer), || room::error(path, free_bytes));
        }
        if room::is_short_for_copies(free_bytes) {
            self.copies.cut();
        }
        let snapshots = self.copies.needed();
        let mut evaluation = Evaluation::new(database, self.limits, snapshots.len());
        let mut answers = Vec::new();
        while evaluation.size_bytes() < BYTES_MAX
            && let Some((order, permission, answer)) = self.waiting.pop_front()
        {
            let result =
                if is_permitted(&permission) { evaluation.add(order) } else { Err(Refusal::NotPermitted.into()) };
            answers.push((answer, result));
        }
        self.gathering.note(answers.len());
        let num_accepted = evaluation.num_accepted();
        if num_accepted > 0 {
            let totals = Totals {
                commit: self.totals.commit + 1,
                num_profiles: self.totals.num_profiles + evaluation.num_created(),
            };
            let batch = evaluation.into_batch(totals, &snapshots);
            durability.begin(totals.commit);
            let write = || database.apply(batch).and_then(|()| database.make_durable());
            if let Err(error) = unless_it_panics(database.path(), write) {
                let problem = match error {
                    Error::ProfilesFailed { problem } => problem,
                    error => error.to_string(),
                };
                durability.fail(problem.clone());
                return refuse(answers.into_iter().map(|(answer, _)| answer), || failed(&problem));
            }
            database.mark(totals.commit);
            self.totals = totals;
            self.shared.num_profiles.store(totals.num_profiles, Ordering::Relaxed);
            self.shared.num_writes.fetch_add(num_accepted, Ordering::Relaxed);
            self.shared.num_commits.fetch_add(1, Ordering::Relaxed);
            durability.publish(totals.commit);
        }
        for (answer, result) in answers {
            tell(answer, result);
        }
    }
}

/// Answers writes that nothing was done about.
fn refuse(answers: impl Iterator<Item = Answer>, why: impl Fn() -> Error) {
    for answer in answers {
        tell(answer, Err(why().into()));
    }
}

/// Returns the error for a store that failed.
fn failed(problem: &str) -> Error {
    Error::ProfilesFailed { problem: problem.to_owned() }
}

/// Asks whether a write is permitted. A panic of whoever decides is no reason to fail the store.
fn is_permitted(permission: &Permission) -> bool {
    panic::catch_unwind(AssertUnwindSafe(|| permission())).unwrap_or(false)
}

/// Tells what a write came to.
pub(super) fn tell(answer: Answer, result: WriteResult) {
    // What its caller does about it is no reason not to answer the others.
    let _ = panic::catch_unwind(AssertUnwindSafe(|| answer(result)));
}
