//! Joins the slices of a range: the rows of each protein become its record.

use std::sync::Arc;

use indexer::Result;
use indexer::run::{PassedOver, Reason};
use indexer::values::accession;
use store::{BiomeTable, ProteinAccession};
use store_proteins::Record;

use crate::context::RunContext;
use crate::read::layout::KnownBy;
use crate::read::rows::{OccurrenceRow, PfamRow};
use crate::read::{Row, RowOrigin};
use crate::table::{PerTable, Table};
use crate::threads::Stop;

use super::account::RowAccount;
use super::range::{KeyRange, RangeProtein, Slice};
use super::record::{RecordBuilder, SeenRows};
use super::tally::Tally;

/// The number of rows of existing proteins that may be read ahead of those that refer to them.
const EXISTING_AHEAD: usize = 65_536;

pub(crate) struct Joiner<'a> {
    context: &'a RunContext,
    /// The lineages that existed when the joiner last looked.
    biomes: Arc<BiomeTable>,
    rows: RangeRows<'a>,
    builder: RecordBuilder,
    seen: SeenRows,
}

impl<'a> Joiner<'a> {
    pub(crate) fn new(known_by: KnownBy, account: RowAccount<'a>, slices: PerTable<Slice>) -> Self {
        let context = account.context;
        let rows = RangeRows { slices, account, unindexed: UnindexedRows { known_by, existing: Vec::new() } };
        let (biomes, builder) = (context.lineages.table(), RecordBuilder::default());
        Self { context, biomes, rows, builder, seen: SeenRows::default() }
    }

    /// Passes the record of each protein of a range to `add`, in ascending order, and returns the
    /// numbers of all rows.
    pub(crate) fn run(
        mut self,
        range: &KeyRange,
        mut add: impl FnMut(&BiomeTable, ProteinAccession, &Record) -> Result<()>,
    ) -> Result<Tally, Stop> {
        for protein in &range.proteins {
            self.rows.pass(protein.number)?;
            // The existence of a protein does not matter if it is indexed.
            self.rows.take(Table::ClusterMembers, protein.number, |_, _| Ok(()))?;
            self.builder.clear();
            let set = |row: Row<'_>| self.builder.set_sequence(row.decode()?);
            self.rows.take_new(Table::Sequences, protein.number, set)?;
            if self.builder.record.sequence.is_empty() {
                self.rows.reject_without_sequence(protein)?;
                continue;
            }
            self.join_annotations(protein.number)?;
            if let Some(origin) = protein.origin {
                self.rows.account.tally.accept(origin.file());
            }
            self.note();
            self.builder.set_cluster(protein.cluster);
            self.builder.record.sort(&self.biomes);
            add(&self.biomes, accession(protein.number)?, &self.builder.record)?;
        }
        self.rows.pass(u64::MAX)?;
        Ok(self.rows.finish()?)
    }

    fn join_annotations(&mut self, protein: u64) -> Result<(), Stop> {
        let Self { rows, builder, seen, .. } = self;
        rows.take_new(Table::Biomes, protein, |row| Ok(builder.add_biome(row.decode()?)))?;
        let (mut without_hmm, mut without_scores) = (0, 0);
        seen.clear();
        rows.take_new(Table::Pfam, protein, |row| {
            let is_new = seen.insert(row.payload);
            if is_new {
                let hit: PfamRow = row.decode()?;
                without_hmm += u64::from(hit.hmm.is_none());
                without_scores += u64::from(hit.scores.is_none());
                builder.add_hit(hit);
            }
            Ok(is_new)
        })?;
        rows.account.tally.notes.pfam_hits_without_hmm_positions += without_hmm;
        rows.account.tally.notes.pfam_hits_without_scores += without_scores;
        seen.clear();
        let mut without_name = 0;
        rows.take_new(Table::Occurrences, protein, |row| {
            let is_new = seen.insert(row.payload);
            if is_new {
                let occurrence: OccurrenceRow<'_> = row.decode()?;
                without_name += u64::from(occurrence.contig_name.is_empty());
                builder.add_occurrence(occurrence);
            }
            Ok(is_new)
        })?;
        rows.account.tally.notes.occurrences_without_contig_name += without_name;
        Ok(())
    }

    /// Notes biomes and families of the record that the tables lack.
    fn note(&mut self) {
        let record = &self.builder.record;
        // A biome that was added since the joiner last looked is in the table by now.
        if record.biomes.iter().any(|entry| self.biomes.get(entry.biome).is_none()) {
            self.biomes = self.context.lineages.table();
        }
        let notes = &mut self.rows.account.tally.notes;
        notes.add_record(record, &self.context.families);
        for entry in &record.biomes {
            let biome = &self.biomes[entry.biome];
            if biome.id.is_none() {
                *notes.unknown_lineage_proteins.entry(biome.lineage.clone()).or_default() += 1;
            }
        }
    }
}

struct RangeRows<'a> {
    /// Members are only included if they show which proteins exist.
    slices: PerTable<Slice>,
    account: RowAccount<'a>,
    unindexed: UnindexedRows,
}

impl RangeRows<'_> {
    /// Takes the rows of one protein from a table. All rows before them were passed.
    fn take(
        &mut self,
        table: Table,
        protein: u64,
        mut take: impl FnMut(Row<'_>, &mut RowAccount<'_>) -> Result<()>,
    ) -> Result<(), Stop> {
        let Some(slice) = self.slices.get_mut(&table) else { return Ok(()) };
        while let Some(row) = slice.peek(&mut self.account)?.filter(|row| row.key == protein) {
            take(row, &mut self.account)?;
            slice.advance();
        }
        Ok(())
    }

    /// Joins rows that must be distinct: `add` returns false for a repeated one.
    fn take_new(
        &mut self,
        table: Table,
        protein: u64,
        mut add: impl FnMut(Row<'_>) -> Result<bool>,
    ) -> Result<(), Stop> {
        let (reason, detail) = match table {
            Table::Sequences => (Reason::DuplicateAccession, "a second sequence"),
            _ => (Reason::DuplicateAnnotation, "the protein already has this"),
        };
        self.take(table, protein, |row, account| {
            if add(row)? {
                account.tally.accept(row.origin.file());
                return Ok(());
            }
            account.reject_protein(protein, row.origin, reason, detail)
        })
    }

    /// Passes the rows of all proteins before one. The rows that show which proteins exist are read
    /// somewhat ahead of other rows, so that memory is bounded however many lie between two indexed
    /// proteins.
    fn pass(&mut self, protein: u64) -> Result<(), Stop> {
        loop {
            let mut bound = self.pass_rows(Table::ClusterMembers, protein, EXISTING_AHEAD)?;
            let has_members = self.slices.contains_key(&Table::ClusterMembers);
            let ahead = if has_members { usize::MAX } else { EXISTING_AHEAD };
            bound = self.pass_rows(Table::Sequences, bound, ahead)?;
            for table in Table::ANNOTATIONS {
                self.pass_rows(table, bound, usize::MAX)?;
            }
            // All tables were read beyond these accessions.
            self.unindexed.existing.clear();
            if bound == protein {
                return Ok(());
            }
        }
    }

    /// Passes rows of a table before `bound`, about `num_max` at most, and returns the key of the
    /// first row that may not have been passed.
    fn pass_rows(&mut self, table: Table, bound: u64, num_max: usize) -> Result<u64, Stop> {
        let Some(slice) = self.slices.get_mut(&table) else { return Ok(bound) };
        let mut num_passed = 0;
        let mut previous = None;
        while let Some(row) = slice.peek(&mut self.account)?.filter(|row| row.key < bound) {
            // All rows of a protein are passed at once.
            if num_passed >= num_max && previous != Some(row.key) {
                return Ok(row.key);
            }
            previous = Some(row.key);
            num_passed += 1;
            self.unindexed.classify(table, row.key, row.origin, &mut self.account)?;
            slice.advance();
        }
        Ok(bound)
    }

    fn reject_without_sequence(&mut self, protein: &RangeProtein) -> Result<(), Stop> {
        let mut orphans: Vec<RowOrigin> = Vec::new();
        for table in Table::ANNOTATIONS {
            self.take(table, protein.number, |row, _| {
                orphans.push(row.origin);
                Ok(())
            })?;
        }
        let missing = "the release does not have its sequence";
        if let Some(origin) = protein.origin {
            self.account.reject_protein(protein.number, origin, Reason::MissingSequence, missing)?;
        }
        for origin in orphans {
            self.account.reject_protein(protein.number, origin, Reason::Orphan, "the protein has no sequence")?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Tally> {
        let Self { slices, mut account, .. } = self;
        for (table, slice) in slices {
            // Rows of members were counted when they became clusters.
            if table != Table::ClusterMembers {
                account.tally.add(slice.finish());
            }
        }
        account.finish()
    }
}

/// Classifies rows whose protein is not indexed: those of cluster members are passed over, those of
/// unknown accessions are orphans.
struct UnindexedRows {
    known_by: KnownBy,
    /// Accessions that exist, ascending.
    existing: Vec<u64>,
}

impl UnindexedRows {
    /// Classifies a row. All rows up to its protein that show which accessions exist must have been
    /// read.
    fn classify(&mut self, table: Table, protein: u64, origin: RowOrigin, account: &mut RowAccount<'_>) -> Result<()> {
        if table == Table::ClusterMembers {
            // Members are read for the second time here: they were counted as rows when they became
            // clusters.
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
            KnownBy::Index => "no cluster contains this protein",
            KnownBy::Sequences | KnownBy::Clusters | KnownBy::Nothing => "the release has no such protein",
        };
        account.reject_protein(protein, origin, Reason::Orphan, detail)
    }
}
