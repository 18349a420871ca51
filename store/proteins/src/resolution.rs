//! The conditions of a query that other indexes than the segments answer.

use store::{ProteinAccession, QUERY_TERMS_MAX, Result};

use super::ProteinGeneration;
use super::query::ProteinQuery;

impl ProteinGeneration {
    /// Replaces each digest and each cluster of a query with the accessions of its proteins. If the
    /// generation has no index of digests or no members of clusters, nothing matches them. The
    /// result may lack accessions if the query has more than [`QUERY_TERMS_MAX`] terms.
    ///
    /// # Errors
    ///
    /// * An index is damaged or cannot be read.
    pub fn resolve_lookups(&self, query: ProteinQuery) -> Result<ProteinQuery> {
        let has_any = query.has_digest() || query.has_cluster();
        if has_any { self.resolved(query, &mut (QUERY_TERMS_MAX + 1)) } else { Ok(query) }
    }

    /// Finds at most `num_left` accessions.
    fn resolved(&self, query: ProteinQuery, num_left: &mut usize) -> Result<ProteinQuery> {
        let mut all = |parts: Vec<ProteinQuery>| {
            parts.into_iter().map(|part| self.resolved(part, num_left)).collect::<Result<_>>()
        };
        Ok(match query {
            ProteinQuery::And(parts) => ProteinQuery::And(all(parts)?),
            ProteinQuery::Or(parts) => ProteinQuery::Or(all(parts)?),
            ProteinQuery::Not(part) => ProteinQuery::Not(Box::new(self.resolved(*part, num_left)?)),
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
