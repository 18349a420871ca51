//! Admitting callers in the order of their arrival.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use store::lock;
use tokio::sync::{Mutex as Queue, OwnedMutexGuard};

/// A queue for each key. Its first caller may continue. A queue without callers is removed.
pub(crate) struct TurnsByKey<K> {
    /// The mutex of a key admits callers in the order of their arrival.
    queues: Mutex<HashMap<K, Arc<Queue<()>>>>,
}

/// The right to continue. Dropping it admits the next caller.
pub(crate) struct Turn<'a, K: Eq + Hash> {
    turns: &'a TurnsByKey<K>,
    key: K,
    place: Option<OwnedMutexGuard<()>>,
}

impl<K> Default for TurnsByKey<K> {
    fn default() -> Self {
        Self { queues: Mutex::default() }
    }
}

impl<K: Eq + Hash + Clone> TurnsByKey<K> {
    /// Waits until no earlier caller with the same key is left.
    pub(crate) async fn wait(&self, key: K) -> Turn<'_, K> {
        let queue = Arc::clone(lock(&self.queues).entry(key.clone()).or_default());
        // A caller that stops waiting leaves no queue either.
        let mut turn = Turn { turns: self, key, place: None };
        turn.place = Some(queue.lock_owned().await);
        turn
    }

    /// Returns whether a caller with this key waits or has its turn.
    pub(crate) fn are_taken(&self, key: &K) -> bool {
        lock(&self.queues).contains_key(key)
    }
}

impl<K: Eq + Hash> Drop for Turn<'_, K> {
    fn drop(&mut self) {
        let mut queues = lock(&self.turns.queues);
        self.place = None;
        // All other callers hold the queue, too.
        if queues.get(&self.key).is_some_and(|queue| Arc::strong_count(queue) == 1) {
            queues.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};
    use std::time::Duration;

    use super::*;
    use crate::writes::waiting::{wait_for, wait_until};

    #[test]
    fn each_key_admits_one_caller_at_a_time_in_order() {
        let turns = TurnsByKey::default();
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting: Vec<_> = (0..10).map(|number| Box::pin(turns.wait(number % 2))).collect();
        let mut going_on = Vec::new();
        let mut done = Vec::new();
        while done.len() < waiting.len() {
            for (number, waiting) in waiting.iter_mut().enumerate() {
                let is_new = !done.contains(&number) && going_on.iter().all(|(other, _)| *other != number);
                if is_new && let Poll::Ready(turn) = waiting.as_mut().poll(&mut context) {
                    going_on.push((number, turn));
                }
            }
            assert!((0..2).all(|key| going_on.iter().filter(|(number, _)| number % 2 == key).count() <= 1));
            done.push(going_on.remove(0).0);
        }
        assert_eq!(done, (0..10).collect::<Vec<_>>());
        drop((going_on, waiting));
        assert!(lock(&turns.queues).is_empty());
    }

    #[test]
    fn callers_that_stop_or_panic_leave_the_queue() {
        let turns = TurnsByKey::default();
        let first = wait_for(turns.wait(1));
        assert!(wait_until(Duration::from_millis(10), turns.wait(1)).is_none());
        assert!(wait_until(Duration::ZERO, turns.wait(2)).is_some(), "others are not held up");
        assert!(turns.are_taken(&1) && !turns.are_taken(&2));
        std::thread::scope(|scope| {
            let broken = scope.spawn(|| {
                let _turn = wait_for(turns.wait(1));
                panic!("broken");
            });
            drop(first);
            assert!(broken.join().is_err());
            drop(wait_for(turns.wait(1)));
        });
        assert!(lock(&turns.queues).is_empty());
    }
}
