//! Provides the tables of a release in order: straight from their files, or sorted before.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::clusters::{ByMember, ClusterForm, CountedClusters};
use super::informative::Informative;
use super::journal::{Done, Event, Journal};
use super::layout::{self, Format, Layout};
use super::lineages::Lineages;
use super::naming::{ByContig, NamedOccurrences};
use super::runs::RunSource;
use super::sorting::{SortingRoom, Unsorted};
use super::source::{self, Batch, RowSource};
use super::table::Table;
use crate::input::BytesRead;
use crate::run::StageReport;
use crate::{Error, Result};

/// A table whose rows can be read.
pub(super) struct Opened {
    /// The rows.
    pub(super) source: Box<dyn RowSource>,
    /// How much of the input was read; nothing is counted where the rows were sorted before.
    pub(super) bytes_read: BytesRead,
    /// How large the input is.
    pub(super) total_bytes: u64,
}

/// Provides the tables of a release.
pub(super) struct Provision<'a> {
    /// The folder of the release.
    pub(super) folder: &'a Path,
    /// The files.
    pub(super) layout: &'a Layout,
    /// Every protein is indexed, and not only representatives.
    pub(super) all_proteins: bool,
    /// All lineages.
    pub(super) lineages: &'a Arc<Lineages>,
    /// Where and how rows are sorted.
    pub(super) room: SortingRoom<'a>,
    /// Takes down what was sorted.
    pub(super) journal: &'a Mutex<Journal>,
    /// What was sorted before.
    pub(super) done: &'a mut Done,
    /// How long sorting took.
    pub(super) stages: &'a mut Vec<StageReport>,
}

impl Provision<'_> {
    /// Returns the table that the proteins to be indexed come from.
    pub(super) fn leading_table(&self) -> Table {
        layout::leading_table(self.layout.form, self.all_proteins, |table| self.layout.input(table).is_some())
    }

    /// Opens the proteins that are to be indexed, each with the size of its cluster.
    ///
    /// # Errors
    ///
    /// * An input cannot be read or sorted.
    pub(super) fn leader(&mut self) -> Result<Opened> {
        match (self.leading_table(), self.all_proteins) {
            (Table::ClusterMembers, true) => self.sorted("proteins", |provision| {
                Ok(provision.ordered(Table::ClusterMembers)?.map(|members| counted(members, ClusterForm::EachMember)))
            }),
            (Table::ClusterMembers, false) => {
                Ok(self.ordered(Table::ClusterMembers)?.map(|members| counted(members, ClusterForm::Representative)))
            }
            (table, _) => self.ordered(table),
        }
    }

    /// Opens the sequences.
    ///
    /// # Errors
    ///
    /// * An input cannot be read or sorted.
    pub(super) fn sequences(&mut self) -> Result<Opened> {
        self.ordered(Table::Sequences)
    }

    /// Opens a table by protein, or returns `None` where the release lacks it.
    ///
    /// # Errors
    ///
    /// * An input cannot be read or sorted.
    pub(super) fn table(&mut self, table: Table) -> Result<Option<Opened>> {
        if self.layout.input(table).is_none() {
            return Ok(None);
        }
        if table == Table::Counts {
            let opened = match self.ordered(table) {
                Err(Error::OutOfOrder { .. }) => {
                    self.done.out_of_order.insert(table);
                    self.ordered(table)
                }
                opened => opened,
            };
            if let Err(error) = &opened {
                tracing::warn!("the counts are not compared: {error}");
            }
            return Ok(opened
                .ok()
                .map(|opened| opened.map(|rows| Box::new(Informative::in_order(table.name(), rows)))));
        }
        if table == Table::Occurrences && self.layout.input(Table::ContigNames).is_some() {
            return self.named_occurrences().map(Some);
        }
        self.ordered(table).map(Some)
    }

    /// Opens the members of all clusters with their representatives, by member, or returns `None` where the release lacks them.
    ///
    /// # Errors
    ///
    /// * An input cannot be read or sorted.
    pub(super) fn members(&mut self) -> Result<Option<Opened>> {
        if self.layout.input(Table::ClusterMembers).is_none() {
            return Ok(None);
        }
        let are_counted = self.leading_table() == Table::ClusterMembers;
        let opened = self.sorted("members", |provision| {
            let members = provision.raw(Table::ClusterMembers)?;
            Ok(members.map(|members| Box::new(ByMember::new(members, are_counted))))
        });
        opened.map(Some)
    }

    /// Opens the files of a table as they are.
    fn raw(&self, table: Table) -> Result<Opened> {
        let input = self.layout.input(table).ok_or_else(|| Error::Release {
            path: self.folder.to_owned(),
            problem: format!("it has no {}", table.name()),
        })?;
        let bytes_read = BytesRead::default();
        let mut source = source::open(input, self.lineages, &bytes_read)?;
        if table == Table::Counts {
            source = Box::new(Informative::new(table.name(), source));
        }
        Ok(Opened { source, bytes_read, total_bytes: source::total_bytes(input)? })
    }

    /// Opens a table in the order of its keys.
    fn ordered(&mut self, table: Table) -> Result<Opened> {
        if !self.done.out_of_order.contains(&table) {
            return if self.seems_ordered(table)? { self.raw(table) } else { Err(Error::OutOfOrder { table }) };
        }
        self.sorted(&table.name().replace(' ', "_"), |provision| provision.raw(table))
    }

    /// Tells whether neither the statistics of the files nor their first rows show that the keys do not ascend. All rows are looked
    /// at when they are joined, but then much may have been done in vain.
    fn seems_ordered(&self, table: Table) -> Result<bool> {
        if let Some(input) = self.layout.input(table)
            && input.format == Format::Parquet
            && !source::is_ordered_by_statistics(input)?
        {
            return Ok(false);
        }
        let mut start = self.raw(table)?.source;
        let mut batch = Batch::default();
        while batch.rows.is_empty() && start.next(&mut batch)? {
            // Bad rows are listed when the table is read.
            batch.rejected.clear();
            batch.clan_rows.clear();
        }
        Ok(batch.rows.iter().is_sorted_by_key(|row| row.key))
    }

    /// Opens the occurrences with the names of their contigs.
    fn named_occurrences(&mut self) -> Result<Opened> {
        self.sorted("named_occurrences", |provision| {
            let by_contig = provision.sorted("occurrences_by_contig", |provision| {
                let occurrences = provision.raw(Table::Occurrences)?;
                Ok(occurrences.map(|occurrences| Box::new(ByContig::new(occurrences))))
            })?;
            let names = provision.ordered(Table::ContigNames)?;
            Ok(names.map(|names| Box::new(NamedOccurrences::new(by_contig.source, names))))
        })
    }

    /// Opens rows that were sorted, after sorting them if that was not done before.
    fn sorted(&mut self, name: &str, open: impl FnOnce(&mut Self) -> Result<Opened>) -> Result<Opened> {
        if !self.done.sorted.contains_key(name) {
            let Opened { source, bytes_read, total_bytes } = open(self)?;
            let (sorted, stage) =
                self.room.sort(Unsorted { name: name.to_owned(), source, bytes_read, total_bytes })?;
            self.stages.push(stage);
            self.journal.lock().unwrap_or_else(PoisonError::into_inner).write(&Event::Sorted(sorted.clone()))?;
            self.done.sorted.insert(name.to_owned(), sorted);
        }
        let runs: Vec<PathBuf> = self.done.sorted[name].runs.iter().map(|run| self.room.work.join(run)).collect();
        Ok(Opened { source: Box::new(RunSource::open(&runs)?), bytes_read: BytesRead::default(), total_bytes: 0 })
    }
}

impl Opened {
    /// Returns the same with its rows turned into others.
    fn map(self, turn: impl FnOnce(Box<dyn RowSource>) -> Box<dyn RowSource>) -> Self {
        Self { source: turn(self.source), ..self }
    }
}

/// Turns members into clusters.
fn counted(members: Box<dyn RowSource>, form: ClusterForm) -> Box<dyn RowSource> {
    Box::new(CountedClusters::new(members, form))
}
