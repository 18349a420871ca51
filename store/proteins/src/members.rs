//! The members of clusters, and the proteins that answer for others.

use std::fmt;

use store::{ProteinAccession, Result};

use super::{Members, ProteinGeneration, ReleaseContent};

/// The protein that answers for an accession without a record. It is displayed as the predicate of
/// a sentence about the accession, such as `was replaced by MGYP000000000012`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// The accession was replaced by this one.
    Replacement(ProteinAccession),
    /// The accession is a member of the cluster of this representative.
    Representative(ProteinAccession),
}

impl Successor {
    /// Returns the accession of the protein.
    pub fn accession(self) -> ProteinAccession {
        match self {
            Self::Replacement(accession) | Self::Representative(accession) => accession,
        }
    }
}

impl fmt::Display for Successor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replacement(replacement) => write!(f, "was replaced by {replacement}"),
            Self::Representative(representative) => write!(f, "is a member of the cluster of {representative}"),
        }
    }
}

impl ProteinGeneration {
    /// Returns the members of clusters, or `None` if the generation was built without them.
    pub fn members(&self) -> Option<&Members> {
        self.members.as_ref()
    }

    /// Returns the protein that answers for an accession without a record, if there is one. It may
    /// have no record itself.
    ///
    /// # Errors
    ///
    /// * The members of clusters are damaged or cannot be read.
    pub fn successor(&self, accession: ProteinAccession) -> Result<Option<Successor>> {
        if let Some(replacement) = self.replacement(accession) {
            return Ok(Some(Successor::Replacement(replacement)));
        }
        Ok(self.representative(accession)?.map(Successor::Representative))
    }

    /// Returns the representative of a member, or `None` if it is not known to be a member of
    /// another protein's cluster.
    ///
    /// # Errors
    ///
    /// * The members of clusters are damaged or cannot be read.
    pub fn representative(&self, accession: ProteinAccession) -> Result<Option<ProteinAccession>> {
        self.members().map_or(Ok(None), |members| members.representative(accession))
    }

    /// Returns at most `limit` proteins of the cluster of a protein that may have records,
    /// ascending.
    pub(super) fn indexed_members(&self, protein: ProteinAccession, limit: usize) -> Result<Vec<ProteinAccession>> {
        let Some(members) = self.members() else { return Ok(Vec::new()) };
        let representative = members.representative(protein)?.unwrap_or(protein);
        let cited = self.manifest.contents.cited.as_ref();
        if cited.is_some_and(|release| release.content == ReleaseContent::AllProteins) {
            return members.find(representative, None, limit);
        }
        Ok(vec![representative])
    }
}
