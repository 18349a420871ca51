//! The committing thread: it collects the waiting writes into one batch, and answers them when the
//! batch is on the disk.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use store::engine::catch_panics;
use store::{Error, ErrorSummary, Result, available_bytes, lock};

use super::batch::{Answered, Evaluation};
use super::gathering::Gathering;
use super::room;
use super::shared::Shared;
use crate::copies::{Copies, SnapshotHandle};
use crate::record::Totals;
use crate::watch::Watch;
use crate::{Permission, Profile, ProfileWrite, ProfilesConfig, Refusal, is_permitted};

const WRITES_MAX: usize = 256;

/// A commit of this size accepts no further writes. The engine may write many times as much: see
/// [`super::room`].
const BYTES_MAX: usize = 2 << 20;

/// The longest time of a commit. A disk that does not finish a sync for that long counts as failed.
const COMMIT_PATIENCE: Duration = Duration::from_mins(1);

pub(crate) enum Message {
    Write(Box<Submission>),
    BeginSnapshot(SyncSender<Result<SnapshotHandle>>),
    EndSnapshot(u64),
    /// Answer everything received before, then end.
    Close,
}

pub(crate) struct Submission {
    pub(crate) write: ProfileWrite,
    /// The outcome that was checked against the schema.
    pub(crate) checked: Option<Profile>,
    pub(crate) permission: Permission,
    pub(crate) answer: SyncSender<Answered>,
}

pub(crate) struct Committer {
    shared: Arc<Shared>,
    messages: Receiver<Message>,
    waiting: VecDeque<Box<Submission>>,
    gathering: Gathering,
    config: ProfilesConfig,
    totals: Totals,
    copies: Copies,
    is_closing: bool,
}

impl Committer {
    pub(crate) fn new(
        shared: Arc<Shared>,
        messages: Receiver<Message>,
        config: ProfilesConfig,
        totals: Totals,
        copies: Copies,
    ) -> Self {
        let (waiting, gathering) = (VecDeque::new(), Gathering::default());
        Self { shared, messages, waiting, gathering, config, totals, copies, is_closing: false }
    }

    /// Writes until the store is closed. After a failure, every write gets the answer that the
    /// store failed.
    pub(crate) fn run(mut self) {
        while panic::catch_unwind(AssertUnwindSafe(|| self.serve())).is_err() {
            self.shared.durability.fail("the committing thread panicked".into());
        }
    }

    fn serve(&mut self) {
        while !(self.is_closing && self.waiting.is_empty()) {
            self.gather();
            if !self.waiting.is_empty() {
                self.commit();
            }
            // After a failed sync nothing is written: the contents of the disk are unknown.
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

    /// Receives the waiting writes, and some that are expected soon.
    fn gather(&mut self) {
        if self.waiting.is_empty() && !self.is_closing {
            let received = match self.copies.idle_max() {
                None => self.messages.recv().map_err(RecvTimeoutError::from),
                Some(idle_max) => self.messages.recv_timeout(idle_max),
            };
            match received {
                Ok(message) => self.receive(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.is_closing = true,
            }
        }
        let since = Instant::now();
        while self.waiting.len() < WRITES_MAX {
            if let Ok(message) = self.messages.try_recv() {
                self.receive(message);
                continue;
            }
            if self.waiting.is_empty() || self.is_closing {
                break;
            }
            let Some(deadline) = self.gathering.deadline(self.waiting.len(), since) else { break };
            match self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(message) => self.receive(message),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Write(submission) => self.waiting.push_back(submission),
            Message::BeginSnapshot(reply) => {
                let commit = self.totals.commit;
                let snapshot = self.shared.durability.check().map(|()| self.copies.begin(commit));
                // The caller waits for it.
                let _ = reply.send(snapshot);
            }
            Message::EndSnapshot(number) => self.copies.end(number),
            Message::Close => self.is_closing = true,
        }
    }

    /// Commits as many of the waiting writes as fit into one commit.
    fn commit(&mut self) {
        let shared = Arc::clone(&self.shared);
        let Shared { database, durability, .. } = &*shared;
        if let Some(problem) = durability.failure() {
            return refuse(self.waiting.drain(..).map(|waiting| waiting.answer), || failed(problem));
        }
        // If the free space of a disk is unknown, it counts as full: nothing is written, and the
        // store continues once the space is known.
        let free_bytes = available_bytes(database.path());
        let unwritable =
            free_bytes.as_ref().err().map(|error| ErrorSummary::new("free space unknown", &error.to_string()));
        lock(&self.shared.done).unwritable = unwritable;
        let free_bytes = free_bytes.unwrap_or(0);
        if room::is_short(free_bytes) {
            let path = database.path();
            return refuse(self.waiting.drain(..).map(|waiting| waiting.answer), || room::error(path, free_bytes));
        }
        if room::is_short_for_copies(free_bytes) {
            self.copies.cut();
        }
        let snapshots = self.copies.needed();
        let mut evaluation = Evaluation::new(&shared, self.config, snapshots.len());
        let mut answers = Vec::new();
        while evaluation.size_bytes < BYTES_MAX
            && let Some(submission) = self.waiting.pop_front()
        {
            let Submission { write, checked, permission, answer } = *submission;
            let is_permitted = is_permitted(&permission);
            let evaluated =
                if is_permitted { evaluation.add(write, checked.as_ref()) } else { Err(Refusal::NotPermitted.into()) };
            answers.push((answer, evaluated));
        }
        self.gathering.note(answers.len());
        if evaluation.num_accepted > 0
            && let Err(problem) = self.write(evaluation, &snapshots)
        {
            durability.fail(problem.clone());
            return refuse(answers.into_iter().map(|(answer, _)| answer), || failed(&problem));
        }
        for (answer, evaluated) in answers {
            let _ = answer.send(evaluated);
        }
    }

    /// Writes the accepted writes as one batch, and publishes it once it is on the disk. Returns
    /// the problem if the disk or the engine fails.
    fn write(&mut self, evaluation: Evaluation<'_>, snapshots: &[(u64, u64)]) -> std::result::Result<(), String> {
        let Shared { database, durability, .. } = &*self.shared;
        let totals = Totals {
            commit: self.totals.commit + 1,
            num_profiles: self.totals.num_profiles + evaluation.num_created - evaluation.num_erased,
        };
        let (num_accepted, erases) = (evaluation.num_accepted, evaluation.num_erased > 0);
        let batch = evaluation.into_batch(totals, snapshots);
        durability.begin(totals.commit);
        let write = || database.apply(batch).and_then(|()| database.make_durable());
        catch_panics(database.path(), write).map_err(|error| match error {
            Error::ProfilesFailed(problem) => problem,
            error => error.to_string(),
        })?;
        if erases {
            self.shared.num_erasing_commits.fetch_add(1, Ordering::SeqCst);
        }
        database.mark.write(totals.commit);
        self.totals = totals;
        let mut done = lock(&self.shared.done);
        done.num_profiles = totals.num_profiles;
        done.num_writes += num_accepted;
        done.num_commits += 1;
        drop(done);
        durability.publish(totals.commit);
        Ok(())
    }
}

/// Watches for a commit that does not end, and then fails the store. The engine writes in threads
/// of its own: if one of them dies, the committer would wait for it forever, and so would all
/// clients.
pub(crate) fn watch_for_stalls(shared: Arc<Shared>) -> Result<Watch> {
    let folder = shared.folder.root().to_owned();
    let mut under_way: Option<(u64, Instant)> = None;
    Watch::start("profiles-watch", &folder, move || {
        under_way = shared.durability.under_way().map(|commit| match under_way {
            Some((same, since)) if same == commit => (commit, since),
            _ => (commit, Instant::now()),
        });
        if under_way.is_some_and(|(_, since)| since.elapsed() > COMMIT_PATIENCE) {
            shared.durability.fail(format!("the disk has not finished a commit for {} s", COMMIT_PATIENCE.as_secs()));
        }
    })
}

fn refuse(answers: impl Iterator<Item = SyncSender<Answered>>, why: impl Fn() -> Error) {
    for answer in answers {
        let _ = answer.send(Err(why().into()));
    }
}

fn failed(problem: &str) -> Error {
    Error::ProfilesFailed(problem.to_owned())
}
