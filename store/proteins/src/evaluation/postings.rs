//! The postings of a term, read forwards.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use tantivy::DocId;
use tantivy::postings::BlockSegmentPostings;

use super::Work;

/// The work of decoding a block.
const BLOCK_WORK: u64 = 64;

/// The shift for the number of documents of a block.
const BLOCK_SHIFT: u32 = 7;

/// Fractional bits of a density.
const DENSITY_SHIFT: u32 = 32;

pub(super) struct Postings {
    blocks: BlockSegmentPostings,
    /// The position in the block. It is inside, or at the end of the last block.
    position: usize,
    /// The part of all documents that have the term, in [`DENSITY_SHIFT`] bits.
    density: u64,
}

impl Postings {
    pub(super) fn new(blocks: BlockSegmentPostings, num_docs: DocId) -> Self {
        let density = (u64::from(blocks.doc_freq()) << DENSITY_SHIFT) / u64::from(num_docs.max(1));
        Self { blocks, position: 0, density }
    }

    pub(super) fn doc_freq(&self) -> u64 {
        self.blocks.doc_freq().into()
    }

    /// Moves to the first document that is not before `doc`, and returns it, or
    /// [`tantivy::TERMINATED`].
    pub(super) fn seek(&mut self, doc: DocId, work: &mut Work) -> DocId {
        let current = self.blocks.doc(self.position);
        if current >= doc {
            work.spent += 2;
            return current;
        }
        // The skip list is read entry by entry.
        let num_skipped = (u64::from(doc - current) * self.density) >> (DENSITY_SHIFT + BLOCK_SHIFT);
        work.spent += BLOCK_WORK + num_skipped;
        self.position = self.blocks.seek(doc);
        self.blocks.doc(self.position)
    }

    /// Adds the documents of a window, a block at a time.
    pub(super) fn add(&mut self, window: &Range<DocId>, bits: &mut FixedBitSet, work: &mut Work) {
        self.visit(window, work, |docs| docs.iter().for_each(|doc| bits.insert((doc - window.start) as usize)));
    }

    /// Visits the documents of a window, a block at a time.
    pub(super) fn visit(&mut self, window: &Range<DocId>, work: &mut Work, mut visit: impl FnMut(&[DocId])) {
        if self.seek(window.start, work) >= window.end {
            return;
        }
        loop {
            let docs = &self.blocks.docs()[self.position..];
            let num_inside = docs.partition_point(|&doc| doc < window.end);
            visit(&docs[..num_inside]);
            work.spent += num_inside as u64;
            if num_inside < docs.len() || docs.is_empty() {
                self.position += num_inside;
                return;
            }
            work.spent += BLOCK_WORK;
            self.blocks.advance();
            self.position = 0;
        }
    }
}
