//! Letting callers through in the order in which they came.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A queue for each key; the first callers of each queue may go on.
pub(crate) struct Turns<K: Eq + Hash + Clone> {
    /// How many callers with the same key may go on at a time.
    max: usize,
    /// The numbers of the callers that wait or go on, ascending. A queue without callers is removed.
    queues: Mutex<HashMap<K, VecDeque<u64>>>,
    changed: Condvar,
}

/// The right to go on. Dropping it lets the next caller through.
pub(crate) struct Turn<'a, K: Eq + Hash + Clone> {
    turns: &'a Turns<K>,
    key: K,
    number: u64,
}

impl<K: Eq + Hash + Clone> Turns<K> {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, queues: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits until fewer than `max` earlier callers with the same key are left. Returns `None` if that takes longer than `patience`.
    pub(crate) fn wait(&self, key: K, patience: Duration) -> Option<Turn<'_, K>> {
        let mut queues = self.lock();
        let queue = queues.entry(key.clone()).or_default();
        let number = queue.back().map_or(0, |last| last + 1);
        queue.push_back(number);
        let turn = Turn { turns: self, key, number };
        let must_wait = |queues: &mut HashMap<K, VecDeque<u64>>| {
            let mut first = queues.get(&turn.key).into_iter().flatten().take(self.max);
            first.all(|first| *first != number)
        };
        let waited = self.changed.wait_timeout_while(queues, patience, must_wait);
        let (queues, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        // Dropping the turn locks the queues.
        drop(queues);
        (!timeout.timed_out()).then_some(turn)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, VecDeque<u64>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash + Clone> Drop for Turn<'_, K> {
    fn drop(&mut self) {
        let mut queues = self.turns.lock();
        if let Some(queue) = queues.get_mut(&self.key) {
            queue.retain(|number| *number != self.number);
            if queue.is_empty() {
                queues.remove(&self.key);
            }
        }
        drop(queues);
        self.turns.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// Waits until so many callers are in all queues together.
    fn wait_for_callers(turns: &Turns<usize>, num_callers: usize) {
        while turns.lock().values().map(VecDeque::len).sum::<usize>() < num_callers {
            thread::yield_now();
        }
    }

    #[test]
    fn of_each_key_so_many_at_a_time_go_on_in_the_order_of_coming() {
        for max in [1, 3] {
            let turns = Turns::new(max);
            let (num_busy, done) = ([AtomicUsize::new(0), AtomicUsize::new(0)], Mutex::new(Vec::new()));
            thread::scope(|scope| {
                let held: Vec<_> =
                    (0..2 * max).map(|number| turns.wait(number % 2, Duration::MAX).expect("free")).collect();
                for number in 0..8 {
                    let (turns, num_busy, done) = (&turns, &num_busy, &done);
                    scope.spawn(move || {
                        let key = number % 2;
                        let _turn = turns.wait(key, Duration::MAX).expect("it comes");
                        assert!(num_busy[key].fetch_add(1, Ordering::SeqCst) < max, "too many at a time");
                        thread::sleep(Duration::from_millis(1));
                        done.lock().expect("whole").push(number);
                        num_busy[key].fetch_sub(1, Ordering::SeqCst);
                    });
                    wait_for_callers(turns, 2 * max + number + 1);
                }
                drop(held);
            });
            let done = done.into_inner().expect("whole");
            assert_eq!(done.len(), 8);
            for key in (0..2).filter(|_| max == 1) {
                assert!(done.iter().filter(|number| *number % 2 == key).is_sorted(), "{done:?}");
            }
            assert!(turns.lock().is_empty());
        }
    }

    #[test]
    fn who_gives_up_or_panics_leaves_the_queue() {
        let turns = Turns::new(1);
        let first = turns.wait(1, Duration::MAX).expect("free");
        assert!(turns.wait(1, Duration::from_millis(10)).is_none());
        assert!(turns.wait(2, Duration::ZERO).is_some(), "others are not held up");
        thread::scope(|scope| {
            let broken = scope.spawn(|| {
                let _turn = turns.wait(1, Duration::MAX);
                panic!("broken");
            });
            wait_for_callers(&turns, 2);
            let last = scope.spawn(|| turns.wait(1, Duration::MAX).is_some());
            wait_for_callers(&turns, 3);
            drop(first);
            assert!(broken.join().is_err());
            assert!(last.join().expect("no panic"));
        });
        assert!(turns.lock().is_empty());
    }
}
