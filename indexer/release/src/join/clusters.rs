//! Clusters from their members: the size of a cluster is the number of its members.

use std::collections::HashSet;

use indexer::run::{Reason, Rejection};
use indexer::{Error, Result};

use crate::read::rows::ClusterRow;
use crate::read::{Batch, LeftOut, MappedRows, RowOrigin, RowSource};
use crate::table::Table;

/// Turns rows of members, by representative, into rows of clusters.
///
/// The origin of a cluster is that of its first member. So a file with one cluster per line counts
/// one row per line; in a file with a row for each member, the rows after the first count with the
/// first.
pub(super) struct CountedClusters {
    members: Box<dyn RowSource>,
    batch: Batch,
    open: Option<OpenCluster>,
    rows: ClusterRows,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClusterRows {
    OfRepresentative,
    /// One row for each member, by member.
    OfMembers,
}

struct OpenCluster {
    representative: u64,
    origin: RowOrigin,
    members: Vec<(u64, RowOrigin)>,
}

impl CountedClusters {
    pub(super) fn new(members: Box<dyn RowSource>, rows: ClusterRows) -> Self {
        Self { members, batch: Batch::default(), open: None, rows }
    }
}

impl RowSource for CountedClusters {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        self.batch.clear();
        let is_more = self.members.next(&mut self.batch)?;
        for row in self.batch.rows.iter() {
            let member = (row.decode()?, row.origin);
            match &mut self.open {
                Some(open) if open.representative == row.key => open.members.push(member),
                open => {
                    let next = OpenCluster { representative: row.key, origin: row.origin, members: vec![member] };
                    if let Some(whole) = open.replace(next) {
                        if whole.representative > row.key {
                            return Err(Error::OutOfOrder { table: Table::ClusterMembers.name() });
                        }
                        whole.close(self.rows, batch);
                    }
                }
            }
        }
        batch.left_out.append(&mut self.batch.left_out);
        if !is_more && let Some(whole) = self.open.take() {
            whole.close(self.rows, batch);
        }
        // A finished cluster precedes the bad rows that were read with it.
        batch.left_out.sort_by_key(|&(origin, _)| origin);
        Ok(is_more)
    }
}

impl OpenCluster {
    /// Adds the cluster to the batch. A row whose members were all in earlier rows is a duplicate.
    fn close(mut self, rows: ClusterRows, batch: &mut Batch) {
        self.members.sort_unstable();
        let mut members: Vec<(u64, RowOrigin)> = Vec::with_capacity(self.members.len());
        let mut repeated = Vec::new();
        for (member, origin) in self.members {
            if members.last().is_some_and(|&(known, _)| known == member) {
                repeated.push(origin);
            } else {
                members.push((member, origin));
            }
        }
        if !repeated.is_empty() {
            let fresh: HashSet<RowOrigin> = members.iter().map(|&(_, origin)| origin).collect();
            repeated.sort_unstable();
            repeated.dedup();
            for origin in repeated.into_iter().filter(|origin| !fresh.contains(origin)) {
                let rejection = Rejection::new(Reason::DuplicateAccession, "the cluster occurred before");
                batch.reject(origin, rejection, self.representative.to_string().as_bytes());
            }
        }
        let cluster = ClusterRow::from_members(members.len() as u64);
        match rows {
            ClusterRows::OfRepresentative => batch.rows.push(self.representative, self.origin, &cluster),
            ClusterRows::OfMembers => {
                for &(member, origin) in &members {
                    batch.rows.push(member, origin, &cluster);
                }
            }
        }
    }
}

/// Turns rows of members, by representative, into rows of representatives, by member. They may be
/// counted elsewhere.
pub(super) fn representatives_by_member(members: Box<dyn RowSource>, are_counted: bool) -> impl RowSource {
    MappedRows::new(members, are_counted, move |row, batch| {
        batch.rows.push(row.decode()?, row.origin, &row.key);
        if !are_counted {
            batch.left_out.push((row.origin, LeftOut::Used));
        }
        Ok(())
    })
}

/// Turns rows of sequences into rows of clusters of unknown size. The sequences are counted
/// elsewhere.
pub(super) fn clusters_of_unknown_size(sequences: Box<dyn RowSource>) -> impl RowSource {
    MappedRows::new(sequences, true, |row, batch| {
        batch.rows.push(row.key, row.origin, &ClusterRow::OF_UNKNOWN_SIZE);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Row, RowBlock};

    /// Returns its rows one by one.
    struct Rows(RowBlock, usize);

    impl RowSource for Rows {
        fn next(&mut self, batch: &mut Batch) -> Result<bool> {
            let Some(row) = self.0.get(self.1) else { return Ok(false) };
            batch.rows.push_encoded(row);
            self.1 += 1;
            Ok(true)
        }
    }

    /// Returns the clusters of rows of line, representative and member, and the lines of the
    /// duplicates.
    fn clusters(rows: &[(u64, u64, u64)], rows_made: ClusterRows) -> (Vec<(u64, u64, u64)>, Vec<u64>) {
        let mut block = RowBlock::default();
        for &(line, representative, member) in rows {
            block.push(representative, RowOrigin::new(0, line), &member);
        }
        let mut clusters = CountedClusters::new(Box::new(Rows(block, 0)), rows_made);
        let mut batch = Batch::default();
        while clusters.next(&mut batch).expect("in memory") {}
        let size = |row: Row<'_>| row.decode().expect("just written");
        let rows = batch.rows.iter().map(|row| (row.key, row.origin.row(), size(row))).collect();
        (rows, batch.left_out.iter().map(|(origin, _)| origin.row()).collect())
    }

    #[test]
    fn members_are_counted_once_and_repeated_rows_are_found() {
        let lines = [(1, 5, 5), (1, 5, 9), (2, 5, 5), (2, 5, 9), (3, 7, 7), (4, 8, 8), (5, 8, 10), (6, 8, 8)];
        let (found, repeated) = clusters(&lines, ClusterRows::OfRepresentative);
        assert_eq!(found, [(5, 1, 2), (7, 3, 1), (8, 4, 2)]);
        assert_eq!(repeated, [2, 6]);
        let (found, _) = clusters(&lines, ClusterRows::OfMembers);
        assert_eq!(found, [(5, 1, 2), (9, 1, 2), (7, 3, 1), (8, 4, 2), (10, 5, 2)]);
    }
}
