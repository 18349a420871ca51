//! The memory of answers that are being made, or were not read yet.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many bytes of an answer are not counted: those of most answers.
const FREE_BYTES: usize = 64 << 10;

const UNIT_BYTES: usize = 1 << 10;

/// What the answers of a service may take all together.
#[derive(Clone, Debug)]
pub(crate) struct AnswerMemory(Arc<Semaphore>);

/// What one answer takes, until this is dropped.
#[derive(Debug)]
pub(super) struct AnswerShare {
    memory: AnswerMemory,
    num_bytes: usize,
    counted: Option<OwnedSemaphorePermit>,
}

impl AnswerMemory {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self(Arc::new(Semaphore::new((bytes_max / UNIT_BYTES).min(Semaphore::MAX_PERMITS))))
    }

    /// Returns what an answer takes that is not begun.
    pub(super) fn none(&self) -> AnswerShare {
        AnswerShare { memory: self.clone(), num_bytes: 0, counted: None }
    }
}

impl AnswerShare {
    /// Takes so many bytes more. Returns whether there were as many; if not, nothing changes.
    pub(super) fn add(&mut self, num_bytes: usize) -> bool {
        self.set(self.num_bytes.saturating_add(num_bytes))
    }

    pub(super) fn set(&mut self, num_bytes: usize) -> bool {
        let wanted = num_bytes.saturating_sub(FREE_BYTES).div_ceil(UNIT_BYTES);
        let held = self.counted.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        if wanted > held {
            let Ok(missing) = u32::try_from(wanted - held) else { return false };
            let Ok(taken) = Arc::clone(&self.memory.0).try_acquire_many_owned(missing) else { return false };
            match &mut self.counted {
                Some(counted) => counted.merge(taken),
                None => self.counted = Some(taken),
            }
        } else if let Some(counted) = &mut self.counted {
            drop(counted.split(held - wanted));
        }
        self.num_bytes = num_bytes;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_take_what_they_need_and_give_it_back() {
        let memory = AnswerMemory::new(100 << 10);
        let (mut one, mut other) = (memory.none(), memory.none());
        assert!(one.add(64 << 10) && other.add(64 << 10), "small ones are not counted");
        assert!(one.add(60 << 10) && other.add(40 << 10));
        assert!(!other.add(1) && !one.set(125 << 10), "all is taken");
        assert!(one.set(80 << 10) && other.add(44 << 10) && !other.add(1));
        drop(one);
        assert!(other.add(16 << 10) && !other.add(1));
        assert!(other.set(0) && memory.none().add(164 << 10));
    }
}
