//! What sources of rows give: one contract for Parquet, tab-separated text, FASTA and sorted runs.

use crate::run::PassedOver;
use crate::run::{Reason, RejectedRow, Rejection, excerpt};
use crate::{Error, Result};

use super::block::{RowBlock, RowOrigin};

/// Rows that were read. Every row is either in `rows` or in `left_out`.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) rows: RowBlock,
    /// All other rows, in the order of the input.
    pub(crate) left_out: Vec<(RowOrigin, LeftOut)>,
}

#[derive(Clone, Debug)]
pub(crate) enum LeftOut {
    Rejected(RejectedRow),
    PassedOver(PassedOver),
    /// It is of another table that was read to make these rows, and was used for them.
    Used,
}

pub(crate) trait RowSource: Send {
    /// Appends the next rows, about a block of them, in the order of the input; false at the end. It may append nothing and still
    /// not be at the end.
    fn next(&mut self, batch: &mut Batch) -> Result<bool>;

    /// Skips rows whose keys are below `key`, as far as that is cheaper than reading them. Only called before the first
    /// [`RowSource::next`], for a table that is in order; origins of later rows are as if all had been read.
    fn skip_before(&mut self, _key: u64) {}
}

/// Why a row cannot become one of a batch.
pub(super) enum Fault {
    Rejected(Rejection),
    /// Its annotation is a clan (`CL0193`) and no family.
    Clan,
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
    /// Leaves out a bad row. `text` is what the row looks like.
    #[cold]
    pub(crate) fn reject(&mut self, origin: RowOrigin, rejection: Rejection, text: &[u8]) {
        let row = RejectedRow { line: origin.row(), rejection, excerpt: excerpt(text).to_vec() };
        self.left_out.push((origin, LeftOut::Rejected(row)));
    }

    /// Leaves out a row, unless the fault ends the run.
    #[cold]
    pub(super) fn leave_out(&mut self, fault: impl Into<Fault>, origin: RowOrigin, text: &[u8]) -> Result<()> {
        match fault.into() {
            Fault::Rejected(rejection) => self.reject(origin, rejection, text),
            Fault::Clan => self.left_out.push((origin, LeftOut::PassedOver(PassedOver::Clan))),
            Fault::Fatal(error) => return Err(error),
        }
        Ok(())
    }

    /// Appends a row for each member of a cluster; bad ones are left out alone. `text` is what the row of the cluster looks like.
    pub(super) fn push_members(
        &mut self,
        cluster: Result<u64, Rejection>,
        members: impl Iterator<Item = Result<u64, Rejection>>,
        origin: RowOrigin,
        text: impl Fn() -> String,
    ) {
        let reject = |batch: &mut Self, bad| batch.reject(origin, bad, text().as_bytes());
        let key = match cluster {
            Ok(key) => key,
            Err(bad) => return reject(self, bad),
        };
        let mut has_members = false;
        for member in members {
            has_members = true;
            match member {
                Ok(member) => self.rows.push(key, origin, &member),
                Err(bad) => reject(self, bad),
            }
        }
        if !has_members {
            reject(self, Rejection::new(Reason::BadRow, "the cluster has no members"));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.left_out.clear();
    }
}
