//! The cost limit of an answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The work that may be done for an answer. A unit is one posting that is read, or other work of
/// the same duration: a nanosecond or two. If the effort ends early, the result is incomplete.
#[derive(Debug)]
pub struct Effort {
    left: AtomicU64,
    is_cancelled: AtomicBool,
}

/// The costs of the most frequent operations.
pub(crate) const TERM: u64 = 30;
pub(crate) const LOOK_UP: u64 = 100;
pub(crate) const MATCH: u64 = 200;
pub(crate) const FIND: u64 = 500;

/// The number of bits of a set that are made and combined for one unit.
pub(crate) const BITS_PER_UNIT: u64 = 16;

impl Effort {
    /// Returns an effort without a limit.
    pub const fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Returns an effort of `work` units.
    pub const fn new(work: u64) -> Self {
        Self { left: AtomicU64::new(work), is_cancelled: AtomicBool::new(false) }
    }

    /// Allows `work` units from now on, whatever was done before.
    pub fn renew(&self, work: u64) {
        self.left.store(work, Ordering::Relaxed);
    }

    /// Ends the effort, since nobody waits for the answer any more.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Counts work that is done. Threads that work for one answer at the same time may count too
    /// little.
    pub fn spend(&self, work: u64) {
        self.left.store(self.left.load(Ordering::Relaxed).saturating_sub(work), Ordering::Relaxed);
    }

    /// Returns whether all allowed work is done.
    pub fn is_spent(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// Returns whether work may continue: the effort is neither spent nor cancelled.
    pub fn may_continue(&self) -> bool {
        !self.is_spent() && !self.is_cancelled.load(Ordering::Relaxed)
    }
}
