//! The permit of a request that is being answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer_memory::{AnswerMemory, AnswerShare};
use super::shares::Share;

tokio::task_local! {
    /// The permit of the request that this task works for.
    static CURRENT: Permit;
}

/// One of a limited number of permits, shared by everything that works for a request or keeps memory for it. It returns when the last clone
/// is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Permit(Arc<Held>);

#[derive(Debug)]
struct Held {
    permit: Mutex<OwnedSemaphorePermit>,
    /// The memory of the answer.
    memory: Mutex<AnswerShare>,
    /// Counts the request among those of its client.
    _share: Option<Share>,
}

impl Permit {
    /// Takes a permit, or returns `None` if none is left. It keeps the share of the client of the request, and counts the memory of the answer.
    pub(super) fn take(permits: &Arc<Semaphore>, share: Option<Share>, memory: &AnswerMemory) -> Option<Self> {
        let permit = Mutex::new(Arc::clone(permits).try_acquire_owned().ok()?);
        Some(Self(Arc::new(Held { permit, memory: Mutex::new(memory.none()), _share: share })))
    }

    /// Takes memory for the answer of the request that this task works for, before it is made. Returns whether there is as much.
    pub(crate) fn take_memory(num_bytes: usize) -> bool {
        Self::current().is_none_or(|permit| lock(&permit.0.memory).add(num_bytes))
    }

    /// Takes memory for an answer that was made, in place of what was taken for making it. Returns whether there is as much.
    pub(super) fn settle_memory(&self, num_bytes: usize) -> bool {
        lock(&self.0.memory).set(num_bytes)
    }

    /// Exchanges the permit for one of another kind. Returns whether one was left; if not, nothing changes.
    pub(super) fn move_to(&self, permits: &Arc<Semaphore>) -> bool {
        let Ok(permit) = Arc::clone(permits).try_acquire_owned() else { return false };
        *lock(&self.0.permit) = permit;
        true
    }

    /// Returns the permit of the request that this task works for, if it works for one.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// Makes this the permit of a piece of work.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self.clone(), work)
    }

    pub(crate) fn scope<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, future)
    }
}

/// Locks what is only ever locked for a moment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
