//! The conditions of a query that other indexes than the segments answer.

use store::{Error, QUERY_TERMS_MAX, Result};

use super::ProteinGeneration;
use super::evaluation::Work;
use super::page::PAGE_BUDGET;
use super::query::ProteinQuery;

/// The most members of clusters that a query may have.
pub const QUERY_MEMBERS_MAX: usize = 50_000;

/// The limits of the rest of a query: the accessions that it may find, and its work.
struct Left {
    digests: usize,
    members: usize,
    work: Work,
}

impl ProteinGeneration {
    /// Returns the option of `mgdex index` without which this generation was made, if a part of the
    /// query needs it: then nothing matches this part.
    pub fn lacked_option(&self, query: &ProteinQuery) -> Option<&'static str> {
        let lacked = [
            ("--checksums", query.has_digest() && self.checksums().is_none()),
            ("--members", query.has_cluster() && self.members().is_none()),
            ("--contigs", query.has_near() && self.contigs().next().is_none()),
        ];
        lacked.into_iter().find(|(_, is_lacked)| *is_lacked).map(|(option, _)| option)
    }

    /// Replaces each digest and each cluster of a query with the accessions of its proteins. If the
    /// generation has no index of digests or no members of clusters, nothing matches them. The
    /// result may lack proteins of digests if it has more than [`QUERY_TERMS_MAX`] terms.
    ///
    /// If few proteins match the second condition of [`ProteinQuery::Near`], the first one is
    /// narrowed to the proteins around them. This takes the work of a page, and the same proteins
    /// match.
    ///
    /// # Errors
    ///
    /// * The clusters have more than [`QUERY_MEMBERS_MAX`] members.
    /// * An index is damaged or cannot be read.
    pub fn resolve_lookups(&self, query: ProteinQuery) -> Result<ProteinQuery> {
        let left = || Left { digests: QUERY_TERMS_MAX + 1, members: QUERY_MEMBERS_MAX, work: Work::new(PAGE_BUDGET) };
        if query.has_lookup() { self.resolved(query, &mut left()) } else { Ok(query) }
    }

    fn resolved(&self, query: ProteinQuery, left: &mut Left) -> Result<ProteinQuery> {
        let mut all =
            |parts: Vec<ProteinQuery>| parts.into_iter().map(|part| self.resolved(part, left)).collect::<Result<_>>();
        Ok(match query {
            ProteinQuery::And(parts) => ProteinQuery::And(all(parts)?),
            ProteinQuery::Or(parts) => ProteinQuery::Or(all(parts)?),
            ProteinQuery::Not(part) => ProteinQuery::Not(Box::new(self.resolved(*part, left)?)),
            ProteinQuery::Near { of, beside, genes, same_strand } => {
                let beside = Box::new(self.resolved(*beside, left)?);
                let of = self.resolved(*of, left)?;
                let of = Box::new(self.narrowed(of, &beside, (genes, same_strand), &mut left.work)?);
                ProteinQuery::Near { of, beside, genes, same_strand }
            }
            ProteinQuery::Digest(digest) => {
                let found =
                    self.checksums().map(|checksums| checksums.find(&digest, None, left.digests)).transpose()?;
                let found = found.unwrap_or_default();
                left.digests -= found.len();
                ProteinQuery::Or(found.into_iter().map(|found| ProteinQuery::Accession(found..=found)).collect())
            }
            ProteinQuery::Cluster(protein) => {
                let found = self.indexed_members(protein, left.members + 1)?;
                left.members = left.members.checked_sub(found.len()).ok_or(Error::TooMuchWork)?;
                ProteinQuery::Among(found.into())
            }
            query => query,
        })
    }
}
