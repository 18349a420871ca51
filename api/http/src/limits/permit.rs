//! The permit of a request that is being answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::UserReference;

use super::memory::{Memory, MemoryShare};
use super::places::{Holders, Places, TakenPlaces};

tokio::task_local! {
    /// The permit of the request that this task works for.
    static CURRENT: Permit;
}

/// One of a limited number of permits, shared by everything that works for a request or keeps
/// memory for it. It is free again when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Permit(Arc<PermitState>);

#[derive(Debug)]
struct PermitState {
    place: Mutex<TakenPlaces>,
    /// The memory of the answer.
    memory: Mutex<MemoryShare>,
    /// The turns of the service, for work of the request.
    turns: Turns,
}

/// The places of work that keeps a processor busy.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    /// For work that takes some tens of milliseconds at most.
    pub(super) short: Places,
    /// For work that takes a few seconds at most. It must not delay short work.
    pub(super) long: Places,
}

impl Permit {
    /// Takes a permit, or returns `None` if none is left for the holders.
    pub(super) fn take(requests: &Places, holders: Holders, memory: &Memory, turns: &Turns) -> Option<Self> {
        let place = Mutex::new(requests.try_take(holders, 1)?);
        let memory = Mutex::new(memory.none(holders));
        Some(Self(Arc::new(PermitState { place, memory, turns: turns.clone() })))
    }

    /// Takes memory for the answer of the request that this task works for, before the answer is
    /// made. Returns whether it is available.
    pub fn take_memory(num_bytes: usize) -> bool {
        Self::current().is_none_or(|permit| lock(&permit.0.memory).add(num_bytes))
    }

    /// Takes memory for a finished answer, in place of the memory that was taken to make it.
    /// Returns whether it is available.
    pub(super) fn settle_memory(&self, num_bytes: usize) -> bool {
        lock(&self.0.memory).set(num_bytes)
    }

    /// Exchanges the permit for one of another kind. Returns whether one was left; if not, nothing
    /// changes.
    pub(super) fn move_to(&self, places: &Places) -> bool {
        let mut place = lock(&self.0.place);
        let Some(taken) = places.try_take(place.holders(), 1) else { return false };
        *place = taken;
        true
    }

    /// Counts the request among those of a user. Returns whether the user may have one more; if
    /// not, nothing changes.
    pub fn add_user(&self, user: UserReference) -> bool {
        lock(&self.0.place).add_user(user)
    }

    /// Waits until work for the request may begin. Returns `None` if that takes longer than
    /// `patience`.
    pub(crate) async fn turn(&self, patience: Duration) -> Option<TakenPlaces> {
        self.0.turns.short.take(self.holders(), patience).await
    }

    /// Waits like [`Permit::turn`] for work that may take a few seconds.
    pub(crate) async fn long_turn(&self, patience: Duration) -> Option<TakenPlaces> {
        self.0.turns.long.take(self.holders(), patience).await
    }

    fn holders(&self) -> Holders {
        lock(&self.0.place).holders()
    }

    /// Returns the permit of the request that this task works for, if it works for one.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// Makes this the permit of a piece of work.
    pub(crate) fn scope_sync<T>(&self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self.clone(), work)
    }

    /// Makes this the permit of everything that a future does.
    pub fn scope<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, future)
    }
}

/// Locks a mutex that is only ever locked for a moment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
