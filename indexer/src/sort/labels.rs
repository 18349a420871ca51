//! Texts in keys, by their numbers.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

/// The memory of a label besides its text, which is kept twice.
const LABEL_BYTES: usize = 64;

/// Texts that are numbered in the order in which they come, for keys with their numbers instead of
/// themselves. When keys are compared, the numbers are replaced by the ranks of the texts.
#[derive(Default)]
pub struct Labels {
    texts: Vec<Box<str>>,
    /// The numbers of short texts, which are found with one read of memory.
    short: FxHashMap<u128, u32>,
    long: HashMap<Box<str>, u32>,
    num_bytes: usize,
}

/// The rank of each number, and the number of each rank.
#[derive(Default)]
pub(super) struct Order {
    pub(super) ranks: Vec<u32>,
    pub(super) numbers: Vec<u32>,
}

impl Labels {
    /// Returns the number of a text. A new one gets the next number, or `None` if all
    /// would then take more than `max_bytes`.
    pub fn number(&mut self, text: &str, max_bytes: usize) -> Option<u32> {
        let short = packed(text);
        let known = short.map_or_else(|| self.long.get(text), |short| self.short.get(&short));
        if known.is_some() {
            return known.copied();
        }
        let num_bytes = self.num_bytes + LABEL_BYTES + 2 * text.len();
        let number = u32::try_from(self.texts.len()).ok().filter(|_| num_bytes <= max_bytes)?;
        self.num_bytes = num_bytes;
        self.texts.push(text.into());
        match short {
            Some(short) => self.short.insert(short, number),
            None => self.long.insert(text.into(), number),
        };
        Some(number)
    }

    /// Returns all texts in their order.
    pub fn sorted(&self) -> Vec<Box<str>> {
        let mut texts = self.texts.clone();
        texts.sort_unstable();
        texts
    }

    pub(super) fn order(&self) -> Order {
        let mut numbers: Vec<u32> = (0..).zip(&self.texts).map(|(number, _)| number).collect();
        numbers.sort_unstable_by_key(|number| &self.texts[*number as usize]);
        let mut ranks = vec![0; numbers.len()];
        for (rank, number) in (0..).zip(&numbers) {
            ranks[*number as usize] = rank;
        }
        Order { ranks, numbers }
    }
}

/// Returns a text of at most 15 bytes and its length as a number.
fn packed(text: &str) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes.get_mut(..text.len()).filter(|_| text.len() < 16)?.copy_from_slice(text.as_bytes());
    bytes[15] = u8::try_from(text.len()).ok()?;
    Some(u128::from_le_bytes(bytes))
}
