//! Asking once for several tasks.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::connections::WAIT_PATIENCE;
use crate::fault::Fault;

/// How many questions are asked at once at most.
const QUESTIONS_MAX: usize = 64;

/// How many groups of questions are under way at most.
const GROUPS_MAX: usize = 2;

/// What can be asked for several tasks at once.
pub(crate) trait Inquiry: Send + Sync + 'static {
    type Question: Send + 'static;
    type Answer: Send + 'static;

    /// Returns the answers, in the order of the questions.
    fn ask(&self, questions: Vec<Self::Question>) -> impl Future<Output = Vec<Result<Self::Answer, Fault>>> + Send;
}

/// Tasks that ask the same kind of question. Who comes while few groups are under way asks at once; others wait, and are then asked together. So a group
/// is the larger the more tasks ask, and no task waits for others to come.
pub(crate) struct Together<I: Inquiry>(Arc<Shared<I>>);

struct Shared<I: Inquiry> {
    inquiry: I,
    queue: Mutex<Queue<I>>,
}

struct Queue<I: Inquiry> {
    waiting: VecDeque<Waiting<I>>,
    next_number: u64,
    num_groups: usize,
}

/// The place of a question in the queue, from which dropping this withdraws it.
struct Place<'a, I: Inquiry> {
    queue: &'a Mutex<Queue<I>>,
    number: u64,
}

struct Waiting<I: Inquiry> {
    /// In ascending order.
    number: u64,
    question: I::Question,
    asker: oneshot::Sender<Result<I::Answer, Fault>>,
}

impl<I: Inquiry> Together<I> {
    pub(crate) fn new(inquiry: I) -> Self {
        let queue = Queue { waiting: VecDeque::new(), next_number: 0, num_groups: 0 };
        Self(Arc::new(Shared { inquiry, queue: Mutex::new(queue) }))
    }

    /// Returns the answer to a question. Dropping this withdraws the question, unless it is being asked.
    pub(crate) async fn ask(&self, question: I::Question) -> Result<I::Answer, Fault> {
        let (asker, mut answer) = oneshot::channel();
        let (number, begins) = lock(&self.0.queue).push(question, asker);
        if begins {
            tokio::spawn(Arc::clone(&self.0).ask_all());
        }
        let place = Place { queue: &self.0.queue, number };
        let answer = match timeout(WAIT_PATIENCE, &mut answer).await {
            Ok(answer) => answer,
            Err(_) if place.withdraw() => return Err(Fault::Busy),
            Err(_) => answer.await,
        };
        answer.unwrap_or_else(|_| Err(Fault::panicked()))
    }
}

impl<I: Inquiry> Shared<I> {
    /// Asks one group after another, until nobody waits.
    async fn ask_all(self: Arc<Self>) {
        loop {
            let group = lock(&self.queue).next();
            if group.is_empty() {
                return;
            }
            let (askers, questions): (Vec<_>, _) =
                group.into_iter().map(|waiting| (waiting.asker, waiting.question)).unzip();
            let answers = AssertUnwindSafe(self.inquiry.ask(questions)).catch_unwind().await;
            for (asker, answer) in askers.into_iter().zip(answers.unwrap_or_default()) {
                let _ = asker.send(answer);
            }
        }
    }
}

impl<I: Inquiry> Place<'_, I> {
    /// Removes the question, unless it is being asked. Returns whether it was there.
    fn withdraw(&self) -> bool {
        let waiting = &mut lock(self.queue).waiting;
        let found = waiting.binary_search_by_key(&self.number, |waiting| waiting.number);
        found.is_ok_and(|index| waiting.remove(index).is_some())
    }
}

impl<I: Inquiry> Drop for Place<'_, I> {
    fn drop(&mut self) {
        self.withdraw();
    }
}

impl<I: Inquiry> Queue<I> {
    /// Adds a question. Returns its number, and whether a task is to begin asking.
    fn push(&mut self, question: I::Question, asker: oneshot::Sender<Result<I::Answer, Fault>>) -> (u64, bool) {
        let number = self.next_number;
        self.next_number += 1;
        self.waiting.push_back(Waiting { number, question, asker });
        let begins = self.num_groups < GROUPS_MAX;
        self.num_groups += usize::from(begins);
        (number, begins)
    }

    /// Removes those that are asked next. If nobody waits, a group has ended.
    fn next(&mut self) -> Vec<Waiting<I>> {
        let num_questions = self.waiting.len().min(QUESTIONS_MAX);
        self.num_groups -= usize::from(num_questions == 0);
        self.waiting.drain(..num_questions).collect()
    }
}

fn lock<I: Inquiry>(queue: &Mutex<Queue<I>>) -> MutexGuard<'_, Queue<I>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;
    use tokio::task::{JoinHandle, yield_now};

    use super::*;

    /// Answers with ten times the question, once it may, and notes how many were asked at once.
    struct Tenfold {
        groups: Mutex<Vec<usize>>,
        may_answer: Semaphore,
    }

    impl Inquiry for Arc<Tenfold> {
        type Question = usize;
        type Answer = usize;

        async fn ask(&self, questions: Vec<usize>) -> Vec<Result<usize, Fault>> {
            self.groups.lock().expect("whole").push(questions.len());
            self.may_answer.acquire().await.expect("open").forget();
            assert!(!questions.contains(&13), "bad luck");
            questions.iter().map(|question| Ok(10 * question)).collect()
        }
    }

    type Task = JoinHandle<Result<usize, Fault>>;

    fn tenfold() -> (Arc<Tenfold>, Arc<Together<Arc<Tenfold>>>) {
        let tenfold = Arc::new(Tenfold { groups: Mutex::default(), may_answer: Semaphore::new(0) });
        (Arc::clone(&tenfold), Arc::new(Together::new(tenfold)))
    }

    fn ask(together: &Arc<Together<Arc<Tenfold>>>, question: usize) -> Task {
        let together = Arc::clone(together);
        tokio::spawn(async move { together.ask(question).await })
    }

    /// Has as many groups under way as there may be, with a question each, from 0.
    async fn begin_groups(tenfold: &Tenfold, together: &Arc<Together<Arc<Tenfold>>>) -> Vec<Task> {
        let mut tasks = Vec::new();
        for question in 0..GROUPS_MAX {
            tasks.push(ask(together, question));
            while tenfold.groups.lock().expect("whole").len() < tasks.len() {
                yield_now().await;
            }
        }
        tasks
    }

    async fn assert_tenfold(tasks: Vec<Task>) {
        for (task, question) in tasks.into_iter().zip(0..) {
            assert_eq!(task.await.expect("no panic").ok(), Some(10 * question));
        }
    }

    #[tokio::test]
    async fn those_who_come_while_groups_are_under_way_ask_together() {
        let (tenfold, together) = tenfold();
        let mut tasks = begin_groups(&tenfold, &together).await;
        // Nobody asks 13, which panics.
        tasks.extend((GROUPS_MAX..13).map(|question| ask(&together, question)));
        let num_others = 2 * QUESTIONS_MAX;
        let others: Vec<_> = (0..num_others).map(|_| ask(&together, 1)).collect();
        let num_waiting = tasks.len() - GROUPS_MAX + num_others;
        while lock(&together.0.queue).waiting.len() < num_waiting {
            yield_now().await;
        }
        tenfold.may_answer.add_permits(num_waiting);
        assert_tenfold(tasks).await;
        for task in others {
            assert_eq!(task.await.expect("no panic").ok(), Some(10));
        }
        let groups = tenfold.groups.lock().expect("whole").clone();
        assert_eq!(groups, [1, 1, QUESTIONS_MAX, QUESTIONS_MAX, num_waiting - 2 * QUESTIONS_MAX]);
        assert_eq!(lock(&together.0.queue).num_groups, 0);
    }

    #[tokio::test]
    async fn a_panic_leaves_only_its_own_group_without_answers() {
        let (tenfold, together) = tenfold();
        tenfold.may_answer.add_permits(100);
        for _ in 0..=GROUPS_MAX {
            assert!(matches!(together.ask(13).await, Err(Fault::Unknown(_))));
        }
        assert_eq!(together.ask(1).await.ok(), Some(10));
    }

    #[tokio::test]
    async fn the_question_of_who_gives_up_is_not_asked() {
        let (tenfold, together) = tenfold();
        let first = begin_groups(&tenfold, &together).await;
        let given_up = ask(&together, 7);
        while lock(&together.0.queue).waiting.is_empty() {
            yield_now().await;
        }
        given_up.abort();
        assert!(given_up.await.is_err_and(|error| error.is_cancelled()));
        assert!(lock(&together.0.queue).waiting.is_empty());
        tenfold.may_answer.add_permits(GROUPS_MAX);
        assert_tenfold(first).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_waits_for_its_turn_only_so_long_and_for_its_answer_longer() {
        let (tenfold, together) = tenfold();
        let first = begin_groups(&tenfold, &together).await;
        assert!(matches!(ask(&together, 7).await.expect("no panic"), Err(Fault::Busy)));
        tenfold.may_answer.add_permits(GROUPS_MAX);
        assert_tenfold(first).await;
        assert_eq!(tenfold.groups.lock().expect("whole").iter().sum::<usize>(), GROUPS_MAX);
    }
}
