//! Letting callers through in the order in which they came.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use store::lock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A queue for each key; its first `max` callers may go on. A queue without callers is removed.
pub(crate) struct Turns<K> {
    max: usize,
    queues: Mutex<HashMap<K, Arc<Semaphore>>>,
}

/// The right to go on. Dropping it lets the next caller through.
pub(crate) struct Turn<'a, K: Eq + Hash> {
    turns: &'a Turns<K>,
    key: K,
    permit: Option<OwnedSemaphorePermit>,
}

impl<K: Eq + Hash + Clone> Turns<K> {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, queues: Mutex::default() }
    }

    /// Waits until fewer than `max` earlier callers with the same key are left.
    pub(crate) async fn wait(&self, key: K) -> Turn<'_, K> {
        let new = || Arc::new(Semaphore::new(self.max));
        let queue = Arc::clone(lock(&self.queues).entry(key.clone()).or_insert_with(new));
        // A caller that gives up while it waits leaves no queue behind either.
        let mut turn = Turn { turns: self, key, permit: None };
        turn.permit = queue.acquire_owned().await.ok();
        turn
    }

    /// Returns whether a caller with this key waits or goes on.
    pub(crate) fn are_taken(&self, key: &K) -> bool {
        lock(&self.queues).contains_key(key)
    }
}

impl<K: Eq + Hash> Drop for Turn<'_, K> {
    fn drop(&mut self) {
        let mut queues = lock(&self.turns.queues);
        self.permit = None;
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
    fn of_each_key_so_many_at_a_time_go_on_in_their_order() {
        for max in [1, 3] {
            let turns = Turns::new(max);
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
                assert!((0..2).all(|key| going_on.iter().filter(|(number, _)| number % 2 == key).count() <= max));
                done.push(going_on.remove(0).0);
            }
            assert_eq!(done, (0..10).collect::<Vec<_>>());
            drop((going_on, waiting));
            assert!(lock(&turns.queues).is_empty());
        }
    }

    #[test]
    fn who_gives_up_or_panics_leaves_the_queue() {
        let turns = Turns::new(1);
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
