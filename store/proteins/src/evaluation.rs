//! The evaluation of a query, segment by segment, in windows of neighbouring documents.
//!
//! A query becomes a tree of postings of a segment (`compile`). The tree returns the next document
//! that can match, using the skip lists of the engine, and a window of documents begins there. All
//! matches in the window are found at once, as a set of bits (`node`): unions add to it;
//! conjunctions begin with the rarest part and keep the documents that the other parts have, by
//! looking up the few remaining documents or by intersecting sets. Windows begin small, so that a
//! first page is quick, and grow; after a gap they begin small again. Between two windows the work
//! done is compared with the budget.
//!
//! The genes around proteins (`near`) are read from files, last of all parts. If the budget is
//! spent meanwhile, the window ends before the next protein.

mod compile;
mod near;
mod node;
mod number_range;
mod postings;

use std::ops::{ControlFlow, Range};

use fixedbitset::FixedBitSet;
use store::{Error, ProteinAccession, Result};
use tantivy::DocId;

use super::ProteinGeneration;
use super::page::PAGE_BUDGET;
use super::query::ProteinQuery;
use super::segments::segment::Segment;

use compile::compile;
pub(super) use near::{FIND_WORK, PAGE_WORK};
use node::Node;
pub(super) use number_range::NUMBER_WORK;

/// The number of documents of the first window, and of the first one after a gap. Each of the next
/// windows doubles.
const FIRST_WINDOW_DOCS: DocId = 256;

/// A gap of this number of documents without candidates resets the window: most of a large one
/// would be examined in vain.
const GAP_DOCS: DocId = 4096;

/// The most documents of a window. A set of that number of bits fits several times into the
/// first-level cache.
const WINDOW_DOCS_MAX: u64 = 1 << 15;

/// The part of the budget that a window may spend. At least one window is evaluated, even with a
/// very small budget.
const WINDOWS_PER_BUDGET: u64 = 16;

/// The most work that the evaluation of one document may take beyond the budget.
const OVERRUN_MAX: u64 = 4 * PAGE_BUDGET;

/// The spent part of a budget. A unit is one decoded posting, or other work of the same duration: a
/// nanosecond or two.
#[derive(Debug)]
pub(super) struct Work {
    spent: u64,
    budget: u64,
    /// The documents of a window that are examined. Their end is moved down if the budget is spent
    /// before. `None` while single documents are tried.
    window: Option<Range<DocId>>,
    /// The first error of the evaluation.
    failure: Option<Error>,
}

impl Work {
    pub(super) fn new(budget: u64) -> Self {
        Self { spent: 0, budget, window: None, failure: None }
    }

    pub(super) fn spend(&mut self, work: u64) {
        self.spent += work;
    }

    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    pub(super) fn left(&self) -> u64 {
        self.budget.saturating_sub(self.spent)
    }

    pub(super) fn is_spent(&self) -> bool {
        self.spent >= self.budget
    }

    /// Returns whether the budget is spent before a document, so that it is not examined. The first
    /// one of a window always is examined.
    fn ends_before(&mut self, doc: DocId) -> bool {
        let is_spent = self.is_spent();
        let Some(window) = &mut self.window else { return false };
        if is_spent && window.start < doc {
            window.end = window.end.min(doc);
        }
        doc >= window.end
    }

    /// Ends the evaluation of a document that takes far more than the budget.
    fn check(&self) -> Result<()> {
        if self.spent.saturating_sub(self.budget) > OVERRUN_MAX { Err(Error::TooMuchWork) } else { Ok(()) }
    }

    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    fn check_failure(&mut self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }
}

/// The matches in a window of a segment.
pub(super) struct Matches<'a> {
    pub(super) segment: &'a Segment,
    /// The first row of the segment.
    first_row: u64,
    start: DocId,
    bits: FixedBitSet,
}

impl Matches<'_> {
    pub(super) fn count(&self) -> usize {
        self.bits.count_ones(..)
    }

    pub(super) fn docs(&self) -> impl Iterator<Item = DocId> {
        self.bits.ones().map(|bit| self.start + bit_doc(bit))
    }

    /// Returns the row of a document.
    pub(super) fn row(&self, doc: DocId) -> u64 {
        self.first_row + u64::from(doc)
    }
}

/// A query of single documents of a segment, which must ascend.
pub(super) struct Trial<'a>(Node<'a>);

impl<'a> Trial<'a> {
    pub(super) fn new(
        query: &'a ProteinQuery,
        generation: &'a ProteinGeneration,
        segment: &'a Segment,
        work: &mut Work,
    ) -> Result<Self> {
        compile(query, generation, segment, work).map(Self)
    }

    pub(super) fn matches(&mut self, doc: DocId, work: &mut Work) -> Result<bool> {
        let is_match = self.0.contains(doc, work);
        work.check_failure().map(|()| is_match)
    }

    /// Returns roughly the work of trying one document.
    pub(super) fn work_of_one(&self) -> u64 {
        self.0.lookup
    }

    /// Returns roughly the work of finding all matches of the segment.
    pub(super) fn work_of_all(&self) -> u64 {
        self.0.num_postings
    }
}

/// Passes the matches in some segments of a generation after a cursor to `visit`, window by window,
/// until it breaks, the budget is spent, or no matches are left. Returns the last examined
/// accession if further matches may follow it.
pub(super) fn walk(
    generation: &ProteinGeneration,
    segments: &[Segment],
    query: &ProteinQuery,
    after: Option<ProteinAccession>,
    work: &mut Work,
    mut visit: impl FnMut(&Matches<'_>, &mut Work) -> Result<ControlFlow<()>>,
) -> Result<Option<ProteinAccession>> {
    let first = after.map_or(0, |after| segments.partition_point(|segment| segment.entry.last <= after));
    let mut first_row = segments[..first].iter().map(|segment| u64::from(segment.entry.num_docs)).sum();
    for (index, segment) in segments.iter().enumerate().skip(first) {
        let next = after.and_then(ProteinAccession::next).filter(|_| index == first);
        let from = next.map_or(0, |next| segment.first_from(next));
        let node = compile(query, generation, segment, work)?;
        if let ControlFlow::Break(doc) = walk_segment(segment, first_row, node, from, work, &mut visit)? {
            let is_last = doc + 1 >= segment.entry.num_docs && index + 1 == segments.len();
            return if is_last { Ok(None) } else { segment.hit(doc).map(|hit| Some(hit.accession)) };
        }
        if work.is_spent() && index + 1 < segments.len() {
            return Ok(Some(segment.entry.last));
        }
        first_row += u64::from(segment.entry.num_docs);
    }
    Ok(None)
}

/// Counts matches until the budget is spent, and returns whether all were counted. Segments that
/// know their number cost nothing.
pub(super) fn count(generation: &ProteinGeneration, query: &ProteinQuery, budget: u64) -> Result<(u64, bool)> {
    let mut work = Work::new(budget);
    let mut value = 0;
    for segment in &generation.segments {
        let node = compile(query, generation, segment, &mut work)?;
        if let Some(count) = node.exact_count() {
            value += count;
            continue;
        }
        let (node, num_known) = node.without_known();
        value += num_known;
        let mut add = |matches: &Matches<'_>, _: &mut Work| {
            value += matches.count() as u64;
            Ok(ControlFlow::Continue(()))
        };
        let has_more = |flow| matches!(flow, ControlFlow::Break(doc) if doc + 1 < segment.entry.num_docs);
        if work.is_spent() || has_more(walk_segment(segment, 0, node, 0, &mut work, &mut add)?) {
            return Ok((value, false));
        }
    }
    Ok((value, true))
}

/// Breaks with the last document that was examined.
fn walk_segment(
    segment: &Segment,
    first_row: u64,
    mut node: Node<'_>,
    from: DocId,
    work: &mut Work,
    visit: &mut impl FnMut(&Matches<'_>, &mut Work) -> Result<ControlFlow<()>>,
) -> Result<ControlFlow<DocId>> {
    let num_docs = segment.entry.num_docs;
    let affordable = (work.budget / WINDOWS_PER_BUDGET).saturating_mul(num_docs.into()) / node.num_postings.max(1);
    let num_docs_max = DocId::try_from(affordable.clamp(64, WINDOW_DOCS_MAX)).unwrap_or(DocId::MAX);
    let mut next_num_docs = FIRST_WINDOW_DOCS.min(num_docs_max);
    let mut end = from;
    loop {
        let start = node.next_candidate(end, work);
        if start >= num_docs {
            return Ok(ControlFlow::Continue(()));
        }
        if start - end > GAP_DOCS {
            next_num_docs = FIRST_WINDOW_DOCS.min(num_docs_max);
        }
        let window = start..num_docs.min(start + next_num_docs);
        work.window = Some(window.clone());
        let mut bits = node.matches(&window, work);
        work.check_failure()?;
        end = work.window.take().map_or(window.end, |examined| examined.end);
        bits.remove_range((end - start) as usize..);
        let matches = Matches { segment, first_row, start: window.start, bits };
        if visit(&matches, work)?.is_break() || work.is_spent() {
            return Ok(ControlFlow::Break(end - 1));
        }
        next_num_docs = num_docs_max.min(next_num_docs * 2);
    }
}

/// Bits of a window are documents relative to its start.
fn bit_doc(bit: usize) -> DocId {
    DocId::try_from(bit).expect("windows are small")
}

fn bits_of(docs: &Range<DocId>, window: &Range<DocId>) -> Range<usize> {
    let [start, end] = [docs.start, docs.end].map(|doc| doc.clamp(window.start, window.end));
    (start - window.start) as usize..(end - window.start) as usize
}
