//! Memory that many requests use at the same time. A small part of each share is not counted.

use super::places::{Holders, Places, TakenPlaces};

/// The unit in which memory is counted.
const UNIT_BYTES: usize = 1 << 10;

/// A limited amount of memory, shared out like [`Places`].
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    units: Places,
    /// The bytes of each share that are not counted. Most shares are smaller.
    free_bytes: usize,
}

/// Memory that is reserved until this is dropped.
#[derive(Debug)]
pub(crate) struct MemoryShare {
    memory: Memory,
    holders: Holders,
    num_bytes: usize,
    counted: Option<TakenPlaces>,
}

impl Memory {
    /// Allows `bytes_max` bytes, in addition to the free bytes of each share. One holder may have
    /// at most `part / whole` of them.
    pub(crate) fn shared(bytes_max: usize, free_bytes: usize, part: usize, whole: usize) -> Self {
        Self { units: Places::shared(bytes_max / UNIT_BYTES, part, whole), free_bytes }
    }

    /// Returns a share without any bytes.
    pub(crate) fn none(&self, holders: Holders) -> MemoryShare {
        MemoryShare { memory: self.clone(), holders, num_bytes: 0, counted: None }
    }
}

impl MemoryShare {
    /// Takes `num_bytes` more. Returns whether they are available; if not, nothing changes.
    pub(crate) fn add(&mut self, num_bytes: usize) -> bool {
        self.set(self.num_bytes.saturating_add(num_bytes))
    }

    /// Takes `num_bytes` in place of the present ones. Returns whether they are available; if not,
    /// nothing changes.
    pub(crate) fn set(&mut self, num_bytes: usize) -> bool {
        let wanted = num_bytes.saturating_sub(self.memory.free_bytes).div_ceil(UNIT_BYTES);
        let has_room = match &mut self.counted {
            Some(counted) => counted.set(wanted),
            None if wanted == 0 => true,
            None => {
                self.counted = self.memory.units.try_take(self.holders, wanted);
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
    fn shares_take_what_they_need_and_give_it_back() {
        let memory = Memory::shared(100 << 10, 64 << 10, 1, 1);
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
