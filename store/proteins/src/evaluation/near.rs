//! Proteins that have others beside them on contigs.
//!
//! The genes of a protein are examined a few at a time, with those around them. The proteins beside
//! many candidates are gathered and sorted, so that they ascend in each segment, and the condition
//! is tried on each of them once.

use fixedbitset::FixedBitSet;
use store::{ProteinAccession, Result};
use store_context::contigs::Places;
use tantivy::DocId;

use crate::ProteinGeneration;
use crate::query::ProteinQuery;
use crate::segments::segment::Segment;

use super::node::{Node, SEEK_WORK};
use super::{Trial, Work, bit_doc};

/// The work of reading and decoding a page.
pub(crate) const PAGE_WORK: u64 = 2_500;

/// The work of reading the genes around a protein, roughly.
pub(super) const CANDIDATE_WORK: u64 = 4 * PAGE_WORK;

/// The most parts of the genes of a protein that are examined: a thousand genes.
const PARTS_MAX: usize = 1000 / Places::PART_GENES;

/// The work of finding the document of an accession.
pub(crate) const FIND_WORK: u64 = 64;

/// The work of trying the proteins that were gathered.
const TRIALS_WORK: u64 = 1 << 18;

pub(super) struct Near<'a> {
    pub(super) of: Node<'a>,
    generation: &'a ProteinGeneration,
    segment: &'a Segment,
    condition: &'a ProteinQuery,
    places: Places<'a>,
    /// The most genes to another protein, and whether it is on the same strand.
    reach: (u64, bool),
    /// The most proteins that are gathered before they are tried.
    num_gathered_max: u64,
}

impl<'a> Near<'a> {
    pub(super) fn new(
        of: Node<'a>,
        condition: &'a ProteinQuery,
        places: Places<'a>,
        reach: (u64, bool),
        generation: &'a ProteinGeneration,
        segment: &'a Segment,
    ) -> Self {
        let work = SEEK_WORK * (condition.num_terms() as u64).max(1);
        // The genes around all of these would be read.
        let num_gathered_max = if condition.has_near() { 1 } else { TRIALS_WORK / work };
        Self { of, generation, segment, condition, places, reach, num_gathered_max }
    }

    /// Removes the documents that have no protein beside them from a set of matches of the first
    /// condition. An error is left in the work.
    pub(super) fn keep(&mut self, start: DocId, bits: &mut FixedBitSet, work: &mut Work) {
        let mut found = FixedBitSet::with_capacity(bits.len());
        if let Err(error) = self.find(start, bits, &mut found, work) {
            work.fail(error);
        }
        *bits = found;
    }

    fn find(&mut self, start: DocId, bits: &FixedBitSet, found: &mut FixedBitSet, work: &mut Work) -> Result<()> {
        let (mut beside, mut gathered) = (Vec::new(), Vec::new());
        for bit in bits.ones() {
            let doc = start + bit_doc(bit);
            if work.ends_before(doc) {
                break;
            }
            let protein = self.segment.hit(doc)?.accession;
            let mut after = None;
            for _ in 0..PARTS_MAX {
                after = self.places.beside(protein, self.reach, after, &mut beside)?;
                work.spend(PAGE_WORK * self.places.take_reads());
                work.check()?;
                gathered.extend(beside.drain(..).map(|protein| (protein, bit)));
                if gathered.len() as u64 >= self.num_gathered_max {
                    self.try_all(&mut gathered, found, work)?;
                }
                if after.is_none() || found.contains(bit) {
                    break;
                }
            }
        }
        self.try_all(&mut gathered, found, work)
    }

    /// Tries the condition on proteins, each with the bit of the document that it is beside.
    fn try_all(
        &self,
        gathered: &mut Vec<(ProteinAccession, usize)>,
        found: &mut FixedBitSet,
        work: &mut Work,
    ) -> Result<()> {
        gathered.sort_unstable();
        gathered.dedup();
        let window = work.window.take();
        let mut open: Option<(&Segment, Trial<'_>, Option<DocId>)> = None;
        for group in gathered.chunk_by(|one, other| one.0 == other.0) {
            let protein = group[0].0;
            let Some(segment) = self.generation.segment_of(protein) else { continue };
            if group.iter().all(|(_, bit)| found.contains(*bit)) {
                continue;
            }
            let (_, trial, previous) = match &mut open {
                Some(open) if std::ptr::eq(open.0, segment) => open,
                open => open.insert((segment, Trial::new(self.condition, self.generation, segment, work)?, None)),
            };
            work.spend(FIND_WORK);
            let Some(doc) = segment.find(protein, *previous) else { continue };
            *previous = Some(doc);
            if trial.matches(doc, work)? {
                found.extend(group.iter().map(|(_, bit)| *bit));
            }
            work.check()?;
        }
        gathered.clear();
        work.window = window;
        Ok(())
    }
}
