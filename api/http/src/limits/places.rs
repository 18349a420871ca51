//! A limited number of places, shared out so that no client and no user of a token can take all of
//! them.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::UserReference;
use tokio::sync::oneshot;

use crate::client::ClientAddress;

/// The number of last turns whose holders are remembered.
const TURNS_REMEMBERED: u64 = 512;

/// The most holders whose turns are remembered. A turn has at most two.
const HOLDERS_REMEMBERED: usize = 2048;

/// The holders of the places that a request takes: its client and the user of its token, if they
/// are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Holders {
    pub(crate) client: Option<ClientAddress>,
    pub(crate) user: Option<UserReference>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Client(ClientAddress),
    User(UserReference),
}

/// A limited number of places.
#[derive(Clone, Debug)]
pub(crate) struct Places(Arc<Shared>);

/// Places that are taken until this is dropped.
#[derive(Debug)]
pub(crate) struct TakenPlaces {
    places: Places,
    holders: Holders,
    num: usize,
}

#[derive(Debug)]
struct Shared {
    max: usize,
    /// The most places that one client, or one user, may have.
    max_of_one: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    num_taken: usize,
    /// Only holders of places are remembered.
    by_holder: HashMap<Holder, usize>,
    /// Those who wait for one place, in order of arrival.
    waiting: VecDeque<(Holders, oneshot::Sender<TakenPlaces>)>,
    /// The number of turns that were given.
    num_turns: u64,
    /// The number of the last turn of each holder. Holders whose last turn is too long ago are
    /// forgotten.
    last_turns: HashMap<Holder, u64>,
}

impl Holders {
    fn iter(self) -> impl Iterator<Item = Holder> {
        [self.client.map(Holder::Client), self.user.map(Holder::User)].into_iter().flatten()
    }
}

impl From<ClientAddress> for Holders {
    fn from(client: ClientAddress) -> Self {
        Self { client: Some(client), user: None }
    }
}

impl Places {
    pub(crate) fn new(max: usize, max_of_one: usize) -> Self {
        Self(Arc::new(Shared { max, max_of_one, state: Mutex::default() }))
    }

    /// Makes `max` places. One holder may have at most `part / whole` of them, but at least one.
    pub(crate) fn shared(max: usize, part: usize, whole: usize) -> Self {
        let share = max as u128 * part as u128 / whole.max(1) as u128;
        Self::new(max, usize::try_from(share).unwrap_or(max).clamp(1, max.max(1)))
    }

    /// Takes some places, or returns `None` if too few are left in total or in the share of a
    /// holder.
    pub(crate) fn try_take(&self, holders: Holders, num: usize) -> Option<TakenPlaces> {
        let mut state = self.lock();
        self.has_room(&state, holders, num).then(|| self.give(&mut state, holders, num))
    }

    /// Waits for a place. The next one is given to those whose holders have the fewest places and,
    /// among these, to those whose holders have waited longest since their last turn: holders take
    /// turns, regardless of how many requests each has. Returns `None` if that takes longer than
    /// `patience`.
    pub(crate) async fn take(&self, holders: Holders, patience: Duration) -> Option<TakenPlaces> {
        let turn = {
            let mut state = self.lock();
            if self.has_room(&state, holders, 1) {
                state.note_turn(holders);
                return Some(self.give(&mut state, holders, 1));
            }
            let (sender, turn) = oneshot::channel();
            state.waiting.retain(|(_, waiter)| !waiter.is_closed());
            state.waiting.push_back((holders, sender));
            turn
        };
        tokio::time::timeout(patience, turn).await.ok()?.ok()
    }

    fn has_room(&self, state: &State, holders: Holders, num: usize) -> bool {
        let has_room = |taken: usize, max: usize| taken.checked_add(num).is_some_and(|sum| sum <= max);
        has_room(state.num_taken, self.0.max)
            && holders.iter().all(|holder| has_room(state.num_of(holder), self.0.max_of_one))
    }

    fn give(&self, state: &mut State, holders: Holders, num: usize) -> TakenPlaces {
        state.add(holders, num);
        TakenPlaces { places: self.clone(), holders, num }
    }

    /// Gives free places to those who wait.
    fn give_to_waiters(&self) {
        let mut given = Vec::new();
        let mut state = self.lock();
        state.waiting.retain(|(_, waiter)| !waiter.is_closed());
        loop {
            let waiting = state.waiting.iter().enumerate();
            let next = waiting.filter(|(_, (holders, _))| self.has_room(&state, *holders, 1));
            let next = next.min_by_key(|(_, (holders, _))| state.precedence(*holders));
            let next = next.map(|(position, _)| position);
            let Some((holders, waiter)) = next.and_then(|position| state.waiting.remove(position)) else { break };
            state.note_turn(holders);
            given.push((waiter, self.give(&mut state, holders, 1)));
        }
        drop(state);
        // If the receiver has stopped waiting, its place is dropped, and given to another.
        for (waiter, taken) in given {
            drop(waiter.send(taken));
        }
    }

    #[cfg(test)]
    pub(super) fn num_left(&self) -> usize {
        self.0.max - self.lock().num_taken
    }

    /// Locks the state, always for a short time.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn num_of(&self, holder: Holder) -> usize {
        self.by_holder.get(&holder).copied().unwrap_or_default()
    }

    /// Returns a key that is lower for those whose turn is earlier.
    fn precedence(&self, holders: Holders) -> (Option<usize>, Option<u64>) {
        let last_turn = |holder| self.last_turns.get(&holder).copied().unwrap_or_default();
        (holders.iter().map(|holder| self.num_of(holder)).max(), holders.iter().map(last_turn).max())
    }

    fn note_turn(&mut self, holders: Holders) {
        self.num_turns += 1;
        let num_turns = self.num_turns;
        self.last_turns.extend(holders.iter().map(|holder| (holder, num_turns)));
        if self.last_turns.len() > HOLDERS_REMEMBERED {
            self.last_turns.retain(|_, turn| *turn + TURNS_REMEMBERED > num_turns);
        }
    }

    fn add(&mut self, holders: Holders, num: usize) {
        self.num_taken += num;
        for holder in holders.iter() {
            *self.by_holder.entry(holder).or_default() += num;
        }
    }

    fn subtract(&mut self, holders: Holders, num: usize) {
        self.num_taken -= num;
        for holder in holders.iter() {
            if let Entry::Occupied(mut count) = self.by_holder.entry(holder) {
                *count.get_mut() -= num;
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
    }
}

impl TakenPlaces {
    pub(super) fn holders(&self) -> Holders {
        self.holders
    }

    /// Changes the number of places. Returns whether enough are left; if not, nothing changes.
    pub(crate) fn set(&mut self, num: usize) -> bool {
        let mut state = self.places.lock();
        state.subtract(self.holders, self.num);
        let has_room = num <= self.num || self.places.has_room(&state, self.holders, num);
        self.num = if has_room { num } else { self.num };
        state.add(self.holders, self.num);
        has_room
    }

    /// Also counts the places among those of a user. Returns whether the user may have them; if
    /// not, nothing changes.
    pub(super) fn add_user(&mut self, user: UserReference) -> bool {
        let holders = Holders { user: Some(user), ..self.holders };
        let mut state = self.places.lock();
        state.subtract(self.holders, self.num);
        let has_room = self.places.has_room(&state, holders, self.num);
        self.holders = if has_room { holders } else { self.holders };
        state.add(self.holders, self.num);
        has_room
    }
}

impl Drop for TakenPlaces {
    fn drop(&mut self) {
        let is_awaited = {
            let mut state = self.places.lock();
            state.subtract(self.holders, self.num);
            !state.waiting.is_empty()
        };
        if is_awaited {
            self.places.give_to_waiters();
        }
    }
}

#[cfg(test)]
mod tests;
