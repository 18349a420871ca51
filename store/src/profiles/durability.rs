//! What is on the disk, and who waits for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

use crate::{Error, Result};

/// How far the commits are.
#[derive(Debug, Default)]
pub(super) struct Durability {
    /// The last commit of which something may be readable.
    begun: AtomicU64,
    /// The last commit that is on the disk, and with it all before it.
    durable: AtomicU64,
    /// Why there will be no further ones.
    failure: OnceLock<String>,
    /// Held while somebody decides to wait.
    lock: Mutex<()>,
    /// Told when a commit is on the disk, or failed.
    changed: Condvar,
}

impl Durability {
    /// Starts where all up to a commit is on the disk.
    pub(super) fn new(durable: u64) -> Self {
        Self { begun: AtomicU64::new(durable), durable: AtomicU64::new(durable), ..Self::default() }
    }

    /// Says that a commit is about to be applied, so that what it writes may be read from now on.
    pub(super) fn begin(&self, commit: u64) {
        self.begun.store(commit, Ordering::SeqCst);
    }

    /// Says that a commit is on the disk.
    pub(super) fn publish(&self, commit: u64) {
        self.durable.store(commit, Ordering::SeqCst);
        self.tell();
    }

    /// Returns the last commit that is on the disk.
    pub(super) fn durable(&self) -> u64 {
        self.durable.load(Ordering::SeqCst)
    }

    /// Returns the commit that is under way.
    pub(super) fn under_way(&self) -> Option<u64> {
        let begun = self.begun.load(Ordering::SeqCst);
        (begun > self.durable()).then_some(begun)
    }

    /// Says that the store does not work any more. The first reason counts.
    pub(super) fn fail(&self, problem: String) {
        let _ = self.failure.set(problem);
        self.tell();
    }

    /// Returns why the store does not work any more.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Checks that the store works.
    pub(super) fn check(&self) -> Result<()> {
        match self.failure() {
            Some(problem) => Err(Error::ProfilesFailed { problem: problem.to_owned() }),
            None => Ok(()),
        }
    }

    /// Waits until a commit is on the disk.
    pub(super) fn wait_for(&self, commit: u64) -> Result<()> {
        let is_durable = || self.durable() >= commit;
        if is_durable() {
            return Ok(());
        }
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !is_durable() {
            self.check()?;
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    /// Waits until all that can have been read by now is on the disk.
    pub(super) fn wait_for_begun(&self) -> Result<()> {
        self.wait_for(self.begun.load(Ordering::SeqCst))
    }

    /// Wakes all who wait.
    fn tell(&self) {
        // Whoever has looked and not found it is waiting by the time that the lock is free.
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_wait_wake_when_it_is_on_the_disk_or_failed() {
        let durability = Durability::new(4);
        durability.wait_for(4).expect("on the disk from the start");
        durability.begin(5);
        std::thread::scope(|scope| {
            let waiting: Vec<_> = (0..8).map(|_| scope.spawn(|| durability.wait_for_begun())).collect();
            durability.publish(5);
            assert!(waiting.into_iter().all(|waiting| waiting.join().expect("no panic").is_ok()));
            durability.begin(6);
            let waiting: Vec<_> = (0..8).map(|_| scope.spawn(|| durability.wait_for_begun())).collect();
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
