//! The members of clusters, written once all proteins are indexed.

use indexer::Result;
use indexer::run::{Progress, Reason, StageReport, Unit};
use indexer::sort::{self, Sorter};
use indexer::values::accession;
use store::ProteinAccession;
use store_proteins::ProteinsBuilder;

use crate::join::account::RowAccount;
use crate::join::cursor::{Next, RowCursor};
use crate::join::ordered::OrderedTables;
use crate::join::tally::Tally;
use crate::read::layout::Layout;
use crate::read::{Row, RowOrigin};
use crate::table::Table;

/// The number of rows between two updates of the progress.
pub(super) const PROGRESS_INTERVAL: u64 = 4096;

/// A row of a member and its representative.
#[derive(Clone, Copy)]
struct Pair {
    member: ProteinAccession,
    representative: ProteinAccession,
    origin: RowOrigin,
}

impl Pair {
    fn of(row: Row<'_>) -> Result<Self> {
        Ok(Self { member: accession(row.key)?, representative: accession(row.decode()?)?, origin: row.origin })
    }

    fn is_own(self) -> bool {
        self.member == self.representative
    }
}

/// Writes the members of all clusters. Their rows come by member. A representative stays in its own
/// cluster, and another protein in the first one; further rows of it are rejected. Returns false
/// if the release has no members.
pub(crate) fn index_members(
    ordered: &mut OrderedTables<'_>,
    tally: &mut Tally,
    builder: &mut ProteinsBuilder,
) -> Result<bool> {
    let Some(members) = ordered.table(Table::ClusterMembers)? else { return Ok(false) };
    let OrderedTables { layout, context, .. } = *ordered;
    let progress = Progress::start("members", Unit::Rows, 0);
    let mut writer = builder.begin_members()?;
    let mut sorter = Sorter::<sort::Pair>::named(&context.work, "by_representative", context.budget.sorting_bytes);
    let mut rows = RowCursor::new(Table::ClusterMembers, members.source);
    let mut repeated = Repeated { account: RowAccount::new(context, "repeated_members"), layout, tally };
    let mut add = |pair: Pair| {
        if pair.is_own() {
            return Ok(());
        }
        writer.add_representative(pair.member, pair.representative)?;
        sorter.push(sort::Pair(pair.representative.number(), pair.member.number()), &[])
    };
    let mut open: Option<Pair> = None;
    let mut num_rows: u64 = 0;
    while let Next::Row(row) = rows.peek()? {
        let pair = Pair::of(row)?;
        open = match open {
            Some(known) if known.member == pair.member => {
                let (kept, left) = if pair.is_own() { (pair, known) } else { (known, pair) };
                repeated.reject(left, kept)?;
                Some(kept)
            }
            known => {
                known.map_or(Ok(()), &mut add)?;
                Some(pair)
            }
        };
        rows.advance();
        num_rows += 1;
        if num_rows.is_multiple_of(PROGRESS_INTERVAL) {
            progress.set(num_rows);
        }
    }
    open.map_or(Ok(()), &mut add)?;
    repeated.finish()?;
    context.limit.check()?;
    let (mut pairs, mut payload) = (sorter.finish()?, Vec::new());
    while let Some(sort::Pair(representative, member)) = pairs.next(&mut payload)? {
        writer.add_member(accession(representative)?, accession(member)?)?;
    }
    builder.set_members(writer.finish()?);
    progress.set(num_rows);
    ordered.stages.push(StageReport::new("members", progress.finish()));
    Ok(true)
}

/// Rows of members that have another row, too.
struct Repeated<'a> {
    account: RowAccount<'a>,
    layout: &'a Layout,
    tally: &'a mut Tally,
}

impl Repeated<'_> {
    fn reject(&mut self, left: Pair, kept: Pair) -> Result<()> {
        let file = left.origin.file();
        if self.layout.all_proteins {
            // All rows but one of a protein were rejected when it was indexed.
            return Ok(());
        }
        if self.layout.leading_table() != Table::ClusterMembers {
            self.tally.withdraw(file);
        } else if left.representative == kept.representative {
            // The row of a cluster that occurred before was rejected with the clusters.
            return Ok(());
        } else {
            // Its row counts with the cluster, and bad members of a row count separately.
            self.account.tally.read(file, 1);
        }
        let detail = format!("it is already in the cluster of {}", kept.representative);
        self.account.reject_protein(left.member.number(), left.origin, Reason::DuplicateAccession, &detail)
    }

    fn finish(self) -> Result<()> {
        self.tally.add(self.account.finish()?);
        Ok(())
    }
}
