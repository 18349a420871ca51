//! The place of a request among those that are under way.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer_memory::{AnswerMemory, AnswerShare};
use super::held_body::Held;
use super::shares::Share;

tokio::task_local! {
    /// The permit of the request that this task works for.
    static CURRENT: Permit;
}

/// A permit to be under way, held by all that still works for the request or takes memory for it. The place is free again when the last
/// of them is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Permit {
    place: Arc<Mutex<OwnedSemaphorePermit>>,
    /// The memory of its answer, if that is limited.
    memory: Option<Arc<Mutex<AnswerShare>>>,
    /// The share of its client, for as long as the place is taken.
    _share: Option<Arc<Share>>,
}

impl Permit {
    /// Takes a place, or returns `None` where there is none left.
    pub(crate) fn take(places: &Arc<Semaphore>) -> Option<Self> {
        let permit = Arc::clone(places).try_acquire_owned().ok()?;
        Some(Self { place: Arc::new(Mutex::new(permit)), memory: None, _share: None })
    }

    /// Counts as a request of a client, and its answer among those that take memory, for as long as the place is taken.
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

    /// Takes a place among others instead, and gives the one of before back. Tells whether there was one left; if not, nothing changes.
    pub(super) fn move_to(&self, places: &Arc<Semaphore>) -> bool {
        let Ok(place) = Arc::clone(places).try_acquire_owned() else { return false };
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = place;
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
