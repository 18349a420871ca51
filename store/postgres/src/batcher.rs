//! Batches of queries of several tasks.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use store::lock;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::connections::WAIT_PATIENCE;
use crate::fault::Fault;

/// The most queries of a batch.
const QUERIES_MAX: usize = 64;

/// The most batches in progress.
const BATCHES_MAX: usize = 2;

/// A kind of query that can be made for several tasks at once.
pub(crate) trait BatchQuery: Send + Sync + 'static {
    type Query: Send + 'static;
    type Answer: Send + 'static;

    /// Returns the answers, in the order of the queries.
    fn run(&self, queries: Vec<Self::Query>) -> impl Future<Output = Vec<Result<Self::Answer, Fault>>> + Send;
}

/// Makes queries of one kind, at once while fewer than two batches are in progress; later ones are
/// batched. So batches grow with the number of tasks, and no query waits for more queries.
pub(crate) struct Batcher<B: BatchQuery>(Arc<Shared<B>>);

struct Shared<B: BatchQuery> {
    query: B,
    queue: Mutex<Queue<B>>,
}

struct Queue<B: BatchQuery> {
    waiting: VecDeque<Waiting<B>>,
    next_number: u64,
    num_batches: usize,
}

/// An entry of the queue. Dropping it withdraws the query.
struct QueueEntry<'a, B: BatchQuery> {
    queue: &'a Mutex<Queue<B>>,
    number: u64,
}

struct Waiting<B: BatchQuery> {
    /// In ascending order.
    number: u64,
    query: B::Query,
    reply: oneshot::Sender<Result<B::Answer, Fault>>,
}

impl<B: BatchQuery> Batcher<B> {
    pub(crate) fn new(query: B) -> Self {
        let queue = Queue { waiting: VecDeque::new(), next_number: 0, num_batches: 0 };
        Self(Arc::new(Shared { query, queue: Mutex::new(queue) }))
    }

    /// Returns the answer to a query. Dropping the future withdraws the query, unless it is in
    /// progress.
    pub(crate) async fn run(&self, query: B::Query) -> Result<B::Answer, Fault> {
        let (reply, mut answer) = oneshot::channel();
        let (number, begins) = lock(&self.0.queue).push(query, reply);
        if begins {
            tokio::spawn(Arc::clone(&self.0).run_all());
        }
        let entry = QueueEntry { queue: &self.0.queue, number };
        let answer = match timeout(WAIT_PATIENCE, &mut answer).await {
            Ok(answer) => answer,
            Err(_) if entry.withdraw() => return Err(Fault::Busy),
            Err(_) => answer.await,
        };
        answer.unwrap_or_else(|_| Err(Fault::panicked()))
    }
}

impl<B: BatchQuery> Shared<B> {
    /// Runs one batch after another, until no query waits.
    async fn run_all(self: Arc<Self>) {
        loop {
            let batch = lock(&self.queue).next();
            if batch.is_empty() {
                return;
            }
            let (replies, queries): (Vec<_>, _) =
                batch.into_iter().map(|waiting| (waiting.reply, waiting.query)).unzip();
            let answers = AssertUnwindSafe(self.query.run(queries)).catch_unwind().await;
            for (reply, answer) in replies.into_iter().zip(answers.into_iter().flatten()) {
                let _ = reply.send(answer);
            }
        }
    }
}

impl<B: BatchQuery> QueueEntry<'_, B> {
    /// Removes the query, unless it is in progress. Returns whether it was in the queue.
    fn withdraw(&self) -> bool {
        let waiting = &mut lock(self.queue).waiting;
        let found = waiting.binary_search_by_key(&self.number, |waiting| waiting.number);
        found.is_ok_and(|index| waiting.remove(index).is_some())
    }
}

impl<B: BatchQuery> Drop for QueueEntry<'_, B> {
    fn drop(&mut self) {
        self.withdraw();
    }
}

impl<B: BatchQuery> Queue<B> {
    /// Adds a query. Returns its number, and whether a task must begin a batch.
    fn push(&mut self, query: B::Query, reply: oneshot::Sender<Result<B::Answer, Fault>>) -> (u64, bool) {
        let number = self.next_number;
        self.next_number += 1;
        self.waiting.push_back(Waiting { number, query, reply });
        let begins = self.num_batches < BATCHES_MAX;
        self.num_batches += usize::from(begins);
        (number, begins)
    }

    /// Removes the queries of the next batch. If there are none, a task has ended.
    fn next(&mut self) -> Vec<Waiting<B>> {
        let num_queries = self.waiting.len().min(QUERIES_MAX);
        self.num_batches -= usize::from(num_queries == 0);
        self.waiting.drain(..num_queries).collect()
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;
    use tokio::task::{JoinHandle, yield_now};

    use super::*;

    /// Answers with ten times the query once it is allowed to, and records the sizes of batches.
    struct Tenfold {
        batches: Mutex<Vec<usize>>,
        may_answer: Semaphore,
    }

    impl BatchQuery for Arc<Tenfold> {
        type Query = usize;
        type Answer = usize;

        async fn run(&self, queries: Vec<usize>) -> Vec<Result<usize, Fault>> {
            self.batches.lock().expect("whole").push(queries.len());
            self.may_answer.acquire().await.expect("open").forget();
            assert!(!queries.contains(&13), "bad luck");
            queries.iter().map(|query| Ok(10 * query)).collect()
        }
    }

    type Task = JoinHandle<Result<usize, Fault>>;

    fn tenfold() -> (Arc<Tenfold>, Arc<Batcher<Arc<Tenfold>>>) {
        let tenfold = Arc::new(Tenfold { batches: Mutex::default(), may_answer: Semaphore::new(0) });
        (Arc::clone(&tenfold), Arc::new(Batcher::new(tenfold)))
    }

    fn run(batcher: &Arc<Batcher<Arc<Tenfold>>>, query: usize) -> Task {
        let batcher = Arc::clone(batcher);
        tokio::spawn(async move { batcher.run(query).await })
    }

    /// Begins as many batches as may run, with a query each, from 0.
    async fn begin_batches(tenfold: &Tenfold, batcher: &Arc<Batcher<Arc<Tenfold>>>) -> Vec<Task> {
        let mut tasks = Vec::new();
        for query in 0..BATCHES_MAX {
            tasks.push(run(batcher, query));
            while tenfold.batches.lock().expect("whole").len() < tasks.len() {
                yield_now().await;
            }
        }
        tasks
    }

    async fn assert_tenfold(tasks: Vec<Task>) {
        for (task, query) in tasks.into_iter().zip(0..) {
            assert_eq!(task.await.expect("no panic").ok(), Some(10 * query));
        }
    }

    #[tokio::test]
    async fn queries_during_batches_are_batched() {
        let (tenfold, batcher) = tenfold();
        let mut tasks = begin_batches(&tenfold, &batcher).await;
        // 13 would panic.
        tasks.extend((BATCHES_MAX..13).map(|query| run(&batcher, query)));
        let num_others = 2 * QUERIES_MAX;
        let others: Vec<_> = (0..num_others).map(|_| run(&batcher, 1)).collect();
        let num_waiting = tasks.len() - BATCHES_MAX + num_others;
        while lock(&batcher.0.queue).waiting.len() < num_waiting {
            yield_now().await;
        }
        tenfold.may_answer.add_permits(num_waiting);
        assert_tenfold(tasks).await;
        for task in others {
            assert_eq!(task.await.expect("no panic").ok(), Some(10));
        }
        let sizes = tenfold.batches.lock().expect("whole").clone();
        assert_eq!(sizes, [1, 1, QUERIES_MAX, QUERIES_MAX, num_waiting - 2 * QUERIES_MAX]);
        assert_eq!(lock(&batcher.0.queue).num_batches, 0);
    }

    #[tokio::test]
    async fn a_panic_leaves_only_its_own_batch_without_answers() {
        let (tenfold, batcher) = tenfold();
        tenfold.may_answer.add_permits(100);
        for _ in 0..=BATCHES_MAX {
            assert!(matches!(batcher.run(13).await, Err(Fault::Unknown(_))));
        }
        assert_eq!(batcher.run(1).await.ok(), Some(10));
    }

    #[tokio::test]
    async fn abandoned_queries_are_not_made() {
        let (tenfold, batcher) = tenfold();
        let first = begin_batches(&tenfold, &batcher).await;
        let given_up = run(&batcher, 7);
        while lock(&batcher.0.queue).waiting.is_empty() {
            yield_now().await;
        }
        given_up.abort();
        assert!(given_up.await.is_err_and(|error| error.is_cancelled()));
        assert!(lock(&batcher.0.queue).waiting.is_empty());
        tenfold.may_answer.add_permits(BATCHES_MAX);
        assert_tenfold(first).await;
    }

    #[tokio::test(start_paused = true)]
    async fn queries_wait_briefly_for_their_turn_and_longer_for_their_answer() {
        let (tenfold, batcher) = tenfold();
        let first = begin_batches(&tenfold, &batcher).await;
        assert!(matches!(run(&batcher, 7).await.expect("no panic"), Err(Fault::Busy)));
        tenfold.may_answer.add_permits(BATCHES_MAX);
        assert_tenfold(first).await;
        assert_eq!(tenfold.batches.lock().expect("whole").iter().sum::<usize>(), BATCHES_MAX);
    }
}
