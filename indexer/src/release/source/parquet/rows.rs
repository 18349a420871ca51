//! Decoded columns become rows.

use std::ops::Range;

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;

use crate::release::block::RowPlace;
use crate::release::rows::{BiomeRow, ClusterRow, ContigNameRow, CountRow, OccurrenceRow, PfamRow, SequenceRow};
use crate::release::source::Batch;
use crate::release::source::checks;
use crate::release::source::rows_in::{Fault, LineageCache};
use crate::release::table::Table;
use crate::run::Reason;
use crate::values;

use super::biomes::Biomes;
use super::cells::{Completeness, Texts, Wholes, WholesOrTexts};
use super::columns::columns_of;
use super::hits::PfamColumns;
use super::members::Members;
use super::places::OccurrenceColumns;

/// The rows of a batch that are left.
pub(super) struct Span {
    /// Which they are.
    pub(super) rows: Range<usize>,
    /// The place of row 0 of the batch.
    pub(super) first: RowPlace,
}

impl Span {
    /// Returns the place of a row.
    fn place(&self, row: usize) -> RowPlace {
        RowPlace::new(self.first.file(), self.first.row() + row as u64)
    }
}

/// The columns of a batch, each of the type that its table needs.
pub(super) enum TableRows {
    /// Representatives and sizes.
    Clusters(WholesOrTexts, Wholes),
    /// Representatives and members.
    ClusterMembers(WholesOrTexts, Members),
    /// Proteins, completeness and residues.
    Sequences(WholesOrTexts, Completeness, Texts),
    /// Proteins, counts and lineages.
    Biomes(WholesOrTexts, Wholes, Biomes),
    /// Hits.
    Pfam(Box<PfamColumns>),
    /// Places on contigs.
    Occurrences(Box<OccurrenceColumns>),
    /// Contigs and names.
    ContigNames(WholesOrTexts, Texts),
    /// Proteins and counts.
    Counts(WholesOrTexts, Wholes),
    /// Lineages and counts.
    BiomeCounts(Texts, Wholes),
}

/// Hands out the columns of a batch in the order of the table.
pub(super) struct Columns<I> {
    /// The columns that are left, with their names.
    rest: I,
}

impl<I: Iterator<Item = (&'static str, Option<ArrayRef>)>> Columns<I> {
    /// Returns the next column, of a type that `of` makes of it.
    pub(super) fn take<T>(
        &mut self,
        of: impl FnOnce(&'static str, ArrayRef) -> Result<T, ArrowError>,
    ) -> Result<T, ArrowError> {
        self.take_optional(of)?.ok_or_else(|| ArrowError::SchemaError("a column is missing".to_owned()))
    }

    /// Returns the next column, which may be missing.
    pub(super) fn take_optional<T>(
        &mut self,
        of: impl FnOnce(&'static str, ArrayRef) -> Result<T, ArrowError>,
    ) -> Result<Option<T>, ArrowError> {
        match self.rest.next() {
            Some((name, Some(array))) => of(name, array).map(Some),
            _ => Ok(None),
        }
    }
}

impl TableRows {
    /// Takes the columns of a table, in the order of [`columns_of`].
    pub(super) fn of(table: Table, arrays: Vec<Option<ArrayRef>>) -> Result<Self, ArrowError> {
        let mut columns = Columns { rest: columns_of(table).iter().map(|column| column.names[0]).zip(arrays) };
        Ok(match table {
            Table::Clusters => Self::Clusters(columns.take(WholesOrTexts::of)?, columns.take(Wholes::of)?),
            Table::ClusterMembers => Self::ClusterMembers(columns.take(WholesOrTexts::of)?, columns.take(Members::of)?),
            Table::Sequences => Self::Sequences(
                columns.take(WholesOrTexts::of)?,
                columns.take(Completeness::of)?,
                columns.take(Texts::of)?,
            ),
            Table::Biomes => {
                Self::Biomes(columns.take(WholesOrTexts::of)?, columns.take(Wholes::of)?, columns.take(Biomes::of)?)
            }
            Table::Pfam => Self::Pfam(Box::new(PfamColumns::of(&mut columns)?)),
            Table::Occurrences => Self::Occurrences(Box::new(OccurrenceColumns::of(&mut columns)?)),
            Table::ContigNames => Self::ContigNames(columns.take(WholesOrTexts::of)?, columns.take(Texts::of)?),
            Table::Counts => Self::Counts(columns.take(WholesOrTexts::of)?, columns.take(Wholes::of)?),
            Table::BiomeCounts => Self::BiomeCounts(columns.take(Texts::of)?, columns.take(Wholes::of)?),
        })
    }

    /// Puts rows into the batch until it is full or none is left.
    pub(super) fn push(
        &mut self,
        span: &mut Span,
        lineages: &mut LineageCache,
        batch: &mut Batch,
    ) -> crate::Result<()> {
        match self {
            Self::Clusters(keys, sizes) => push_proteins(
                keys,
                span,
                batch,
                |row: &ClusterRow, out: &mut Vec<u8>| row.put(out),
                |row| {
                    let size = values::cluster_size(sizes.get_or(Reason::BadClusterSize, row)?)?;
                    Ok(ClusterRow { size })
                },
            ),
            Self::ClusterMembers(keys, members) => push_members(keys, members, span, batch),
            Self::Sequences(keys, completeness, residues) => push_proteins(
                keys,
                span,
                batch,
                |row: &SequenceRow<'_>, out: &mut Vec<u8>| row.put(out),
                |row| {
                    let number = keys.protein(row)?;
                    let text = residues.get_or(Reason::BadSequence, row).map_err(|bad| bad.of_protein(number))?;
                    Ok(SequenceRow {
                        full_length: completeness.get(row)?,
                        residues: values::sequence(number, text.as_bytes())?,
                    })
                },
            ),
            Self::Biomes(keys, counts, biomes) => push_proteins(
                keys,
                span,
                batch,
                |row: &BiomeRow, out: &mut Vec<u8>| row.put(out),
                |row| {
                    let count = values::biome_count(counts.get(row)?)?;
                    Ok(BiomeRow { biome: biomes.ordinal(row, lineages)?, count })
                },
            ),
            Self::Pfam(columns) => push_proteins(
                &columns.protein,
                span,
                batch,
                |row: &PfamRow, out: &mut Vec<u8>| row.put(out),
                |row| columns.row(row),
            ),
            Self::Occurrences(columns) => push_proteins(
                &columns.protein,
                span,
                batch,
                |row: &OccurrenceRow<'_>, out: &mut Vec<u8>| row.put(out),
                |row| Ok(columns.row(row)?),
            ),
            Self::ContigNames(keys, names) => push_rows(
                span,
                batch,
                |row: &ContigNameRow<'_>, out: &mut Vec<u8>| row.put(out),
                |row| keys.shown(row),
                |row| {
                    let key = keys.contig(row)?;
                    let name = checks::contig_name(names.get_or_empty(Reason::BadPlace, row)?)?;
                    Ok((key, ContigNameRow { name }))
                },
            ),
            Self::Counts(keys, counts) => push_proteins(
                keys,
                span,
                batch,
                |row: &CountRow, out: &mut Vec<u8>| row.put(out),
                |row| Ok(CountRow { count: counts.get(row)? }),
            ),
            Self::BiomeCounts(biomes, counts) => push_rows(
                span,
                batch,
                |row: &CountRow, out: &mut Vec<u8>| row.put(out),
                |row| biomes.get(row).unwrap_or("null").to_owned(),
                |row| {
                    let count = counts.get(row)?;
                    let biome = lineages.ordinal_of(biomes.get_or(Reason::BadLineage, row)?)?;
                    Ok((biome.into(), CountRow { count }))
                },
            ),
        }
    }
}

/// Puts rows that are ordered by protein into the batch.
fn push_proteins<T>(
    keys: &WholesOrTexts,
    span: &mut Span,
    batch: &mut Batch,
    put: impl Fn(&T, &mut Vec<u8>),
    mut read: impl FnMut(usize) -> Result<T, Fault>,
) -> crate::Result<()> {
    push_rows(span, batch, put, |row| keys.shown(row), |row| Ok((keys.protein(row)?, read(row)?)))
}

/// Puts rows into the batch.
fn push_rows<T>(
    span: &mut Span,
    batch: &mut Batch,
    put: impl Fn(&T, &mut Vec<u8>),
    show: impl Fn(usize) -> String,
    mut read: impl FnMut(usize) -> Result<(u64, T), Fault>,
) -> crate::Result<()> {
    while !span.rows.is_empty() && !batch.rows.is_full() {
        let row = span.rows.start;
        span.rows.start += 1;
        match read(row) {
            Ok((key, payload)) => batch.rows.push(key, span.place(row), |out| put(&payload, out)),
            Err(fault) => batch.leave_out(fault, span.place(row), show(row).as_bytes())?,
        }
    }
    Ok(())
}

/// Puts the members of clusters into the batch; a row may have many.
fn push_members(keys: &WholesOrTexts, members: &Members, span: &mut Span, batch: &mut Batch) -> crate::Result<()> {
    while !span.rows.is_empty() && !batch.rows.is_full() {
        let row = span.rows.start;
        span.rows.start += 1;
        match keys.protein(row) {
            Ok(key) => members.push(key, row, span.place(row), || keys.shown(row), batch)?,
            Err(rejection) => batch.leave_out(rejection.into(), span.place(row), keys.shown(row).as_bytes())?,
        }
    }
    Ok(())
}
