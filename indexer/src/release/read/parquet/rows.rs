//! Decoded columns become rows.

use std::ops::Range;

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use serde::Serialize;

use crate::release::read::batch::{Batch, Fault, RowOrigin};
use crate::release::read::checks;
use crate::release::read::lineages::LineageCache;
use crate::release::read::rows::{BiomeRow, OccurrenceRow, PfamRow, SequenceRow};
use crate::release::table::Table;
use crate::run::{Reason, Rejection};
use crate::{Result, values};

use super::cells::Cells;
use super::columns::columns_of;

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

/// The columns of a batch, in the order of [`columns_of`]. Only optional ones are `None`.
pub(super) struct TableRows {
    table: Table,
    columns: Vec<Option<Cells>>,
}

impl TableRows {
    pub(super) fn of(table: Table, arrays: Vec<Option<ArrayRef>>) -> Result<Self, ArrowError> {
        let columns = columns_of(table).iter().zip(arrays).map(|(column, array)| match array {
            Some(array) => Cells::of(column, array).map(Some),
            None if column.is_needed => Err(ArrowError::SchemaError("a column is missing".to_owned())),
            None => Ok(None),
        });
        Ok(Self { table, columns: columns.collect::<Result<_, _>>()? })
    }

    /// Puts rows into the batch until it is full or none is left.
    pub(super) fn push(&self, span: &mut Span, lineages: &mut LineageCache, batch: &mut Batch) -> Result<()> {
        let Self { table, columns } = self;
        match (*table, columns.as_slice()) {
            (Table::Clusters, [Some(keys), Some(sizes)]) => push_proteins(keys, span, batch, |row| {
                Ok(values::cluster_size(sizes.whole(Reason::BadClusterSize, row)?)?)
            }),
            (Table::ClusterMembers, [Some(keys), Some(members)]) => {
                while let Some((row, origin)) = span.next(batch) {
                    batch.push_members(keys.protein(row), members.members(row), origin, || keys.shown(row));
                }
                Ok(())
            }
            (Table::Sequences, [Some(keys), Some(completeness), Some(residues)]) => {
                push_proteins(keys, span, batch, |row| {
                    let number = keys.protein(row)?;
                    let text = residues.text_or(Reason::BadSequence, row).map_err(|bad| bad.of_protein(number))?;
                    let full_length = completeness.completeness(row)?;
                    Ok(SequenceRow { full_length, residues: values::sequence(number, text.as_bytes())? })
                })
            }
            (Table::Biomes, [Some(keys), Some(counts), Some(biomes)]) => push_proteins(keys, span, batch, |row| {
                let count = values::biome_count(counts.whole(Reason::BadNumber, row)?)?;
                Ok(BiomeRow { biome: lineages.ordinal_of(biomes.text_or(Reason::BadLineage, row)?)?, count })
            }),
            (Table::Pfam, [Some(keys), Some(families), ..]) => {
                let [evalue, score, hmm_from, hmm_to, env_from, env_to] = needed(&columns[2..]);
                push_proteins(keys, span, batch, |row| {
                    Ok(PfamRow {
                        family: families.family(row)?,
                        scores: Some((evalue.real(row)?, score.real(row)?)),
                        hmm: Some((hmm_from.position(row)?, hmm_to.position(row)?)),
                        envelope: (env_from.position(row)?, env_to.position(row)?),
                    })
                })
            }
            (Table::Occurrences, [Some(keys), study, Some(assembly), Some(contig), contig_name, ..]) => {
                let [start, end, strand] = needed(&columns[5..]);
                push_proteins(keys, span, batch, |row| {
                    Ok(OccurrenceRow {
                        study: checks::study(optional_text(study.as_ref(), row)?)?,
                        contig_name: checks::contig_name(optional_text(contig_name.as_ref(), row)?)?,
                        assembly: checks::assembly(assembly.text_or(Reason::BadPlace, row)?)?,
                        contig: contig.contig(row)?,
                        start: start.position(row)?,
                        end: end.position(row)?,
                        is_reverse: strand.is_reverse(row)?,
                    })
                })
            }
            _ => push_names_or_counts(*table, needed(columns), span, lineages, batch),
        }
    }
}

/// Returns a text of a column of occurrences, or an empty one where it or the column is missing.
fn optional_text(cells: Option<&Cells>, row: usize) -> Result<&str, Rejection> {
    cells.map_or(Ok(""), |cells| cells.text_or_empty(Reason::BadPlace, row))
}

fn needed<const N: usize>(columns: &[Option<Cells>]) -> [&Cells; N] {
    std::array::from_fn(|index| columns[index].as_ref().expect("needed columns were checked"))
}

fn push_names_or_counts(
    table: Table,
    [keys, values]: [&Cells; 2],
    span: &mut Span,
    lineages: &mut LineageCache,
    batch: &mut Batch,
) -> Result<()> {
    let count = |row| values.whole(Reason::BadNumber, row);
    match table {
        Table::ContigNames => {
            let name = |row| checks::contig_name(values.text_or_empty(Reason::BadPlace, row)?);
            push_rows(span, batch, |row| keys.shown(row), |row| Ok((keys.contig(row)?, name(row)?)))
        }
        Table::BiomeCounts => {
            let show = |row| keys.text(row).unwrap_or("null").to_owned();
            push_rows(span, batch, show, |row| {
                let count = count(row)?;
                let biome = lineages.ordinal_of(keys.text_or(Reason::BadLineage, row)?)?;
                Ok((biome.into(), count))
            })
        }
        _ => push_proteins(keys, span, batch, |row| Ok(count(row)?)),
    }
}

fn push_proteins<T: Serialize>(
    keys: &Cells,
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
