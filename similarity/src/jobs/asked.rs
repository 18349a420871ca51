//! Joining, finding and removing a job as one of its askers.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};

use store::lock;
use time::OffsetDateTime;
use uuid::Uuid;

use super::asker::{Asked, add, digest};
use super::folder::{Done, Folder, Kept, Outcome};
use super::order::{JobId, Order};
use super::{Job, JobState, Jobs, NOT_KEPT, Shared, Waiting};
use crate::Result;

impl Jobs {
    /// Has a client ask for a job that waits, runs or has a result. Returns `None` if there is none of that order.
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
        let (asked, secret) = Asked::new(client, &order.name);
        let job = shared.job(id, &kept, &asked)?.filter(|job| !job.has_failed());
        let Some(job) = job else { return Ok(None) };
        let dropped = add(&mut kept.asked, asked);
        folder.keep(&kept)?;
        let mut state = shared.state();
        if let Some(dropped) = dropped {
            state.asked.remove(&dropped);
        }
        state.asked.insert(job.id, id);
        drop(state);
        shared.keep_as_of(&kept, id)?;
        Ok(Some(Job { secret: Some(secret), ..job }))
    }

    /// Returns a job, or `None` if there is none of that identifier.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be read.
    pub fn find(&self, id: Uuid) -> Result<Option<Job>> {
        let shared = &*self.shared;
        let Some(run) = shared.state().asked.get(&id).copied() else { return Ok(None) };
        let Some(kept) = shared.kept(run)? else { return Ok(None) };
        let Some(asked) = kept.asked.iter().find(|asked| asked.id == id) else { return Ok(None) };
        let job = shared.job(run, &kept, asked)?;
        Ok(job.filter(|job| self.expires(job) > OffsetDateTime::now_utc()))
    }

    /// Removes what somebody has asked for, by its secret, and returns whether it is that. The job goes with the last one who has asked for it, and ends first if
    /// it runs.
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
        let ended = |asked: &Asked| Some(done.as_ref()?.finished.max(asked.created));
        let is_over = |asked: &Asked| ended(asked).is_some_and(|ended| shared.expires(ended) <= now);
        kept.asked.retain(|asked| asked.id != job.id && !is_over(asked));
        if !kept.asked.is_empty() {
            folder.keep(&kept)?;
            shared.state().asked.remove(&job.id);
            shared.keep_as_of(&kept, id)?;
            return Ok(true);
        }
        let mut state = shared.state();
        if let Some(running) = state.running.get(&id) {
            // The thread that runs it removes the folder.
            running.is_cancelled.store(true, Ordering::Release);
            running.is_removed.store(true, Ordering::Release);
            state.asked.remove(&job.id);
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
    /// Returns what is kept of a job, or `None` if there is none.
    fn kept(&self, id: JobId) -> Result<Option<Kept>> {
        // Others may have left something in the folder.
        if self.lock.get().is_none() { Ok(None) } else { Folder::of(&self.root, id).kept() }
    }

    /// Returns a job as one of those sees it who have asked for it, or `None` if it is being removed.
    fn job(&self, id: JobId, kept: &Kept, asked: &Asked) -> Result<Option<Job>> {
        let state = self.state();
        let running = state.running.get(&id).map(Arc::clone);
        let position = state.turns.position(|waiting| waiting.id == id);
        // The disk is not waited for while others wait for the state.
        drop(state);
        let state = match (running, position) {
            (Some(running), _) if running.is_removed.load(Ordering::Acquire) => return Ok(None),
            (Some(running), _) => JobState::Running { num_sent: running.num_sent.load(Ordering::Relaxed) },
            (None, Some(position)) => JobState::Waiting { position },
            (None, None) => match Folder::of(&self.root, id).done()? {
                None => JobState::Failed { reason: NOT_KEPT.to_owned(), finished: asked.created },
                Some(Done { outcome, finished }) => {
                    let finished = finished.max(asked.created);
                    match outcome {
                        Outcome::Failed(reason) => JobState::Failed { reason, finished },
                        Outcome::Found(found) => JobState::Done { found, finished, expires: self.expires(finished) },
                    }
                }
            },
        };
        Ok(Some(kept.job(id, asked, state)))
    }

    /// Keeps a job as long, and in the turn or the space of whom, as those want who have asked for it now.
    fn keep_as_of(&self, kept: &Kept, id: JobId) -> Result<()> {
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
    /// Tells whether a secret is the one of who has asked for it.
    pub fn is_removed_by(&self, secret: &str) -> bool {
        self.digest.is_some_and(|kept| kept == digest(secret))
    }
}

impl Kept {
    pub(super) fn job(&self, run: JobId, asked: &Asked, state: JobState) -> Job {
        let &Self { ref scope, query_length, query_kind, count, .. } = self;
        let &Asked { id, ref name, created, digest, .. } = asked;
        let (name, scope, secret) = (name.clone(), scope.clone(), None);
        Job { id, secret, digest, run, name, scope, query_length, query_kind, count, created, state }
    }
}
