//! Results of queries.

use store::ProteinAccession;

use crate::ProteinHit;

/// A protein that a query found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundProtein {
    /// The accession.
    pub accession: ProteinAccession,
    /// The number of residues.
    pub length: u64,
    /// See [`crate::Record::full_length`].
    pub full_length: Option<bool>,
    /// See [`crate::Record::cluster_size`].
    pub cluster_size: u64,
}

impl From<FoundProtein> for ProteinHit {
    fn from(FoundProtein { accession, full_length, cluster_size, .. }: FoundProtein) -> Self {
        Self { accession, full_length, cluster_size }
    }
}
