//! A queue in which clients take turns: among the clients with waiting items, the one that has
//! recently used the least processor time is next.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// The time after which the usage of a client counts half.
const HALF_LIFE: Duration = Duration::from_mins(10);

/// The interval at which usage is decayed.
const DECAY_INTERVAL: Duration = Duration::from_mins(1);

/// The seconds that each start counts, since even a short search has overhead.
const START_S: f64 = 0.1;

/// A queue.
#[derive(Debug)]
pub(super) struct FairTurns<T> {
    /// Clients with their waiting items, of which each has at least one. Among clients with equal
    /// usage, the first one is next.
    clients: VecDeque<(String, VecDeque<T>)>,
    /// The seconds that clients have used.
    used: HashMap<String, f64>,
    /// The time up to which usage was decayed.
    decayed: Instant,
}

impl<T> Default for FairTurns<T> {
    fn default() -> Self {
        Self { clients: VecDeque::new(), used: HashMap::new(), decayed: Instant::now() }
    }
}

impl<T> FairTurns<T> {
    pub(super) fn push(&mut self, client: &str, item: T) {
        match self.clients.iter_mut().find(|(name, _)| name == client) {
            Some((_, items)) => items.push_back(item),
            None => self.clients.push_back((client.to_owned(), VecDeque::from([item]))),
        }
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        let index = least(self.clients.iter().map(|(client, _)| self.used_by(client)))?;
        let (client, mut items) = self.clients.remove(index)?;
        let item = items.pop_front();
        self.charge(&client, START_S);
        if !items.is_empty() {
            self.clients.push_back((client, items));
        }
        item
    }

    /// Adds `seconds` to the usage of a client.
    pub(super) fn charge(&mut self, client: &str, seconds: f64) {
        let age = self.decayed.elapsed();
        if age >= DECAY_INTERVAL {
            self.decay(age);
            self.decayed = Instant::now();
        }
        *self.used.entry(client.to_owned()).or_default() += seconds;
    }

    fn decay(&mut self, age: Duration) {
        let factor = 0.5_f64.powf(age.div_duration_f64(HALF_LIFE));
        self.used.retain(|_, used| {
            *used *= factor;
            *used > START_S / 2.0
        });
    }

    fn used_by(&self, client: &str) -> f64 {
        self.used.get(client).copied().unwrap_or_default()
    }

    /// Removes the first item for which `is_wanted` is true, regardless of turns.
    pub(super) fn remove(&mut self, is_wanted: impl Fn(&T) -> bool) -> Option<T> {
        let removed = self.clients.iter_mut().find_map(|(_, items)| items.remove(items.iter().position(&is_wanted)?));
        self.clients.retain(|(_, items)| !items.is_empty());
        removed
    }

    pub(super) fn len(&self) -> usize {
        self.clients.iter().map(|(_, items)| items.len()).sum()
    }

    pub(super) fn len_of(&self, client: &str) -> usize {
        self.of(client).count()
    }

    /// Returns all waiting items.
    pub(super) fn all(&self) -> impl Iterator<Item = &T> {
        self.clients.iter().flat_map(|(_, items)| items)
    }

    /// Returns the waiting items of a client.
    pub(super) fn of(&self, client: &str) -> impl Iterator<Item = &T> {
        self.clients.iter().filter(move |(name, _)| name == client).flat_map(|(_, items)| items)
    }

    /// Returns the number of items before one, assuming that none takes long.
    pub(super) fn position(&self, is_wanted: impl Fn(&T) -> bool) -> Option<usize> {
        let mut clients: VecDeque<_> =
            self.clients.iter().map(|(client, items)| (self.used_by(client), items.iter())).collect();
        let mut before = 0;
        while let Some(index) = least(clients.iter().map(|(used, _)| *used)) {
            let (used, mut items) = clients.remove(index)?;
            let Some(item) = items.next() else { continue };
            if is_wanted(item) {
                return Some(before);
            }
            before += 1;
            clients.push_back((used + START_S, items));
        }
        None
    }
}

/// Returns the index of the smallest number, the first one of equals.
fn least(numbers: impl Iterator<Item = f64>) -> Option<usize> {
    numbers.enumerate().min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn clients_take_turns() {
        let mut turns = FairTurns::default();
        for (client, item) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)] {
            turns.push(client, item);
        }
        assert_eq!((turns.len(), turns.len_of("a"), turns.len_of("d")), (6, 3, 0));
        assert_eq!((turns.remove(|item| *item == 5), turns.remove(|item| *item == 5)), (Some(5), None));
        assert_eq!(turns.position(|item| *item == 3), Some(4));
        let order: Vec<_> = std::iter::from_fn(|| turns.pop()).collect();
        assert_eq!(order, [1, 4, 2, 6, 3]);
    }

    #[test]
    fn least_used_clients_are_first_and_usage_decays() {
        let mut turns = FairTurns::default();
        for (client, item) in [("a", 1), ("a", 2), ("b", 3), ("b", 4), ("c", 5)] {
            turns.push(client, item);
        }
        turns.charge("a", 600.0);
        turns.charge("c", 0.15);
        assert_eq!([1, 2, 3, 4, 5].map(|item| turns.position(|other| *other == item)), [3, 4, 0, 1, 2].map(Some));
        assert_eq!(turns.pop(), Some(3));
        turns.charge("b", 300.0);
        assert_eq!((turns.pop(), turns.position(|item| *item == 4)), (Some(5), Some(0)));
        turns.decay(HALF_LIFE);
        assert_eq!((turns.used_by("a"), turns.used_by("c")), (300.0, 0.125));
        turns.decay(HALF_LIFE * 20);
        assert!(turns.used.is_empty());
        assert_eq!(turns.pop(), Some(1));
    }

    proptest! {
        #[test]
        fn positions_match_the_order_of_items(
            pushed in prop::collection::vec((0..4_u8, any::<bool>(), 0..3_u8), 0..40),
        ) {
            let mut turns = FairTurns::default();
            for (item, (client, pops, used)) in pushed.iter().enumerate() {
                turns.push(&client.to_string(), item);
                turns.charge(&client.to_string(), f64::from(*used));
                if *pops {
                    turns.pop();
                }
            }
            let positions: Vec<_> = (0..pushed.len()).map(|item| turns.position(|other| *other == item)).collect();
            let num = turns.len();
            let order: Vec<_> = std::iter::from_fn(|| turns.pop()).collect();
            prop_assert_eq!(order.len(), num);
            for (item, position) in positions.into_iter().enumerate() {
                prop_assert_eq!(order.iter().position(|other| *other == item), position);
            }
        }
    }
}
