//! The matches of a query before an accession, for pages that are read backwards.

use std::ops::ControlFlow;
use std::slice;

use store::engine::catch_panics;
use store::{ProteinAccession, Result};
use tantivy::DocId;

use super::ProteinGeneration;
use super::evaluation::{Work, walk};
use super::found_protein::FoundProtein;
use super::query::ProteinQuery;
use super::segments::segment::Segment;

/// The number of documents before an accession that are examined first. It doubles until there are
/// enough matches.
const FIRST_DOCS: DocId = 512;

impl ProteinGeneration {
    /// Returns the last `limit` matches before an accession, ascending, or fewer if no more exist
    /// or a budget of work is spent; its unit is that of [`super::PAGE_BUDGET`].
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn hits_before(
        &self,
        query: &ProteinQuery,
        before: ProteinAccession,
        limit: usize,
        budget: u64,
    ) -> Result<Vec<FoundProtein>> {
        let mut work = Work::new(budget);
        let mut hits = Vec::new();
        let num_segments = self.segments.partition_point(|segment| segment.entry.last < before) + 1;
        catch_panics(&self.path, || {
            for segment in self.segments.iter().take(num_segments).rev() {
                let docs =
                    last_matches(self, segment, query, segment.first_from(before), limit - hits.len(), &mut work)?;
                let mut here = Vec::new();
                segment.found(&docs, &mut here)?;
                here.append(&mut hits);
                hits = here;
                if hits.len() == limit || work.is_spent() {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(hits)
    }
}

/// Returns the last matches among the documents of a segment before `end`.
fn last_matches(
    generation: &ProteinGeneration,
    segment: &Segment,
    query: &ProteinQuery,
    mut end: DocId,
    limit: usize,
    work: &mut Work,
) -> Result<Vec<DocId>> {
    let (mut docs, mut num_docs): (Vec<DocId>, _) = (Vec::new(), FIRST_DOCS);
    while docs.len() < limit && end > 0 {
        let start = end.saturating_sub(num_docs);
        let range = segment.hit(start)?.accession..=segment.hit(end - 1)?.accession;
        let within = ProteinQuery::And(vec![query.clone(), ProteinQuery::Accession(range)]);
        let mut here: Vec<DocId> = Vec::new();
        let unseen = walk(generation, slice::from_ref(segment), &within, None, work, |matches, _| {
            here.extend(matches.docs());
            // Only the last ones are wanted.
            here.drain(..here.len().saturating_sub(limit));
            Ok(ControlFlow::Continue(()))
        })?;
        if unseen.is_some() {
            break;
        }
        here.append(&mut docs);
        docs = here;
        (end, num_docs) = (start, num_docs.saturating_mul(2));
    }
    docs.drain(..docs.len().saturating_sub(limit));
    Ok(docs)
}
