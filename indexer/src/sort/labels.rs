//! Texts in keys, by their numbers.

use std::collections::HashMap;

/// Texts that are numbered in the order in which they come, for keys with their numbers instead of
/// themselves. When keys are compared, the numbers are replaced by the ranks of the texts.
#[derive(Default)]
pub struct Labels {
    numbers: HashMap<Box<str>, u32>,
    num_bytes: usize,
}

/// The memory of a label but its text.
const LABEL_BYTES: usize = 64;

/// The rank of each number, and the number of each rank.
#[derive(Default)]
pub(super) struct Order {
    pub(super) ranks: Vec<u32>,
    pub(super) numbers: Vec<u32>,
}

impl Labels {
    /// Returns the number of a text. A new one gets the next number, or `None` if it would take more
    /// memory.
    pub fn number(&mut self, text: &str, max_bytes: usize) -> Option<u32> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        let num_bytes = self.num_bytes + LABEL_BYTES + text.len();
        let number = u32::try_from(self.numbers.len()).ok().filter(|_| num_bytes <= max_bytes)?;
        self.numbers.insert(text.into(), number);
        self.num_bytes = num_bytes;
        Some(number)
    }

    /// Returns all texts in their order.
    pub fn sorted(&self) -> Vec<Box<str>> {
        self.by_text().into_iter().map(|(text, _)| text.into()).collect()
    }

    pub(super) fn order(&self) -> Order {
        let numbers: Vec<u32> = self.by_text().into_iter().map(|(_, number)| number).collect();
        let mut ranks = vec![0; numbers.len()];
        for (rank, number) in (0..).zip(&numbers) {
            ranks[*number as usize] = rank;
        }
        Order { ranks, numbers }
    }

    fn by_text(&self) -> Vec<(&str, u32)> {
        let mut texts: Vec<_> = self.numbers.iter().map(|(text, number)| (&**text, *number)).collect();
        texts.sort_unstable();
        texts
    }
}
