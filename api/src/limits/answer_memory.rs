//! The memory of answers that are being made, or were not read yet.

use super::places::{Holders, Places, Taken};

/// How many bytes of an answer are not counted: those of most answers.
const FREE_BYTES: usize = 64 << 10;

/// What the answers of a service may take all together.
#[derive(Clone, Debug)]
pub(crate) struct AnswerMemory(Places);

/// What one answer takes, until this is dropped.
#[derive(Debug)]
pub(super) struct AnswerShare {
    memory: AnswerMemory,
    holders: Holders,
    num_bytes: usize,
    counted: Option<Taken>,
}

impl AnswerMemory {
    /// Memory is counted in these.
    pub(super) const UNIT_BYTES: usize = 1 << 10;

    /// Allows answers so many units.
    pub(super) fn new(units: Places) -> Self {
        Self(units)
    }

    /// Returns what an answer takes that is not begun.
    pub(super) fn none(&self, holders: Holders) -> AnswerShare {
        AnswerShare { memory: self.clone(), holders, num_bytes: 0, counted: None }
    }
}

impl AnswerShare {
    /// Takes so many bytes more. Returns whether there were as many; if not, nothing changes.
    pub(super) fn add(&mut self, num_bytes: usize) -> bool {
        self.set(self.num_bytes.saturating_add(num_bytes))
    }

    pub(super) fn set(&mut self, num_bytes: usize) -> bool {
        let wanted = num_bytes.saturating_sub(FREE_BYTES).div_ceil(AnswerMemory::UNIT_BYTES);
        let has_room = match &mut self.counted {
            Some(counted) => counted.set(wanted),
            None if wanted == 0 => true,
            None => {
                self.counted = self.memory.0.try_take(self.holders, wanted);
                self.counted.is_some()
            }
        };
        self.num_bytes = if has_room { num_bytes } else { self.num_bytes };
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_take_what_they_need_and_give_it_back() {
        let memory = AnswerMemory::new(Places::new(100, 100));
        let (mut one, mut other) = (memory.none(Holders::default()), memory.none(Holders::default()));
        assert!(one.add(64 << 10) && other.add(64 << 10), "small ones are not counted");
        assert!(one.add(60 << 10) && other.add(40 << 10));
        assert!(!other.add(1) && !one.set(125 << 10), "all is taken");
        assert!(one.set(80 << 10) && other.add(44 << 10) && !other.add(1));
        drop(one);
        assert!(other.add(16 << 10) && !other.add(1));
        assert!(other.set(0) && memory.none(Holders::default()).add(164 << 10));
    }
}
