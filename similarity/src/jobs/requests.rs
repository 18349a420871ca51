//! Joining, finding and removing a job as one of its requesters.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};

use store::lock;
use time::OffsetDateTime;
use uuid::Uuid;

use super::folder::{Done, Folder, Outcome, StoredOrder};
use super::order::{JobId, Order};
use super::requester::{Requester, add, digest};
use super::{Job, JobState, Jobs, NOT_KEPT, Shared, Waiting};
use crate::Result;

impl Jobs {
    /// Joins a client to a job that waits, runs or has a result. Returns `None` if the order
    /// has no such job.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be read or written.
    pub fn join(&self, client: &str, order: &Order) -> Result<Option<Job>> {
        let changing = lock(&self.shared.changing);
        self.join_while(&changing, client, order)
    }

    pub(super) fn join_while(&self, _: &MutexGuard<'_, ()>, client: &str, order: &Order) -> Result<Option<Job>> {
        let (shared, id) = (&*self.shared, order.id());
        let folder = Folder::of(&shared.root, id);
        let Some(mut kept) = shared.kept(id)? else { return Ok(None) };
        let (requester, secret) = Requester::new(client, &order.name);
        let job = shared.job(id, &kept, &requester)?.filter(|job| !job.has_failed());
        let Some(job) = job else { return Ok(None) };
        let dropped = add(&mut kept.requesters, requester);
        folder.keep(&kept)?;
        let mut state = shared.state();
        if let Some(dropped) = dropped {
            state.requests.remove(&dropped);
        }
        state.requests.insert(job.id, id);
        drop(state);
        shared.keep_as_of(&kept, id)?;
        Ok(Some(Job { secret: Some(secret), ..job }))
    }

    /// Returns the job with an identifier, or `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be read.
    pub fn find(&self, id: Uuid) -> Result<Option<Job>> {
        let shared = &*self.shared;
        let Some(run) = shared.state().requests.get(&id).copied() else { return Ok(None) };
        let Some(kept) = shared.kept(run)? else { return Ok(None) };
        let Some(requester) = kept.requesters.iter().find(|requester| requester.id == id) else { return Ok(None) };
        let job = shared.job(run, &kept, requester)?;
        Ok(job.filter(|job| self.expires(job) > OffsetDateTime::now_utc()))
    }

    /// Removes the request of a requester, identified by its secret, and returns whether the secret
    /// is right. The job is removed with its last requester; if it runs, it ends first.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be written or removed.
    pub fn remove(&self, job: &Job, secret: &str) -> Result<bool> {
        if !job.is_removed_by(secret) {
            return Ok(false);
        }
        let (shared, id) = (&*self.shared, job.run);
        let _changing = lock(&shared.changing);
        let Some(mut kept) = shared.kept(id)? else { return Ok(true) };
        let folder = Folder::of(&shared.root, id);
        let (done, now) = (folder.done()?, OffsetDateTime::now_utc());
        let ended = |requester: &Requester| Some(done.as_ref()?.finished.max(requester.created));
        let is_over = |requester: &Requester| ended(requester).is_some_and(|ended| shared.expires(ended) <= now);
        kept.requesters.retain(|requester| requester.id != job.id && !is_over(requester));
        if !kept.requesters.is_empty() {
            folder.keep(&kept)?;
            shared.state().requests.remove(&job.id);
            shared.keep_as_of(&kept, id)?;
            return Ok(true);
        }
        let mut state = shared.state();
        if let Some(running) = state.running.get(&id) {
            // The thread that runs it removes the folder.
            running.is_cancelled.store(true, Ordering::Release);
            running.is_removed.store(true, Ordering::Release);
            state.requests.remove(&job.id);
            drop(state);
            folder.set_aside()?;
            return Ok(true);
        }
        state.turns.remove(|waiting| waiting.id == id);
        state.forget(id);
        drop(state);
        folder.remove()?;
        Ok(true)
    }
}

impl Shared {
    /// Returns the stored data of a job, or `None` if it does not exist.
    fn kept(&self, id: JobId) -> Result<Option<StoredOrder>> {
        // Others may have left something in the folder.
        if self.lock.get().is_none() { Ok(None) } else { Folder::of(&self.root, id).kept() }
    }

    /// Returns a job as one of its requesters sees it, or `None` if it is being removed.
    fn job(&self, id: JobId, kept: &StoredOrder, requester: &Requester) -> Result<Option<Job>> {
        let state = self.state();
        let running = state.running.get(&id).map(Arc::clone);
        let position = state.turns.position(|waiting| waiting.id == id);
        // The state is released before the disk is accessed.
        drop(state);
        let state = match (running, position) {
            (Some(running), _) if running.is_removed.load(Ordering::Acquire) => return Ok(None),
            (Some(running), _) => JobState::Running { num_sent: running.num_sent.load(Ordering::Relaxed) },
            (None, Some(position)) => JobState::Waiting { position },
            (None, None) => match Folder::of(&self.root, id).done()? {
                None => JobState::Failed { reason: NOT_KEPT.to_owned(), finished: requester.created },
                Some(Done { outcome, finished }) => {
                    let finished = finished.max(requester.created);
                    match outcome {
                        Outcome::Failed(reason) => JobState::Failed { reason, finished },
                        Outcome::Found(found) => JobState::Done { found, finished, expires: self.expires(finished) },
                    }
                }
            },
        };
        Ok(Some(kept.job(id, requester, state)))
    }

    /// Updates the lifetime, the turn and the owner of the space of a job to those of its present
    /// requesters.
    fn keep_as_of(&self, kept: &StoredOrder, id: JobId) -> Result<()> {
        let folder = Folder::of(&self.root, id);
        let done = folder.done()?;
        let (time, end) = folder.end(kept, done.as_ref());
        let mut state = self.state();
        if state.ended.remove(id) {
            state.ended.push(id, time, end);
        } else if let Some(waiting) = state.turns.remove(|waiting| waiting.id == id && waiting.client != end.client) {
            state.push(Waiting { client: end.client, ..waiting });
        }
        Ok(())
    }
}

impl Job {
    /// Returns whether a secret is that of the requester.
    pub fn is_removed_by(&self, secret: &str) -> bool {
        self.digest.is_some_and(|kept| kept == digest(secret))
    }
}

impl StoredOrder {
    pub(super) fn job(&self, run: JobId, requester: &Requester, state: JobState) -> Job {
        let &Self { ref scope, query_length, query_kind, count, .. } = self;
        let &Requester { id, ref name, created, digest, .. } = requester;
        let (name, scope, secret) = (name.clone(), scope.clone(), None);
        Job { id, secret, digest, run, name, scope, query_length, query_kind, count, created, state }
    }
}
