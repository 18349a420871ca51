//! The cells of a row become a row of a batch.

use indexer::run::Reason;
use indexer::{Error, values};

use super::batch::{Batch, Fault, RowOrigin};
use super::cell::{Cells, members};
use super::checks;
use super::lineages::LineageCache;
use super::rows::{BiomeRow, ClusterRow, OccurrenceRow, PfamRow, SequenceRow};
use crate::table::Table;

/// Adds a row of a table to a batch, or returns why it is bad. `columns` are those of the table,
/// and `show` returns the row as shown in reports.
pub(super) fn push_row<C: Cells>(
    table: Table,
    columns: &[C],
    row: usize,
    origin: RowOrigin,
    lineages: &mut LineageCache,
    batch: &mut Batch,
    show: impl Fn() -> String,
) -> Result<(), Fault> {
    let rows = &mut batch.rows;
    match (table, columns) {
        (Table::Clusters, [protein, size]) => {
            let key = protein.cell(row).protein()?;
            let size = values::cluster_size(size.cell(row).whole(Reason::BadClusterSize)?)?;
            rows.push(key, origin, &ClusterRow { size });
        }
        (Table::ClusterMembers, [representative, column]) => {
            batch.push_members(representative.cell(row).protein(), members(column, row), origin, show);
        }
        (Table::Sequences, [protein, completeness, residues]) => {
            let key = protein.cell(row).protein()?;
            let residues = residues.cell(row).text(Reason::BadSequence).map_err(|bad| bad.with_protein(key))?;
            let full_length = completeness.cell(row).completeness()?;
            rows.push(key, origin, &SequenceRow { full_length, residues: values::sequence(key, residues.as_bytes())? });
        }
        (Table::Biomes, [protein, count, lineage]) => {
            let key = protein.cell(row).protein()?;
            let count = values::biome_count(count.cell(row).whole(Reason::BadNumber)?)?;
            let biome = lineages.ordinal_of(lineage.cell(row).text(Reason::BadLineage)?)?;
            rows.push(key, origin, &BiomeRow { biome, count });
        }
        (Table::Pfam, [protein, family, evalue, score, hmm_from, hmm_to, env_from, env_to]) => {
            let key = protein.cell(row).protein()?;
            let pfam = pfam_row([family, evalue, score, hmm_from, hmm_to, env_from, env_to], row)?;
            rows.push(key, origin, &pfam);
        }
        (Table::Occurrences, [protein, study, assembly, contig, contig_name, contig_length, start, end, strand]) => {
            let key = protein.cell(row).protein()?;
            let occurrence = OccurrenceRow {
                study: checks::study(study.cell(row).text_or_empty(Reason::BadPlace)?)?,
                contig_name: checks::contig_name(contig_name.cell(row).text_or_empty(Reason::BadPlace)?)?,
                contig_length: contig_length.cell(row).length_or_unknown(),
                assembly: checks::assembly(assembly.cell(row).text(Reason::BadPlace)?)?,
                contig: contig.cell(row).contig()?,
                start: start.cell(row).position()?,
                end: end.cell(row).position()?,
                is_reverse: strand.cell(row).is_reverse()?,
            };
            rows.push(key, origin, &occurrence);
        }
        (Table::ContigNames, [contig, name]) => {
            let key = contig.cell(row).contig()?;
            rows.push(key, origin, &checks::contig_name(name.cell(row).text_or_empty(Reason::BadPlace)?)?);
        }
        _ => return Err(Error::Internal("a row has other columns than its table").into()),
    }
    Ok(())
}

/// Returns the row of a Pfam hit, without its key.
#[inline]
fn pfam_row<C: Cells>(
    [family, evalue, score, hmm_from, hmm_to, env_from, env_to]: [&C; 7],
    row: usize,
) -> Result<PfamRow, Fault> {
    let family = family.cell(row).family()?;
    let (mut scores, mut hmm) = (None, None);
    if !evalue.cell(row).is_absent() {
        scores = Some((evalue.cell(row).real()?, score.cell(row).real()?));
        hmm = Some((hmm_from.cell(row).position()?, hmm_to.cell(row).position()?));
    }
    let envelope = (env_from.cell(row).position()?, env_to.cell(row).position()?);
    Ok(PfamRow { family, scores, hmm, envelope })
}
