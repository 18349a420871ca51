//! Answers to queries: pages of hits, totals, and records in the order of the pages.
//!
//! A server or a program runs a query in these steps:
//!
//! 1. [`ProteinQuery::parse`] with [`ProteinGeneration::biomes`] makes a query of a text;
//!    [`ProteinQuery::And`] adds other conditions.
//! 2. [`ProteinGeneration::page`] returns the next hits after a cursor, which is an accession, and
//!    the next cursor. A page can have fewer hits than asked for, even none, and still a
//!    [`ProteinPage::next`]: then its budget of work was spent. [`ProteinGeneration::hits_before`]
//!    returns the hits before an accession.
//! 3. [`ProteinGeneration::total`] counts all matches, wherever the cursor is: at once, or within a
//!    budget of work.
//! 4. [`ProteinGeneration::reader`] fetches the records of the hits of a page one after another,
//!    each block of records once.
//! 5. [`ProteinPages`] does all this for a stream: it owns a handle on the generation, and keeps
//!    nothing between two pages but the cursor.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::vec;

use store::engine::catch_panics;
use store::{ProteinAccession, Result};
use tantivy::DocId;

use crate::RecordParts;

use super::ProteinGeneration;
use super::evaluation::{Work, count, walk};
use super::found_protein::FoundProtein;
use super::protein::Protein;
use super::query::ProteinQuery;
use super::segments::segment::Segment;
use super::segments::stored::RecordBlock;

/// The most terms of a query for which it is worth checking whether the number of its matches is
/// known.
const AT_ONCE_TERMS_MAX: usize = 64;

/// Some hits of a query, ascending by accession.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProteinPage {
    /// The hits.
    pub hits: Vec<FoundProtein>,
    /// The cursor of the next page, or `None` if there are no further hits.
    pub next: Option<ProteinAccession>,
}

/// The number of proteins that match a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The number of proteins.
    pub value: u64,
    /// The relation of this number to the number of all matches.
    pub relation: Relation,
}

/// The relation of a number to the number of all matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// All matches were counted.
    Eq,
    /// The budget of work was spent first. There are at least this many matches.
    Gte,
}

/// The work of a page: a unit is one decoded posting, or other work of the same duration, a
/// nanosecond or two.
pub const PAGE_BUDGET: u64 = 10_000_000;

/// The work of an exact count, or of choosing some of all matches, where the caller requests it:
/// one to two seconds.
pub const LONG_BUDGET: u64 = 100 * PAGE_BUDGET;

impl ProteinGeneration {
    /// Returns the first `limit` matches after `after`, or fewer if the budget of work ends the
    /// page; see [`PAGE_BUDGET`].
    ///
    /// The cost grows with the limit and with the work of finding that many matches. It depends
    /// neither on the number of all matches nor on the position of the cursor.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn page(
        &self,
        query: &ProteinQuery,
        after: Option<ProteinAccession>,
        limit: usize,
        budget: u64,
    ) -> Result<ProteinPage> {
        let mut page = ProteinPage::default();
        let mut docs = Vec::new();
        catch_panics(&self.path, || {
            // One more than the limit shows whether there is a next page.
            let end = walk(self, &self.segments, query, after, &mut Work::new(budget), |matches, _| {
                let num_missing = limit - page.hits.len();
                docs.clear();
                docs.extend(matches.docs().take(num_missing.saturating_add(1)));
                let is_full = docs.len() > num_missing;
                docs.truncate(num_missing);
                matches.segment.found(&docs, &mut page.hits)?;
                page.next = page.hits.last().map(|hit| hit.accession).filter(|_| is_full);
                Ok(if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            page.next = page.next.or(end);
            Ok(())
        })?;
        Ok(page)
    }

    /// Counts all matches: exactly if the index knows their number, and otherwise until a budget of
    /// work is spent. Without a budget nothing is counted.
    ///
    /// # Errors
    ///
    /// * As for [`ProteinGeneration::page`].
    pub fn total(&self, query: &ProteinQuery, budget: u64) -> Result<Total> {
        catch_panics(&self.path, || {
            if budget == 0 && query.num_terms() > AT_ONCE_TERMS_MAX {
                return Ok(Total { value: 0, relation: Relation::Gte });
            }
            let (value, is_all) = count(self, query, budget)?;
            Ok(Total { value, relation: if is_all { Relation::Eq } else { Relation::Gte } })
        })
    }

    /// Returns a reader of parts of records. It is quick if accessions ascend.
    pub fn reader(&self, parts: RecordParts) -> ProteinReader<'_> {
        ProteinReader { generation: self, parts, open: None }
    }
}

/// Reads records one after another. It keeps the block that it read last, and reads each block
/// once.
pub struct ProteinReader<'a> {
    generation: &'a ProteinGeneration,
    parts: RecordParts,
    open: Option<OpenSegment<'a>>,
}

/// The last segment that was read.
struct OpenSegment<'a> {
    segment: &'a Segment,
    block: Option<RecordBlock>,
    /// The document that was read last.
    previous: Option<DocId>,
}

impl<'a> ProteinReader<'a> {
    /// Returns a protein like [`ProteinGeneration::fetch`]. Parts that the reader does not read are
    /// empty.
    pub fn fetch(&mut self, accession: ProteinAccession) -> Result<Option<Protein>> {
        let parts = self.parts;
        let record = self.read(accession, |segment, doc, block| segment.record(doc, accession, parts, block))?;
        record.map(|record| self.generation.resolve(accession, record)).transpose()
    }

    /// Reads only the residues of a protein, whatever the parts are, and replaces the content of a
    /// buffer with them: `A` to `Z`, `*` and `-`. Returns whether the protein exists.
    pub fn residues(&mut self, accession: ProteinAccession, residues: &mut Vec<u8>) -> Result<bool> {
        let read = self.read(accession, |segment, doc, block| segment.residues(doc, accession, block, residues))?;
        Ok(read.is_some())
    }

    /// Finds the document of a protein, and reads it.
    fn read<T>(
        &mut self,
        accession: ProteinAccession,
        read: impl FnOnce(&'a Segment, DocId, &mut Option<RecordBlock>) -> Result<T>,
    ) -> Result<Option<T>> {
        let generation = self.generation;
        let Some(segment) = generation.segment_of(accession) else { return Ok(None) };
        catch_panics(&generation.path, || {
            let open = match &mut self.open {
                Some(open) if std::ptr::eq(open.segment, segment) => open,
                open => open.insert(OpenSegment { segment, block: None, previous: None }),
            };
            let Some(doc) = segment.find(accession, open.previous) else { return Ok(None) };
            open.previous = Some(doc);
            read(segment, doc, &mut open.block).map(Some)
        })
    }
}

/// All pages of a query, one after another, for streams.
///
/// It owns a handle on the generation, and keeps only the cursor between two pages, or the hits
/// that were chosen before: a slow client costs no more.
pub struct ProteinPages {
    generation: Arc<ProteinGeneration>,
    source: PageSource,
}

enum PageSource {
    Query { query: ProteinQuery, after: Option<ProteinAccession>, num_left: u64 },
    Hits(vec::IntoIter<FoundProtein>),
    Nothing,
}

impl ProteinPages {
    /// The hits of a page.
    const PAGE_HITS: usize = 1024;

    /// Begins after `after`, and ends after `limit` hits.
    pub fn new(
        generation: Arc<ProteinGeneration>,
        query: ProteinQuery,
        after: Option<ProteinAccession>,
        limit: Option<u64>,
    ) -> Self {
        let num_left = limit.unwrap_or(u64::MAX);
        let source = if num_left == 0 { PageSource::Nothing } else { PageSource::Query { query, after, num_left } };
        Self { generation, source }
    }

    /// Makes pages of hits that were found before, in their order.
    pub fn of_hits(generation: Arc<ProteinGeneration>, hits: Vec<FoundProtein>) -> Self {
        Self { generation, source: PageSource::Hits(hits.into_iter()) }
    }

    /// Returns the generation.
    pub fn generation(&self) -> &ProteinGeneration {
        &self.generation
    }
}

/// Pages without hits, whose budget is spent, are returned, too: a stream can check whether the
/// client still waits.
impl Iterator for ProteinPages {
    type Item = Result<ProteinPage>;

    fn next(&mut self) -> Option<Self::Item> {
        let (query, after, num_left) = match &mut self.source {
            PageSource::Query { query, after, num_left } => (query, after, num_left),
            PageSource::Hits(hits) => {
                let hits: Vec<_> = hits.take(Self::PAGE_HITS).collect();
                return (!hits.is_empty()).then_some(Ok(ProteinPage { hits, next: None }));
            }
            PageSource::Nothing => return None,
        };
        let limit = usize::try_from(*num_left).map_or(Self::PAGE_HITS, |left| left.min(Self::PAGE_HITS));
        let page = self.generation.page(query, *after, limit, PAGE_BUDGET);
        let mut has_ended = true;
        if let Ok(page) = &page {
            *num_left -= page.hits.len() as u64;
            has_ended = *num_left == 0 || page.next.is_none();
            *after = page.next;
        }
        if has_ended {
            self.source = PageSource::Nothing;
        }
        Some(page)
    }
}
