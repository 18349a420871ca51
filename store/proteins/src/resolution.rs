//! The conditions of a query that other indexes than the segments answer.

use store::{ProteinAccession, QUERY_TERMS_MAX, Result};

use super::ProteinGeneration;
use super::evaluation::Work;
use super::page::PAGE_BUDGET;
use super::query::ProteinQuery;

impl ProteinGeneration {
    /// Replaces each digest and each cluster of a query with the accessions of its proteins. If the
    /// generation has no index of digests or no members of clusters, nothing matches them. The
    /// result may lack accessions if the query has more than [`QUERY_TERMS_MAX`] terms.
    ///
    /// If few proteins match the second condition of [`ProteinQuery::Near`], the first one is
    /// narrowed to the proteins around them. This takes the work of a page, and the same proteins
    /// match.
    ///
    /// # Errors
    ///
    /// * An index is damaged or cannot be read.
    pub fn resolve_lookups(&self, query: ProteinQuery) -> Result<ProteinQuery> {
        let has_any = query.has_digest() || query.has_cluster() || query.has_near();
        let mut work = Work::new(PAGE_BUDGET);
        if has_any { self.resolved(query, &mut (QUERY_TERMS_MAX + 1), &mut work) } else { Ok(query) }
    }

    /// Finds at most `num_left` accessions.
    fn resolved(&self, query: ProteinQuery, num_left: &mut usize, work: &mut Work) -> Result<ProteinQuery> {
        let mut all = |parts: Vec<ProteinQuery>| {
            parts.into_iter().map(|part| self.resolved(part, num_left, work)).collect::<Result<_>>()
        };
        Ok(match query {
            ProteinQuery::And(parts) => ProteinQuery::And(all(parts)?),
            ProteinQuery::Or(parts) => ProteinQuery::Or(all(parts)?),
            ProteinQuery::Not(part) => ProteinQuery::Not(Box::new(self.resolved(*part, num_left, work)?)),
            ProteinQuery::Near { of, beside, genes, same_strand } => {
                let beside = Box::new(self.resolved(*beside, num_left, work)?);
                let of = self.resolved(*of, num_left, work)?;
                let of = Box::new(self.narrowed(of, &beside, (genes, same_strand), work)?);
                ProteinQuery::Near { of, beside, genes, same_strand }
            }
            ProteinQuery::Digest(digest) => {
                let found = self.checksums().map(|checksums| checksums.find(&digest, None, *num_left)).transpose()?;
                any_of(found.unwrap_or_default(), num_left)
            }
            ProteinQuery::Cluster(protein) => any_of(self.indexed_members(protein, *num_left)?, num_left),
            query => query,
        })
    }
}

fn any_of(found: Vec<ProteinAccession>, num_left: &mut usize) -> ProteinQuery {
    *num_left -= found.len();
    ProteinQuery::Or(found.into_iter().map(|found| ProteinQuery::Accession(found..=found)).collect())
}
