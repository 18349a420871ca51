//! Classifies rows whose protein is not indexed: those of cluster members are passed over, those of unknown accessions are orphans.

use crate::Result;
use crate::release::read::RowOrigin;
use crate::release::read::layout::KnownBy;
use crate::release::table::Table;
use crate::run::PassedOver;
use crate::run::Reason;

use super::account::RowAccount;

pub(super) struct UnindexedRows {
    known_by: KnownBy,
    /// Accessions that exist, ascending.
    existing: Vec<u64>,
}

impl UnindexedRows {
    pub(super) fn new(known_by: KnownBy) -> Self {
        Self { known_by, existing: Vec::new() }
    }

    /// Classifies a row, after all rows up to its protein that say which accessions exist.
    pub(super) fn classify(
        &mut self,
        table: Table,
        protein: u64,
        origin: RowOrigin,
        account: &mut RowAccount<'_>,
    ) -> Result<()> {
        if table == Table::ClusterMembers {
            // Members are read a second time here: as rows they were counted where they made clusters.
            self.existing.push(protein);
            return Ok(());
        }
        if table == Table::Sequences && self.known_by == KnownBy::Sequences {
            self.existing.push(protein);
        }
        if self.known_by == KnownBy::Nothing || self.existing.binary_search(&protein).is_ok() {
            account.tally.pass_over(origin.file(), PassedOver::NoRepresentative);
            return Ok(());
        }
        let detail = match self.known_by {
            KnownBy::Index => "no cluster has this protein",
            KnownBy::Sequences | KnownBy::Clusters | KnownBy::Nothing => "the release has no such protein",
        };
        account.reject_protein(protein, origin, Reason::Orphan, detail)
    }

    /// Drops the accessions that exist: all tables were read beyond them.
    pub(super) fn clear(&mut self) {
        self.existing.clear();
    }
}
