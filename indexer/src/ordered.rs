//! Work on several threads, with results consumed in the order of the work.
//!
//! Each thread consumes the results of its own work, when it is their turn. So all memory is freed
//! by the thread that allocated it, which is best for allocators.

use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::{panic, thread};

use crossbeam::channel::{self, Receiver, Sender};
use store::lock;

use crate::{Error, Result};

/// Accepts the pieces of work. At most as many wait as there are threads.
pub struct Queue<W> {
    /// Each piece is sent with its 0-based rank among all.
    pieces: Sender<(u64, W)>,
    next_rank: u64,
}

impl<W> Queue<W> {
    /// Adds a piece. Fails if no more are accepted because a result could not be consumed;
    /// [`in_order`] returns the error.
    pub fn push(&mut self, piece: W) -> io::Result<()> {
        let rank = self.next_rank;
        self.next_rank += 1;
        self.pieces.send((rank, piece)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Runs `produce` on a separate thread, a `worker` on each piece on `num_threads` others and one
/// more, which works while another waits for its turn, and `consume` on the results, one at a time,
/// in the order in which the pieces were pushed. Ends when all is done, or with the first error; if
/// both fail, with the error of `consume`, which made the producer stop.
pub fn in_order<W: Send, R, F: FnMut(W) -> R>(
    num_threads: usize,
    produce: impl FnOnce(Queue<W>) -> Result<()> + Send,
    worker: impl Fn() -> F + Sync,
    consume: impl FnMut(R) -> Result<()> + Send,
) -> Result<()> {
    let ordered = Ordered { state: Mutex::new(State { due: 0, consume, end: None }), has_changed: Condvar::new() };
    let produced = thread::scope(|scope| {
        let (sender, pieces) = channel::bounded(num_threads);
        let producer = scope.spawn(|| produce(Queue { pieces: sender, next_rank: 0 }));
        for _ in 0..=num_threads {
            let (pieces, ordered, worker) = (pieces.clone(), &ordered, &worker);
            scope.spawn(move || ordered.work_on(&pieces, worker()));
        }
        // Once all workers have ended, the producer's next push fails.
        drop(pieces);
        producer.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    });
    let state = ordered.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.end {
        Some(End::Failure(failure)) => Err(failure),
        _ => produced,
    }
}

/// The consumer of results, in the order of the pieces.
struct Ordered<C> {
    state: Mutex<State<C>>,
    has_changed: Condvar,
}

/// The state that only one thread at a time may access.
struct State<C> {
    /// The rank of the piece whose result is consumed next.
    due: u64,
    consume: C,
    /// The reason why no more results are consumed.
    end: Option<End>,
}

enum End {
    Failure(Error),
    Panic,
}

impl<C> Ordered<C> {
    /// Works on pieces until there are no more, or no more results are consumed.
    fn work_on<W, R>(&self, pieces: &Receiver<(u64, W)>, mut work: impl FnMut(W) -> R)
    where
        C: FnMut(R) -> Result<()>,
    {
        let _guard = PanicGuard(self);
        for (rank, piece) in pieces {
            let result = work(piece);
            // A panic is noted in the state itself.
            let state = lock(&self.state);
            let must_wait = |state: &mut State<C>| state.end.is_none() && state.due != rank;
            let mut state = self.has_changed.wait_while(state, must_wait).unwrap_or_else(PoisonError::into_inner);
            if state.end.is_some() {
                return;
            }
            if let Err(failure) = (state.consume)(result) {
                state.end = Some(End::Failure(failure));
            }
            state.due += 1;
            drop(state);
            self.has_changed.notify_all();
        }
    }
}

/// Notifies the other threads when one panics: otherwise they would wait for their turn forever.
struct PanicGuard<'a, C>(&'a Ordered<C>);

impl<C> Drop for PanicGuard<'_, C> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.state).end.get_or_insert(End::Panic);
            self.0.has_changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_work() {
        for num_threads in [1, 4] {
            let mut taken = Vec::new();
            let produce = |mut queue: Queue<u64>| {
                (0..500).for_each(|piece| queue.push(piece).expect("taken"));
                Ok(())
            };
            let work = |piece: u64| -> u64 {
                thread::sleep(std::time::Duration::from_micros(piece * 7919 % 97));
                piece * 2
            };
            in_order(
                num_threads,
                produce,
                || work,
                |result| {
                    taken.push(result);
                    Ok(())
                },
            )
            .expect("nothing fails");
            assert!(taken.iter().copied().eq((0..500).map(|piece| piece * 2)), "{num_threads} threads");
        }
    }

    #[test]
    fn errors_of_the_consumer_end_the_producer() {
        let produce = |mut queue: Queue<u64>| {
            while queue.push(1).is_ok() {}
            Ok(())
        };
        let mut num_taken = 0;
        let result = in_order(
            2,
            produce,
            || |piece| piece,
            |_| {
                num_taken += 1;
                if num_taken == 10 { Err(Error::CorruptSpill) } else { Ok(()) }
            },
        );
        assert!(matches!(result, Err(Error::CorruptSpill)) && num_taken == 10);
    }

    #[test]
    fn errors_of_the_producer_are_returned() {
        let produce = |mut queue: Queue<u64>| {
            queue.push(1).expect("taken");
            Err(Error::CorruptSpill)
        };
        assert!(matches!(in_order(2, produce, || |piece| piece, |_| Ok(())), Err(Error::CorruptSpill)));
    }

    #[test]
    fn panics_of_workers_are_propagated() {
        let produce = |mut queue: Queue<u64>| {
            while queue.push(1).is_ok() {}
            Ok(())
        };
        let outcome = panic::catch_unwind(|| in_order(2, produce, || |_| -> u64 { panic!("broken") }, |_| Ok(())));
        assert!(outcome.is_err());
        let produce = |mut queue: Queue<u64>| {
            while queue.push(1).is_ok() {}
            Ok(())
        };
        let outcome = panic::catch_unwind(|| in_order(2, produce, || |piece| piece, |_| panic!("broken")));
        assert!(outcome.is_err());
    }
}
