//! Who is next, where only one at a time may do something.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Queues by key. There is one for a key while somebody stands in it.
pub(super) struct Turns<K: Eq + Hash + Clone> {
    /// The queues.
    queues: Mutex<HashMap<K, Queue>>,
}

/// Those who want to do something with the same key.
#[derive(Default)]
struct Queue {
    /// How many they are, the one whose turn it is included.
    num_places: usize,
    /// Held by the one whose turn it is; the others get it in the order in which they came.
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// A place in a queue, which is left when this is dropped.
struct Place<'a, K: Eq + Hash + Clone> {
    /// All queues.
    turns: &'a Turns<K>,
    /// Of which queue.
    key: K,
}

impl<K: Eq + Hash + Clone> Turns<K> {
    /// Starts without a queue.
    pub(super) fn new() -> Self {
        Self { queues: Mutex::new(HashMap::new()) }
    }

    /// Does something when all are done who came earlier with the same key. Dropped before, it leaves the queue.
    pub(super) async fn take<T>(&self, key: K, work: impl Future<Output = T>) -> T {
        let turn = {
            let mut queues = self.queues();
            let queue = queues.entry(key.clone()).or_default();
            queue.num_places += 1;
            Arc::clone(&queue.turn)
        };
        let _place = Place { turns: self, key };
        let _turn = turn.lock().await;
        work.await
    }

    /// Returns the queues.
    fn queues(&self) -> MutexGuard<'_, HashMap<K, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash + Clone> Drop for Place<'_, K> {
    fn drop(&mut self) {
        let mut queues = self.turns.queues();
        if let Some(queue) = queues.get_mut(&self.key) {
            queue.num_places -= 1;
            if queue.num_places == 0 {
                queues.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::panic::AssertUnwindSafe;

    use futures_util::{FutureExt, future};
    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn of_each_key_one_at_a_time_works_in_the_order_of_coming() {
        let turns = Turns::new();
        let (is_busy, done) = ([Cell::new(false), Cell::new(false)], RefCell::new(Vec::new()));
        let work = |number: usize| {
            let key = number % 2;
            let (is_busy, done) = (&is_busy[key], &done);
            turns.take(key, async move {
                assert!(!is_busy.replace(true), "two at a time");
                // Those with the other key are done sooner.
                for _ in 0..=key * 100 {
                    yield_now().await;
                }
                is_busy.set(false);
                done.borrow_mut().push(number);
            })
        };
        future::join_all((0..8).map(work)).await;
        assert_eq!(done.into_inner(), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert!(turns.queues().is_empty());
    }

    #[tokio::test]
    async fn who_goes_away_or_panics_leaves_the_queue() {
        let turns = Turns::new();
        let (go, gone) = oneshot::channel::<()>();
        let mut first = Box::pin(turns.take("a", gone));
        assert!((&mut first).now_or_never().is_none());
        let mut second = Box::pin(turns.take("a", future::ready(())));
        assert!((&mut second).now_or_never().is_none());
        let mut third = Box::pin(AssertUnwindSafe(turns.take("a", async { panic!("broken") })).catch_unwind());
        assert!((&mut third).now_or_never().is_none());
        let fourth = turns.take("a", future::ready(4));
        drop(second);
        assert!(turns.take("b", future::ready(())).now_or_never().is_some(), "others are not held up");
        go.send(()).expect("awaited");
        first.await.expect("sent");
        assert!(third.await.is_err());
        assert_eq!(fourth.await, 4);
        assert!(turns.queues().is_empty());
    }
}
