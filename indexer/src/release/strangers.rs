//! Rows of proteins that are not indexed: members of clusters are passed over, accessions that do not exist are orphans.

use store::ProteinAccession;

use super::block::RowPlace;
use super::join::{Role, list};
use super::reject_log::RejectLog;
use super::tally::Tally;
use crate::run::{PassedOver, Reason, Rejection};
use crate::{Error, Result};

/// How the accessions are known that exist without being indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    /// The sequences are those of all proteins.
    BySequence,
    /// The clusters name all proteins.
    ByCluster,
    /// They are not: any accession may exist.
    Unknown,
    /// There are none: every protein is indexed.
    Nowhere,
}

/// Decides on the rows of proteins that are not indexed.
pub(super) struct Strangers {
    /// See [`Existing`].
    existing: Existing,
    /// Accessions that exist, ascending.
    known: Vec<u64>,
}

impl Strangers {
    /// Starts without knowing any accession.
    pub(super) fn new(existing: Existing) -> Self {
        Self { existing, known: Vec::new() }
    }

    /// Meets a row, after all rows up to it that tell which accessions exist.
    ///
    /// # Errors
    ///
    /// * A bad row cannot be listed.
    pub(super) fn meet(
        &mut self,
        role: Role,
        number: u64,
        place: RowPlace,
        tally: &mut Tally,
        rejects: &mut RejectLog<'_>,
    ) -> Result<()> {
        if role == Role::Members || (role == Role::Sequences && self.existing == Existing::BySequence) {
            self.known.push(number);
        }
        // Members are read a second time here: as rows they were counted where they made clusters.
        if role == Role::Members {
            return Ok(());
        }
        if self.existing == Existing::Unknown || self.known.binary_search(&number).is_ok() {
            tally.pass_over(place.file(), PassedOver::NoRepresentative, 1);
            return Ok(());
        }
        let accession = ProteinAccession::new(number).map_err(|_| Error::Spill)?;
        let detail = match self.existing {
            Existing::Nowhere => "no cluster has this protein",
            Existing::BySequence | Existing::ByCluster | Existing::Unknown => "the release has no such protein",
        };
        list(tally, rejects, place, Rejection::new(Reason::Orphan, detail), accession)
    }

    /// Forgets the accessions that exist: all tables were read beyond them.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }
}
