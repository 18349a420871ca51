//! Counting studies and assemblies by the terms of the index.
//!
//! Records have the accessions, too, but reading one takes as long as a thousand postings. All
//! postings of a field are read in order, so the work depends on the number of proteins of the
//! generation, however many of them match.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::slice;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use store::{Error, Result};
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::termdict::TermMerger;

use crate::ProteinGeneration;
use crate::evaluation::{Work, walk};
use crate::query::ProteinQuery;
use crate::rows::Rows;
use crate::segments::schema::{SCHEMA, SearchTerm};
use crate::segments::segment::Segment;

use super::count::Counts;
use super::kind::{FacetKind, Value};

/// The work of reading a term, and of looking one of its documents up among the matches.
const TERM_WORK: u64 = 64;
const POSTING_WORK: u64 = 2;

/// The most work of comparing all terms with the matches: a tenth of a second or two.
const WORK_MAX: u64 = 100_000_000;

/// The field with a term for each value, and the term of the proteins without a value.
#[derive(Clone, Copy)]
pub(super) struct FacetTerms {
    field: Field,
    without: SearchTerm<'static>,
}

impl FacetTerms {
    /// Returns the terms of studies and assemblies. Others are counted faster from their columns.
    pub(super) fn of(by: FacetKind) -> Option<Self> {
        match by {
            FacetKind::Study => Some(Self { field: SCHEMA.study, without: SearchTerm::without_study() }),
            FacetKind::Assembly => Some(Self { field: SCHEMA.assembly, without: SearchTerm::without_assembly() }),
            _ => None,
        }
    }

    /// Returns the numbers of all proteins, which the dictionaries have, or `None` if the work does
    /// not suffice to add them up.
    pub(super) fn count_everything(self, generation: &ProteinGeneration, work: &mut Work) -> Result<Option<Counts>> {
        work.spend(self.work_of_terms(generation));
        if work.is_spent() {
            return Ok(None);
        }
        let mut counts = Counts { num_proteins: generation.statistics().num_proteins, ..Counts::default() };
        let mut streams = Vec::with_capacity(generation.segments.len());
        for segment in &generation.segments {
            streams.push(segment.terms(self.field).terms().stream().map_err(Error::index(&segment.path))?);
            counts.num_without += segment.postings(self.without)?.map_or(0, |postings| u64::from(postings.doc_freq()));
        }
        let mut merger = TermMerger::new(streams);
        while merger.advance() {
            let count = merger.current_segment_ords_and_term_infos().map(|(_, info)| u64::from(info.doc_freq)).sum();
            counts.by_value.push((value(merger.key()), count));
        }
        Ok(Some(counts))
    }

    /// Returns roughly the work of [`FacetTerms::count`] without that of finding the matches, or
    /// `None` if it is too much, or more than half of the work that is left.
    pub(super) fn work(self, generation: &ProteinGeneration, left: u64) -> Option<u64> {
        let work = self.work_of_terms(generation) + POSTING_WORK * Rows(&generation.segments).len();
        (work <= WORK_MAX.min(left / 2) || left == u64::MAX).then_some(work)
    }

    /// Returns the work of reading the terms of all dictionaries.
    fn work_of_terms(self, generation: &ProteinGeneration) -> u64 {
        let num_terms = |segment: &Segment| segment.terms(self.field).terms().num_terms() as u64;
        generation.segments.iter().map(num_terms).sum::<u64>() * TERM_WORK
    }

    /// Counts the matches of a query that have each term. Returns `None` if the work is spent
    /// first.
    pub(super) fn count(
        self,
        generation: &ProteinGeneration,
        query: &ProteinQuery,
        work: &mut Work,
    ) -> Result<Option<Counts>> {
        let mut counts = Counts::default();
        let mut by_term = HashMap::<Vec<u8>, u64>::new();
        for segment in &generation.segments {
            let Some(matches) = matches(generation, segment, query, work)? else { return Ok(None) };
            if matches.is_clear() {
                continue;
            }
            counts.num_proteins += matches.count_ones(..) as u64;
            counts.num_without += segment.postings(self.without)?.map_or(0, |postings| num_common(postings, &matches));
            let terms = segment.terms(self.field);
            let mut stream = terms.terms().stream().map_err(Error::index(&segment.path))?;
            while stream.advance() {
                work.spend(TERM_WORK + POSTING_WORK * u64::from(stream.value().doc_freq));
                if work.is_spent() {
                    return Ok(None);
                }
                let postings = terms.read_block_postings_from_terminfo(stream.value(), IndexRecordOption::Basic);
                let count = num_common(postings.map_err(Error::index(&segment.path))?, &matches);
                match by_term.get_mut(stream.key()) {
                    Some(sum) => *sum += count,
                    None if count > 0 => drop(by_term.insert(stream.key().to_vec(), count)),
                    None => {}
                }
            }
        }
        counts.by_value = by_term.into_iter().map(|(term, count)| (value(&term), count)).collect();
        Ok(Some(counts))
    }
}

/// Returns the matches in a segment, or `None` if the work is spent first.
fn matches(
    generation: &ProteinGeneration,
    segment: &Segment,
    query: &ProteinQuery,
    work: &mut Work,
) -> Result<Option<FixedBitSet>> {
    let mut found = FixedBitSet::with_capacity(segment.entry.num_docs as usize);
    let end = walk(generation, slice::from_ref(segment), query, None, work, |matches, work| {
        matches.docs().for_each(|doc| found.insert(doc as usize));
        work.spend(matches.count() as u64);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(end.is_none().then_some(found))
}

/// Returns the number of documents that have a term and match.
fn num_common(mut postings: BlockSegmentPostings, matches: &FixedBitSet) -> u64 {
    let mut count = 0;
    while !postings.docs().is_empty() {
        count += postings.docs().iter().filter(|&&doc| matches.contains(doc as usize)).count() as u64;
        postings.advance();
    }
    count
}

fn value(term: &[u8]) -> Value {
    Value::Text(Arc::from(String::from_utf8_lossy(term)))
}
