//! Opens the tables of a release in the order of their keys: directly from their files, or sorted
//! before.

use std::path::PathBuf;

use indexer::input::BytesRead;
use indexer::run::StageReport;
use indexer::{Error, Result};

use crate::context::RunContext;
use crate::read::layout::{Format, Layout, TableInput};
use crate::read::{Batch, OpenTable, is_ordered_by_statistics, open};
use crate::resume::journal::{Done, Event};
use crate::table::Table;

use super::clusters::{ClusterRows, CountedClusters, clusters_of_unknown_size, representatives_by_member};
use super::contig_names::{NamedOccurrences, keyed_by_contig};
use super::sort::{SortedSource, sort};

pub(crate) struct OrderedTables<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) context: &'a RunContext,
    /// The work that is already done. Tables that are sorted now are added.
    pub(crate) done: &'a mut Done,
    pub(crate) stages: &'a mut Vec<StageReport>,
}

impl OrderedTables<'_> {
    /// Opens the proteins that are to be indexed, each with the size of its cluster.
    pub(crate) fn leader(&mut self) -> Result<OpenTable> {
        let table = self.layout.leading_table();
        match table {
            Table::Clusters => return self.ordered(table),
            Table::Sequences => return Ok(self.ordered(table)?.map(clusters_of_unknown_size)),
            _ => {}
        }
        if self.layout.all_proteins {
            return self.sorted("proteins", |tables| {
                Ok(tables.ordered(table)?.map(|members| CountedClusters::new(members, ClusterRows::OfMembers)))
            });
        }
        Ok(self.ordered(table)?.map(|members| CountedClusters::new(members, ClusterRows::OfRepresentative)))
    }

    /// Opens a table by protein, or returns `None` if the release lacks it.
    pub(crate) fn table(&mut self, table: Table) -> Result<Option<OpenTable>> {
        if self.layout.input(table).is_none() {
            return Ok(None);
        }
        match table {
            Table::ClusterMembers => self.members().map(Some),
            Table::Occurrences if self.layout.input(Table::ContigNames).is_some() => self.named_occurrences().map(Some),
            table => self.ordered(table).map(Some),
        }
    }

    fn members(&mut self) -> Result<OpenTable> {
        let are_counted = self.layout.leading_table() == Table::ClusterMembers;
        self.sorted("members", |tables| {
            Ok(tables.raw(Table::ClusterMembers)?.map(|members| representatives_by_member(members, are_counted)))
        })
    }

    fn named_occurrences(&mut self) -> Result<OpenTable> {
        self.sorted("named_occurrences", |tables| {
            let occurrences_by_contig = tables
                .sorted("occurrences_by_contig", |tables| Ok(tables.raw(Table::Occurrences)?.map(keyed_by_contig)))?;
            let names = tables.ordered(Table::ContigNames)?;
            Ok(names.map(|names| NamedOccurrences::new(occurrences_by_contig.source, names)))
        })
    }

    fn ordered(&mut self, table: Table) -> Result<OpenTable> {
        if self.done.out_of_order.contains(&table) {
            return self.sorted(&table.name().replace(' ', "_"), |tables| tables.raw(table));
        }
        if self.seems_ordered(self.layout.require(table)?)? {
            self.raw(table)
        } else {
            Err(Error::OutOfOrder { table: table.name() })
        }
    }

    /// Returns false if the statistics of the files or their first rows show that the keys do not
    /// ascend. All rows are checked when they are joined, but by then much work may have been
    /// wasted.
    fn seems_ordered(&self, input: &TableInput) -> Result<bool> {
        if input.format == Format::Parquet && !is_ordered_by_statistics(input)? {
            return Ok(false);
        }
        let mut start = self.raw(input.table)?.source;
        let mut batch = Batch::default();
        while batch.rows.is_empty() && start.next(&mut batch)? {
            // Bad rows are listed when the table is read.
            batch.left_out.clear();
        }
        Ok(batch.rows.iter().is_sorted_by_key(|row| row.key))
    }

    fn raw(&self, table: Table) -> Result<OpenTable> {
        open(self.layout.require(table)?, &self.context.lineages)
    }

    /// Opens sorted rows. They are sorted first if no earlier run has done so.
    fn sorted(&mut self, name: &str, open: impl FnOnce(&mut Self) -> Result<OpenTable>) -> Result<OpenTable> {
        if !self.done.sorted.contains_key(name) {
            let table = open(self)?;
            let (sorted, stage) = sort(self.context, name, table)?;
            self.stages.push(stage);
            self.context.journal.write(&Event::Sorted(sorted.clone()))?;
            self.done.sorted.insert(name.to_owned(), sorted);
        }
        let runs = self.done.sorted[name].runs.iter().map(|run| self.context.work.join(run));
        let source = Box::new(SortedSource::open(&runs.collect::<Vec<PathBuf>>())?);
        Ok(OpenTable { source, bytes_read: BytesRead::default(), total_bytes: 0 })
    }
}
