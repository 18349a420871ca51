//! A limited number of places, shared out so that no client and no user of a token can have all of them.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::UserReference;
use tokio::sync::oneshot;

use crate::client::ClientAddress;

/// The last turns of which it is remembered whose they were.
const TURNS_REMEMBERED: u64 = 512;

/// The most holders whose turns are remembered. A turn has two at most.
const HOLDERS_REMEMBERED: usize = 2048;

/// The holders of the places that a request takes: its client and the user of its token, as far as they are known.
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
pub(crate) struct Taken {
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
    /// Only those who have places are remembered.
    by_holder: HashMap<Holder, usize>,
    /// Those who wait for one place, in the order in which they came.
    waiting: VecDeque<(Holders, oneshot::Sender<Taken>)>,
    /// The places that were given to those who take turns.
    num_turns: u64,
    /// When a holder last had its turn: the number of turns until then. Of others it is too long ago.
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

    /// Returns places of which one holder may have as large a share as a part is of a whole, but at least one.
    pub(crate) fn shared(max: usize, part: usize, whole: usize) -> Self {
        let share = max as u128 * part as u128 / whole.max(1) as u128;
        Self::new(max, usize::try_from(share).unwrap_or(max).clamp(1, max.max(1)))
    }

    /// Takes some places, or returns `None` if too few are left, of all or of the share of a holder.
    pub(crate) fn try_take(&self, holders: Holders, num: usize) -> Option<Taken> {
        let mut state = self.lock();
        self.has_room(&state, holders, num).then(|| self.give(&mut state, holders, num))
    }

    /// Waits for a place. Of those who wait, one whose holders have the fewest places comes first, and of these, one whose holders have waited for
    /// longest since they had one: they take turns, however many requests each has. Returns `None` if that takes longer than the patience.
    pub(crate) async fn take(&self, holders: Holders, patience: Duration) -> Option<Taken> {
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

    fn give(&self, state: &mut State, holders: Holders, num: usize) -> Taken {
        state.add(holders, num);
        Taken { places: self.clone(), holders, num }
    }

    /// Gives places that have become free to those who wait.
    fn give_on(&self) {
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
        // The place of one who no longer waits is dropped, and given to another.
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

    /// Returns what is less for those who come first.
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

impl Taken {
    pub(super) fn holders(&self) -> Holders {
        self.holders
    }

    /// Changes the number of places. Returns whether there are as many; if not, nothing changes.
    pub(crate) fn set(&mut self, num: usize) -> bool {
        let mut state = self.places.lock();
        state.subtract(self.holders, self.num);
        let has_room = num <= self.num || self.places.has_room(&state, self.holders, num);
        self.num = if has_room { num } else { self.num };
        state.add(self.holders, self.num);
        has_room
    }

    /// Counts the places among those of a user, too. Returns whether the user may have as many; if not, nothing changes.
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

impl Drop for Taken {
    fn drop(&mut self) {
        let is_awaited = {
            let mut state = self.places.lock();
            state.subtract(self.holders, self.num);
            !state.waiting.is_empty()
        };
        if is_awaited {
            self.places.give_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt;

    use super::*;

    fn client(last: u8) -> Holders {
        ClientAddress::new([10, 0, 0, last].into()).into()
    }

    fn user(last: u8, of: Holders) -> Holders {
        let user = format!("usr-00000000-0000-4000-8000-0000000000{last:02}").parse().expect("a reference");
        Holders { user: Some(user), ..of }
    }

    #[test]
    fn a_holder_has_its_share_and_nobody_is_remembered() {
        let places = Places::new(3, 2);
        let (first, second) = (places.try_take(client(1), 1).expect("free"), places.try_take(client(1), 1));
        assert!(places.try_take(client(1), 1).is_none(), "it has its share");
        let other = places.try_take(client(2), 1).expect("free");
        assert!(places.try_take(client(3), 1).is_none(), "all are taken");
        drop((first, second, other));
        let of_user = [user(1, client(1)), user(1, client(2))].map(|holders| places.try_take(holders, 1));
        assert!(of_user.iter().all(Option::is_some) && places.try_take(user(1, client(3)), 1).is_none());
        drop(of_user);
        assert!(places.try_take(Holders::default(), 3).is_some(), "who is not known has no share");
        let state = places.lock();
        assert!(state.num_taken == 0 && state.by_holder.is_empty());
    }

    #[test]
    fn numbers_of_places_change_within_what_is_left() {
        let places = Places::new(100, 60);
        let mut one = places.try_take(client(1), 0).expect("nothing is free");
        assert!(one.set(60) && !one.set(61) && !one.set(usize::MAX));
        let mut other = places.try_take(client(2), 40).expect("the rest");
        assert!(!other.set(41) && one.set(50) && other.set(50) && !one.set(60));
        let limit = user(1, client(2)).user.expect("a user");
        assert!(other.add_user(limit) && places.try_take(user(1, client(3)), 11).is_none());
    }

    #[tokio::test]
    async fn who_has_fewest_comes_first_and_who_leaves_holds_up_nobody() {
        let places = Places::new(3, 2);
        let patience = Duration::from_mins(1);
        let mut held: Vec<_> = [1, 1, 2].map(|last| places.try_take(client(last), 1)).into();
        let mut greedy: Vec<_> = (0..5).map(|_| Box::pin(places.take(client(1), patience))).collect();
        let mut again = Box::pin(places.take(client(2), patience));
        let mut newcomer = pin!(places.take(client(3), patience));
        assert!(greedy.iter_mut().all(|turn| turn.now_or_never().is_none()));
        assert!(again.as_mut().now_or_never().is_none() && newcomer.as_mut().now_or_never().is_none());
        drop(greedy.remove(0));
        held.remove(0);
        assert!(greedy[0].as_mut().now_or_never().is_none());
        let newcomer = newcomer.now_or_never().expect("the turn of the one who has none").expect("a place");
        drop(again);
        drop(newcomer);
        assert!(greedy[0].as_mut().now_or_never().flatten().is_some(), "nobody else waits");
        drop(greedy);
        assert!(places.take(client(4), Duration::ZERO).await.is_some(), "what was given to those who left is free");
    }

    #[tokio::test]
    async fn one_place_is_given_in_turns_of_holders_and_not_of_arrival() {
        let (places, patience) = (Places::new(1, 1), Duration::from_mins(1));
        let held = places.take(client(1), patience).await.expect("free");
        let wait = |last: u8| Box::pin(places.take(client(last), patience));
        let mut waiting: Vec<_> = [1, 1, 1, 2, 3].map(|last| (last, wait(last))).into();
        assert!(waiting.iter_mut().all(|(_, turn)| turn.as_mut().now_or_never().is_none()));
        let (mut held, mut served) = (Some(held), Vec::new());
        for _ in 0..8 {
            drop(held.take());
            let mut come = waiting.iter_mut().map(|(last, turn)| (*last, turn.as_mut().now_or_never().flatten()));
            let (position, (last, place)) =
                come.by_ref().enumerate().find(|(_, (_, place))| place.is_some()).expect("one has come");
            held = place;
            served.push(last);
            drop(waiting.remove(position));
            // Each asks again at once.
            let mut again = wait(last);
            assert!(again.as_mut().now_or_never().is_none());
            waiting.push((last, again));
        }
        assert_eq!(served, [2, 3, 1, 2, 3, 1, 2, 3]);
    }

    #[tokio::test]
    async fn only_the_last_turns_are_remembered() {
        let places = Places::new(1, 1);
        for number in 0..5_000_u32 {
            drop(places.take(ClientAddress::new(number.to_be_bytes().into()).into(), Duration::ZERO).await);
            assert!(places.lock().last_turns.len() <= HOLDERS_REMEMBERED);
        }
        assert!(places.lock().last_turns.contains_key(&Holder::Client(ClientAddress::new([0, 0, 19, 135].into()))));
    }

    #[tokio::test]
    async fn waiting_ends() {
        let places = Places::new(1, 1);
        let held = places.try_take(client(1), 1);
        assert!(places.take(client(2), Duration::from_millis(1)).await.is_none());
        drop(held);
        assert!(places.try_take(client(2), 1).is_some(), "the one who left has not got it");
    }
}
