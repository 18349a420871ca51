//! The documents of a segment whose number is in a range.

use std::ops::{Range, RangeInclusive};

use fixedbitset::FixedBitSet;
use tantivy::DocId;

use crate::segments::segment::NumberColumn;

use super::postings::Postings;
use super::{Work, bit_doc};

/// The work of reading a number.
pub(crate) const NUMBER_WORK: u64 = 8;

/// The most documents of a block of postings.
const BLOCK_DOCS: usize = 128;

/// Documents whose number is in a range.
pub(super) struct NumberRange<'a> {
    pub(super) column: NumberColumn<'a>,
    pub(super) range: RangeInclusive<u64>,
    /// The postings of the buckets inside the range.
    pub(super) inside: Vec<Postings>,
    /// The postings of the buckets that lie partly in the range.
    pub(super) edges: Vec<Postings>,
}

impl NumberRange<'_> {
    /// Reads all numbers at once, so that the processor waits for memory once.
    pub(super) fn keep(&self, window: &Range<DocId>, bits: &mut FixedBitSet, work: &mut Work) {
        let docs: Vec<DocId> = bits.ones().map(|bit| window.start + bit_doc(bit)).collect();
        let mut values = vec![0; docs.len()];
        self.column.get_all(&docs, &mut values);
        work.spent += docs.len() as u64 * NUMBER_WORK;
        for (doc, value) in docs.into_iter().zip(values) {
            bits.set((doc - window.start) as usize, self.range.contains(&value));
        }
    }

    pub(super) fn add(&mut self, window: &Range<DocId>, bits: &mut FixedBitSet, work: &mut Work) {
        self.inside.iter_mut().for_each(|postings| postings.add(window, bits, work));
        let Self { column, range, .. } = self;
        let mut values = [0; BLOCK_DOCS];
        let mut num_read = 0;
        for postings in &mut self.edges {
            postings.visit(window, work, |docs| {
                let values = &mut values[..docs.len()];
                column.get_all(docs, values);
                num_read += docs.len() as u64;
                for (doc, value) in docs.iter().zip(values) {
                    if range.contains(value) {
                        bits.insert((doc - window.start) as usize);
                    }
                }
            });
        }
        work.spent += num_read * NUMBER_WORK;
    }
}
