//! Decoded columns become rows.

use std::ops::Range;

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use serde::Serialize;

use crate::rejects::{Reason, Rejection};
use crate::release::read::batch::Batch;
use crate::release::read::block::RowOrigin;
use crate::release::read::checks;
use crate::release::read::fault::Fault;
use crate::release::read::lineages::LineageCache;
use crate::release::read::rows::{BiomeRow, SequenceRow};
use crate::release::table::Table;
use crate::{Result, values};

use super::cells::{Columns, Completeness, Texts, Wholes, WholesOrTexts};
use super::hits::PfamColumns;
use super::lineages::LineageCells;
use super::members::Members;
use super::occurrences::OccurrenceColumns;

/// The rows of a batch that are left.
pub(super) struct Span {
    pub(super) rows: Range<usize>,
    /// The origin of row 0 of the batch.
    pub(super) first: RowOrigin,
}

impl Span {
    /// Takes the first of the rows, unless the batch is full.
    fn next(&mut self, batch: &Batch) -> Option<(usize, RowOrigin)> {
        if batch.rows.is_full() {
            return None;
        }
        let row = self.rows.next()?;
        Some((row, RowOrigin::new(self.first.file(), self.first.row() + row as u64)))
    }
}

/// The columns of a batch, each of the type that its table needs. All but those of biome counts start with the key.
pub(super) enum TableRows {
    Clusters(WholesOrTexts, Wholes),
    ClusterMembers(WholesOrTexts, Members),
    Sequences(WholesOrTexts, Completeness, Texts),
    Biomes(WholesOrTexts, Wholes, LineageCells),
    Pfam(Box<PfamColumns>),
    Occurrences(Box<OccurrenceColumns>),
    ContigNames(WholesOrTexts, Texts),
    Counts(WholesOrTexts, Wholes),
    BiomeCounts(Texts, Wholes),
}

impl TableRows {
    /// Takes the columns of a table, in the order of [`super::columns::columns_of`].
    pub(super) fn of(table: Table, arrays: Vec<Option<ArrayRef>>) -> Result<Self, ArrowError> {
        let mut columns = Columns::of(table, arrays);
        Ok(match table {
            Table::Clusters => Self::Clusters(columns.take()?, columns.take()?),
            Table::ClusterMembers => Self::ClusterMembers(columns.take()?, columns.take()?),
            Table::Sequences => Self::Sequences(columns.take()?, columns.take()?, columns.take()?),
            Table::Biomes => Self::Biomes(columns.take()?, columns.take()?, columns.take()?),
            Table::Pfam => Self::Pfam(Box::new(PfamColumns::take(&mut columns)?)),
            Table::Occurrences => Self::Occurrences(Box::new(OccurrenceColumns::take(&mut columns)?)),
            Table::ContigNames => Self::ContigNames(columns.take()?, columns.take()?),
            Table::Counts => Self::Counts(columns.take()?, columns.take()?),
            Table::BiomeCounts => Self::BiomeCounts(columns.take()?, columns.take()?),
        })
    }

    /// Puts rows into the batch until it is full or none is left.
    pub(super) fn push(&mut self, span: &mut Span, lineages: &mut LineageCache, batch: &mut Batch) -> Result<()> {
        match self {
            Self::Clusters(keys, sizes) => push_proteins(keys, span, batch, |row| {
                Ok(values::cluster_size(sizes.get_or(Reason::BadClusterSize, row)?)?)
            }),
            Self::ClusterMembers(keys, members) => {
                push_members(keys, members, span, batch);
                Ok(())
            }
            Self::Sequences(keys, completeness, residues) => push_proteins(keys, span, batch, |row| {
                let number = keys.protein(row)?;
                let text = residues.get_or(Reason::BadSequence, row).map_err(|bad| bad.of_protein(number))?;
                let full_length = completeness.get(row)?;
                Ok(SequenceRow { full_length, residues: values::sequence(number, text.as_bytes())? })
            }),
            Self::Biomes(keys, counts, biomes) => push_proteins(keys, span, batch, |row| {
                let count = values::biome_count(counts.get(row)?)?;
                Ok(BiomeRow { biome: biomes.ordinal(row, lineages)?, count })
            }),
            Self::Pfam(columns) => push_proteins(&columns.protein, span, batch, |row| columns.row(row)),
            Self::Occurrences(columns) => push_proteins(&columns.protein, span, batch, |row| Ok(columns.row(row)?)),
            Self::ContigNames(keys, names) => {
                let name = |row| checks::contig_name(names.get_or_empty(Reason::BadPlace, row)?);
                push_rows(span, batch, |row| keys.shown(row), |row| Ok((keys.contig(row)?, name(row)?)))
            }
            Self::Counts(keys, counts) => push_proteins(keys, span, batch, |row| Ok(counts.get(row)?)),
            Self::BiomeCounts(biomes, counts) => {
                let show = |row| biomes.get(row).unwrap_or("null").to_owned();
                push_rows(span, batch, show, |row| {
                    let count = counts.get(row)?;
                    let biome = lineages.ordinal_of(biomes.get_or(Reason::BadLineage, row)?)?;
                    Ok((biome.into(), count))
                })
            }
        }
    }
}

/// Puts rows that are ordered by protein into the batch.
fn push_proteins<T: Serialize>(
    keys: &WholesOrTexts,
    span: &mut Span,
    batch: &mut Batch,
    mut payload: impl FnMut(usize) -> Result<T, Fault>,
) -> Result<()> {
    push_rows(span, batch, |row| keys.shown(row), |row| Ok((keys.protein(row)?, payload(row)?)))
}

/// Puts rows into the batch, of which `read` returns key and payload.
fn push_rows<T: Serialize>(
    span: &mut Span,
    batch: &mut Batch,
    show: impl Fn(usize) -> String,
    mut read: impl FnMut(usize) -> Result<(u64, T), Fault>,
) -> Result<()> {
    while let Some((row, origin)) = span.next(batch) {
        match read(row) {
            Ok((key, payload)) => batch.rows.push(key, origin, &payload),
            Err(fault) => batch.leave_out(fault, origin, show(row).as_bytes())?,
        }
    }
    Ok(())
}

/// Puts the members of clusters into the batch, each for itself; bad ones are left out alone.
fn push_members(keys: &WholesOrTexts, members: &Members, span: &mut Span, batch: &mut Batch) {
    while let Some((row, origin)) = span.next(batch) {
        let reject = |batch: &mut Batch, bad| batch.reject(origin, bad, keys.shown(row).as_bytes());
        let key = match keys.protein(row) {
            Ok(key) => key,
            Err(bad) => {
                reject(batch, bad);
                continue;
            }
        };
        let mut has_members = false;
        for member in members.of_row(row) {
            has_members = true;
            match member {
                Ok(member) => batch.rows.push(key, origin, &member),
                Err(bad) => reject(batch, bad),
            }
        }
        if !has_members {
            reject(batch, Rejection::new(Reason::BadRow, "the cluster has no members"));
        }
    }
}
