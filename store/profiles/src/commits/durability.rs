//! The commits that are on the disk, and waiting for them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

use store::{Error, Result, lock};

#[derive(Debug, Default)]
pub(crate) struct Durability {
    /// The last commit that may be partly readable.
    last_begun: AtomicU64,
    /// The last commit on the disk. All earlier commits are on the disk, too.
    durable: AtomicU64,
    failure: OnceLock<String>,
    /// Held while a thread decides to wait.
    lock: Mutex<()>,
    /// Notified when a commit is on the disk, or failed.
    changed: Condvar,
}

impl Durability {
    pub(crate) fn new(durable: u64) -> Self {
        Self { last_begun: AtomicU64::new(durable), durable: AtomicU64::new(durable), ..Self::default() }
    }

    /// Records that a commit is about to be applied: its writes may be read from now on.
    pub(crate) fn begin(&self, commit: u64) {
        self.last_begun.store(commit, Ordering::SeqCst);
    }

    pub(crate) fn publish(&self, commit: u64) {
        self.durable.store(commit, Ordering::SeqCst);
        self.wake_all();
    }

    fn durable(&self) -> u64 {
        self.durable.load(Ordering::SeqCst)
    }

    /// Returns the commit that is not on the disk yet.
    pub(crate) fn under_way(&self) -> Option<u64> {
        let last_begun = self.last_begun.load(Ordering::SeqCst);
        (last_begun > self.durable()).then_some(last_begun)
    }

    /// Records that the store no longer works. The first reason counts.
    pub(crate) fn fail(&self, problem: String) {
        let _ = self.failure.set(problem);
        self.wake_all();
    }

    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    pub(crate) fn check(&self) -> Result<()> {
        match self.failure() {
            Some(problem) => Err(Error::ProfilesFailed(problem.to_owned())),
            None => Ok(()),
        }
    }

    pub(crate) fn wait_for(&self, commit: u64) -> Result<()> {
        let is_durable = || self.durable() >= commit;
        if is_durable() {
            return Ok(());
        }
        let mut guard = lock(&self.lock);
        while !is_durable() {
            self.check()?;
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    /// Waits until all data that may have been read by now are on the disk.
    pub(crate) fn wait_for_readable(&self) -> Result<()> {
        self.wait_for(self.last_begun.load(Ordering::SeqCst))
    }

    fn wake_all(&self) {
        // A thread that has checked and decided to wait is waiting by the time the lock is free.
        drop(lock(&self.lock));
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_threads_wake_after_the_sync_or_a_failure() {
        let durability = Durability::new(4);
        durability.wait_for(4).expect("on the disk from the start");
        durability.begin(5);
        std::thread::scope(|scope| {
            let waiting: Vec<_> = (0..8).map(|_| scope.spawn(|| durability.wait_for_readable())).collect();
            durability.publish(5);
            assert!(waiting.into_iter().all(|waiting| waiting.join().expect("no panic").is_ok()));
            durability.begin(6);
            let waiting: Vec<_> = (0..8).map(|_| scope.spawn(|| durability.wait_for_readable())).collect();
            durability.fail("the disk is gone".into());
            durability.fail("another reason".into());
            for waiting in waiting {
                let error = waiting.join().expect("no panic").expect_err("a failure").to_string();
                assert!(error.contains("the disk is gone"), "{error}");
            }
        });
        assert!(durability.check().is_err());
    }
}
