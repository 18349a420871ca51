//! Rows that cannot become part of a batch.

use crate::Error;
use crate::rejects::Rejection;
use crate::report::PassedOver;

use super::batch::{Batch, LeftOut};
use super::block::RowOrigin;

/// Why a row is not in the batch.
pub(super) enum Fault {
    Rejected(Rejection),
    /// Its annotation is a clan (`CL0193`) and no family.
    Clan,
    /// The run cannot go on.
    Fatal(Error),
}

impl From<Rejection> for Fault {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Fatal(error)
    }
}

impl Batch {
    /// Leaves out a row, unless the fault ends the run. `text` is what the row looks like.
    #[cold]
    pub(super) fn leave_out(&mut self, fault: impl Into<Fault>, origin: RowOrigin, text: &[u8]) -> crate::Result<()> {
        match fault.into() {
            Fault::Rejected(rejection) => self.reject(origin, rejection, text),
            Fault::Clan => self.left_out.push((origin, LeftOut::PassedOver(PassedOver::Clan))),
            Fault::Fatal(error) => return Err(error),
        }
        Ok(())
    }
}
