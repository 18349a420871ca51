//! Letting tasks through in the order in which they came.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

type Queue = Arc<tokio::sync::Mutex<()>>;

/// A queue for each key. One without tasks is removed.
pub(crate) struct Turns<K>(Mutex<HashMap<K, Queue>>);

/// The right to go on. Dropping it lets the next task through.
pub(crate) struct Turn<'a, K: Eq + Hash> {
    turns: &'a Turns<K>,
    key: K,
    guard: Option<OwnedMutexGuard<()>>,
}

impl<K: Eq + Hash + Clone> Turns<K> {
    pub(crate) fn new() -> Self {
        Self(Mutex::default())
    }

    /// Waits until no earlier task with the same key is left.
    pub(crate) async fn wait(&self, key: K) -> Turn<'_, K> {
        let queue = Arc::clone(lock(&self.0).entry(key.clone()).or_default());
        // A task that is dropped while it waits leaves no queue behind either.
        let mut turn = Turn { turns: self, key, guard: None };
        turn.guard = Some(queue.lock_owned().await);
        turn
    }
}

impl<K: Eq + Hash> Drop for Turn<'_, K> {
    fn drop(&mut self) {
        let mut queues = lock(&self.turns.0);
        self.guard = None;
        // All who wait hold the queue, too.
        if queues.get(&self.key).is_some_and(|queue| Arc::strong_count(queue) == 1) {
            queues.remove(&self.key);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tasks_with_the_same_key_go_on_in_their_order_and_others_at_once() {
        let (turns, done) = (Turns::new(), Mutex::new(Vec::new()));
        let first = turns.wait(1).await;
        drop(turns.wait(2).await);
        let next = async |number| {
            let _turn = turns.wait(1).await;
            lock(&done).push(number);
        };
        tokio::join!(next(1), next(2), async { drop(first) }, next(3));
        assert_eq!(*lock(&done), [1, 2, 3]);
        assert!(lock(&turns.0).is_empty());
    }

    #[tokio::test]
    async fn a_task_that_gives_up_leaves_no_queue() {
        let turns = Turns::new();
        let first = turns.wait(1).await;
        tokio::select! {
            biased;
            _ = turns.wait(1) => panic!("it is taken"),
            () = async {} => {}
        }
        drop(first);
        assert!(lock(&turns.0).is_empty());
    }
}
