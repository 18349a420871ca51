//! The permit of a request that is being answered.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer_memory::{AnswerMemory, AnswerShare};
use super::held_body::Held;
use super::shares::Share;

tokio::task_local! {
    /// The permit of the request that this task works for.
    static CURRENT: Permit;
}

/// One of a limited number of permits, shared by everything that works for a request or keeps memory for it. It returns when the last clone
/// is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Permit {
    held: Arc<Mutex<OwnedSemaphorePermit>>,
    /// The memory of its answer, if that is limited.
    memory: Option<Arc<Mutex<AnswerShare>>>,
    /// Counts the request among those of its client.
    _share: Option<Arc<Share>>,
}

impl Permit {
    /// Takes a permit, or returns `None` if none is left.
    pub(crate) fn take(permits: &Arc<Semaphore>) -> Option<Self> {
        let permit = Arc::clone(permits).try_acquire_owned().ok()?;
        Some(Self { held: Arc::new(Mutex::new(permit)), memory: None, _share: None })
    }

    /// Counts the request among those of its client, and its answer among those that take memory.
    pub(super) fn with(self, share: Option<Share>, memory: &AnswerMemory) -> Self {
        Self { memory: Some(Arc::new(Mutex::new(memory.none()))), _share: share.map(Arc::new), ..self }
    }

    /// Takes memory for the answer of the request that this task works for, before it is made. Returns whether there is as much.
    pub(crate) fn take_memory(num_bytes: usize) -> bool {
        let memory = Self::current().and_then(|permit| permit.memory);
        memory.is_none_or(|memory| memory.lock().unwrap_or_else(PoisonError::into_inner).add(num_bytes))
    }

    /// Takes memory for an answer that was made, in place of what was taken for making it. Returns whether there is as much.
    pub(super) fn settle_memory(&self, num_bytes: usize) -> bool {
        let memory = self.memory.as_ref();
        memory.is_none_or(|memory| memory.lock().unwrap_or_else(PoisonError::into_inner).set(num_bytes))
    }

    /// Exchanges the permit for one of another kind. Returns whether one was left; if not, nothing changes.
    pub(super) fn move_to(&self, permits: &Arc<Semaphore>) -> bool {
        let Ok(permit) = Arc::clone(permits).try_acquire_owned() else { return false };
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = permit;
        true
    }

    /// Returns the permit of the request that this task works for, if it works for one.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    pub(crate) fn scope<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, future)
    }
}

impl Held for Permit {
    /// Makes this the permit of what a stream does while it is polled.
    fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self.clone(), work)
    }
}
