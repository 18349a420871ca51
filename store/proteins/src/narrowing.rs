//! Narrowing the first condition of `near` by the matches of the second one, if they are few.

use store::{Error, ProteinAccession, Result};

use super::ProteinGeneration;
use super::evaluation::{FIND_WORK, PAGE_WORK, Work};
use super::page::Relation;
use super::query::ProteinQuery;

/// The most matches of a condition that narrow another one, and the most proteins around them.
const MATCHES_MAX: usize = 200;
const AROUND_MAX: usize = 1 << 16;

impl ProteinGeneration {
    /// Adds to a condition on proteins that they are among those around the matches of another
    /// condition, if these are few and the work suffices to find them. Every protein that has one
    /// of them near it is among them.
    pub(super) fn narrowed(
        &self,
        of: ProteinQuery,
        beside: &ProteinQuery,
        reach: (u64, bool),
        work: &mut Work,
    ) -> Result<ProteinQuery> {
        let is_rare = |query| {
            let total = self.total(query, 0)?;
            Ok::<_, Error>(total.relation == Relation::Eq && total.value <= MATCHES_MAX as u64)
        };
        if work.is_spent() || is_rare(&of)? {
            return Ok(of);
        }
        match self.around_all(beside, reach, work) {
            Ok(Some(around)) => Ok(ProteinQuery::And(vec![ProteinQuery::Among(around.into()), of])),
            Ok(None) | Err(Error::TooMuchWork) => Ok(of),
            Err(error) => Err(error),
        }
    }

    /// Returns the proteins around all matches of a condition, ascending, or `None` if there are
    /// too many.
    fn around_all(
        &self,
        query: &ProteinQuery,
        reach: (u64, bool),
        work: &mut Work,
    ) -> Result<Option<Vec<ProteinAccession>>> {
        let page = self.page(query, None, MATCHES_MAX, work.left() / 8)?;
        work.spend(FIND_WORK * (1 + page.hits.len() as u64));
        if page.next.is_some() {
            return Ok(None);
        }
        let mut around = Vec::new();
        for hit in page.hits {
            let Some(contigs) = self.contigs_of(hit.accession) else { continue };
            let (mut places, mut after) = (contigs.places(), None);
            loop {
                after = places.beside(hit.accession, reach, after, &mut around)?;
                work.spend(PAGE_WORK * places.take_reads());
                if work.is_spent() || around.len() > AROUND_MAX {
                    return Ok(None);
                }
                if after.is_none() {
                    break;
                }
            }
            around.sort_unstable();
            around.dedup();
        }
        Ok(Some(around))
    }
}
