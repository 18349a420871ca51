//! Clusters from their members: the size of a cluster is the number of its members.

use std::collections::HashSet;

use super::block::RowPlace;
use super::rows::{ClusterRow, MemberRow};
use super::source::{Batch, RowSource};
use super::table::Table;
use crate::run::{Reason, Rejection};
use crate::{Error, Result};

/// Turns rows of members, by representative, into one row for each cluster.
///
/// The place of a cluster is that of its first member. A file with one line a cluster so has one row a line; in one with a row for
/// each member, the rows behind the first count with it.
pub(super) struct CountedClusters {
    /// The members, those of a cluster next to one another.
    members: Box<dyn RowSource>,
    /// What was read.
    batch: Batch,
    /// The cluster that is being counted.
    open: Option<OpenCluster>,
    /// What the clusters are made into.
    form: ClusterForm,
}

/// What is made of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClusterForm {
    /// One row by representative.
    Representative,
    /// A row for each member, by member.
    EachMember,
}

/// A cluster while its members are read.
struct OpenCluster {
    /// The number of the representative.
    representative: u64,
    /// The place of the first member.
    place: RowPlace,
    /// The members with their places.
    members: Vec<(u64, RowPlace)>,
}

impl CountedClusters {
    /// Starts before the first cluster.
    pub(super) fn new(members: Box<dyn RowSource>, form: ClusterForm) -> Self {
        Self { members, batch: Batch::default(), open: None, form }
    }
}

impl RowSource for CountedClusters {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        self.batch.clear();
        let is_more = self.members.next(&mut self.batch)?;
        for row in self.batch.rows.iter() {
            let member = MemberRow::take(row.payload).map_err(|_| Error::Spill)?.member;
            match &mut self.open {
                Some(open) if open.representative == row.key => open.members.push((member, row.place)),
                open => {
                    if let Some(done) = open.take() {
                        if done.representative > row.key {
                            return Err(Error::OutOfOrder { table: Table::ClusterMembers });
                        }
                        done.close(self.form, batch);
                    }
                    let members = vec![(member, row.place)];
                    *open = Some(OpenCluster { representative: row.key, place: row.place, members });
                }
            }
        }
        batch.rejected.append(&mut self.batch.rejected);
        if !is_more && let Some(done) = self.open.take() {
            done.close(self.form, batch);
        }
        // A cluster that ended was met before the bad rows that came with it.
        batch.rejected.sort_by_key(|&(place, ..)| place);
        Ok(is_more)
    }
}

impl OpenCluster {
    /// Writes the cluster down. A row whose members were all there before is a duplicate.
    fn close(mut self, form: ClusterForm, batch: &mut Batch) {
        self.members.sort_unstable();
        let mut members: Vec<(u64, RowPlace)> = Vec::with_capacity(self.members.len());
        let mut repeated = Vec::new();
        for (member, place) in self.members {
            if members.last().is_some_and(|&(known, _)| known == member) {
                repeated.push(place);
            } else {
                members.push((member, place));
            }
        }
        if !repeated.is_empty() {
            let fresh: HashSet<RowPlace> = members.iter().map(|&(_, place)| place).collect();
            repeated.sort_unstable();
            repeated.dedup();
            for place in repeated.into_iter().filter(|place| !fresh.contains(place)) {
                let rejection = Rejection::new(Reason::DuplicateAccession, "the cluster was there before");
                batch.rejected.push((place, rejection, self.representative.to_string().into_bytes()));
            }
        }
        let cluster = ClusterRow { size: members.len() as u64 };
        match form {
            ClusterForm::Representative => batch.rows.push(self.representative, self.place, |out| cluster.put(out)),
            ClusterForm::EachMember => {
                for &(member, place) in &members {
                    batch.rows.push(member, place, |out| cluster.put(out));
                }
            }
        }
    }
}

/// Turns rows of members, by representative, into rows of representatives, by member.
pub(super) struct ByMember {
    /// The members.
    members: Box<dyn RowSource>,
    /// What was read.
    batch: Batch,
    /// The rows are read by somebody else too, who counts them.
    are_counted: bool,
}

impl ByMember {
    /// Starts before the first member.
    pub(super) fn new(members: Box<dyn RowSource>, are_counted: bool) -> Self {
        Self { members, batch: Batch::default(), are_counted }
    }
}

impl RowSource for ByMember {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        self.batch.clear();
        let is_more = self.members.next(&mut self.batch)?;
        for row in self.batch.rows.iter() {
            let member = MemberRow::take(row.payload).map_err(|_| Error::Spill)?.member;
            batch.rows.push(member, row.place, |out| MemberRow { member: row.key }.put(out));
        }
        if !self.are_counted {
            batch.aside.extend(self.batch.rows.iter().map(|row| (row.place, None)));
            batch.rejected.append(&mut self.batch.rejected);
        }
        Ok(is_more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::block::RowBlock;

    /// Gives its rows one by one.
    struct Rows(RowBlock, usize);

    impl RowSource for Rows {
        fn next(&mut self, batch: &mut Batch) -> Result<bool> {
            let Some(row) = self.0.get(self.1) else { return Ok(false) };
            batch.rows.push(row.key, row.place, |out| out.extend(row.payload));
            self.1 += 1;
            Ok(true)
        }
    }

    /// Returns the clusters of rows of line, representative and member, and the lines of the duplicates.
    fn clusters(rows: &[(u64, u64, u64)], form: ClusterForm) -> (Vec<(u64, u64, u64)>, Vec<u64>) {
        let mut block = RowBlock::default();
        for &(line, representative, member) in rows {
            block.push(representative, RowPlace::new(0, line), |out| MemberRow { member }.put(out));
        }
        let mut clusters = CountedClusters::new(Box::new(Rows(block, 0)), form);
        let mut batch = Batch::default();
        while clusters.next(&mut batch).expect("in memory") {}
        let size = |payload| ClusterRow::take(payload).expect("just written").size;
        let rows = batch.rows.iter().map(|row| (row.key, row.place.row(), size(row.payload))).collect();
        (rows, batch.rejected.iter().map(|(place, ..)| place.row()).collect())
    }

    #[test]
    fn members_are_counted_once_and_repeated_rows_are_found() {
        let lines = [(1, 5, 5), (1, 5, 9), (2, 5, 5), (2, 5, 9), (3, 7, 7), (4, 8, 8), (5, 8, 10), (6, 8, 8)];
        let (found, repeated) = clusters(&lines, ClusterForm::Representative);
        assert_eq!(found, [(5, 1, 2), (7, 3, 1), (8, 4, 2)]);
        assert_eq!(repeated, [2, 6]);
        let (found, _) = clusters(&lines, ClusterForm::EachMember);
        assert_eq!(found, [(5, 1, 2), (9, 1, 2), (7, 3, 1), (8, 4, 2), (10, 5, 2)]);
    }
}
