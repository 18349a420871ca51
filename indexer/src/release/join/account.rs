//! What becomes of the rows of a part of a run.

use store::ProteinAccession;

use crate::rejects::{Reason, RejectedRow, Rejection};
use crate::release::context::RunContext;
use crate::release::read::block::RowOrigin;
use crate::{Error, Result};

use super::reject_log::RejectLog;
use super::tally::Tally;

/// Counts the rows of a part of a run, and lists the bad ones.
pub(crate) struct RowAccount<'a> {
    pub(crate) tally: Tally,
    log: RejectLog<'a>,
}

impl<'a> RowAccount<'a> {
    /// Starts the account of a part; a list that an earlier run has written of it is overwritten.
    pub(crate) fn new(context: &'a RunContext, part: &str) -> Self {
        Self { tally: Tally::default(), log: RejectLog::new(context, part) }
    }

    /// Lists a bad row of a file, and counts it.
    ///
    /// # Errors
    ///
    /// * It is one too many; or it cannot be listed.
    pub(crate) fn reject(&mut self, file: u16, row: &RejectedRow) -> Result<()> {
        self.tally.reject(file, row.rejection.reason);
        self.log.add(file, row)
    }

    /// Does the same with a row of a protein, which is shown by its accession.
    pub(super) fn reject_protein(
        &mut self,
        protein: u64,
        origin: RowOrigin,
        reason: Reason,
        detail: &str,
    ) -> Result<()> {
        let excerpt = accession(protein)?.to_string().into_bytes();
        let row = RejectedRow { line: origin.row(), rejection: Rejection::new(reason, detail), excerpt };
        self.reject(origin.file(), &row)
    }

    /// Returns the numbers, after waiting until the list is on the disk.
    pub(crate) fn finish(self) -> Result<Tally> {
        self.log.finish()?;
        Ok(self.tally)
    }
}

/// Returns the accession with a number that was checked when it was read.
pub(crate) fn accession(number: u64) -> Result<ProteinAccession> {
    ProteinAccession::new(number).map_err(|_| Error::Spill)
}
