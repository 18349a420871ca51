//! Estimates the size of the records of a release from some rows of each table. A record is as large as its parts, so each part is measured
//! alone, and rows of the same protein need not be found.

use std::sync::Arc;
use std::time::Duration;

use indexer::Result;
use indexer::run::estimate::{Estimate, Measured, scaled, scaled_time};
use indexer::run::{FirstRejects, Notes};
use store::FamilyTable;
use store_proteins::Record;

use crate::read::layout::{Layout, ReleaseFile, TableInput};
use crate::read::lineages::Lineages;
use crate::read::rows::OccurrenceRow;
use crate::read::sample::{SampledTable, sample};
use crate::read::{LeftOut, Row};
use crate::table::Table;

use super::record::RecordBuilder;

pub(crate) struct Sampler<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) lineages: &'a Arc<Lineages>,
    pub(crate) families: &'a FamilyTable,
    pub(crate) rejects: FirstRejects,
    pub(crate) notes: Notes,
    estimate: Estimate,
}

/// The measured size of a table.
struct Part {
    table: SampledTable,
    /// The bytes of all that the sampled rows are in records.
    bytes: u64,
    /// The number of sampled rows whose key differs from the one before.
    num_keys: u64,
    duration: Duration,
}

impl Part {
    /// Returns how many keys the table has, about.
    fn num_keys(&self) -> u64 {
        scaled(self.num_keys, self.table.num_sampled, self.table.num_rows)
    }
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(layout: &'a Layout, lineages: &'a Arc<Lineages>, families: &'a FamilyTable) -> Self {
        let (rejects, notes) = (FirstRejects::default(), Notes::default());
        Self { layout, lineages, families, rejects, notes, estimate: Estimate::default() }
    }

    /// Reads some rows of each table that is needed.
    pub(crate) fn estimate(&mut self) -> Result<Estimate> {
        let sequences_input = self.layout.require(Table::Sequences)?;
        let sequences = self.measure(sequences_input)?;
        let (num_indexed, num_known, is_exact) = self.count(sequences_input, &sequences.table)?;
        self.estimate.is_exact = is_exact;
        self.estimate.num_proteins = num_indexed;
        self.estimate.record_bytes = num_indexed.saturating_mul(Measured::start().empty_bytes());
        let covered = if sequences_input.covers_all_proteins { num_known } else { num_indexed };
        self.add(&sequences, sequences.table.num_rows, num_indexed, covered);
        let mut num_occurrences = 0;
        for table in [Table::Biomes, Table::Pfam, Table::Occurrences, Table::ContigNames] {
            let Some(input) = self.layout.input(table) else { continue };
            let part = self.measure(input)?;
            // Names are in records as often as contigs are.
            let num_rows = if table == Table::ContigNames { num_occurrences } else { part.table.num_rows };
            if table == Table::Occurrences {
                num_occurrences = num_rows;
            }
            self.add(&part, num_rows, num_indexed, num_known);
        }
        Ok(self.estimate)
    }

    /// Returns how many proteins are indexed, how many there are, and whether that is more than a guess.
    fn count(&mut self, input: &TableInput, sequences: &SampledTable) -> Result<(u64, u64, bool)> {
        let num_sequences = sequences.num_rows;
        if self.layout.all_proteins {
            return Ok((num_sequences, num_sequences, sequences.is_exact));
        }
        let layout = self.layout;
        if !input.covers_all_proteins {
            let members = layout.input(Table::ClusterMembers).map(|input| self.measure(input)).transpose()?;
            let num_members = members.map_or(0, |members| members.table.num_rows);
            return Ok((num_sequences, num_members.max(num_sequences), sequences.is_exact));
        }
        let leading = self.measure(layout.require(layout.leading_table())?)?;
        let is_exact = leading.table.is_exact && layout.leading_table() == Table::Clusters;
        Ok((leading.num_keys(), num_sequences.max(leading.num_keys()), is_exact))
    }

    /// Adds a table of so many rows, of which those of the indexed among some proteins are in records.
    fn add(&mut self, part: &Part, num_rows: u64, num_indexed: u64, num_known: u64) {
        let bytes = scaled(part.bytes, part.table.num_sampled, num_rows);
        let Estimate { record_bytes, reading, .. } = &mut self.estimate;
        *record_bytes = record_bytes.saturating_add(scaled(bytes, num_known, num_indexed));
        *reading = reading.saturating_add(scaled_time(part.duration, part.table.num_sampled, part.table.num_rows));
    }

    fn measure(&mut self, input: &TableInput) -> Result<Part> {
        let Self { lineages, families, rejects, notes, .. } = self;
        let mut measured = Measured::start();
        let mut builder = RecordBuilder::default();
        let (mut bytes, mut num_keys) = (0, 0);
        let table = sample(input, lineages, |batch| {
            let rejected = batch.left_out.iter().filter_map(|(origin, left_out)| match left_out {
                LeftOut::Rejected(row) => Some((origin, row)),
                LeftOut::PassedOver(_) | LeftOut::Used => None,
            });
            for (origin, row) in rejected {
                let file = input.files.iter().find(|file| file.position == origin.file());
                rejects.add(&file.map(ReleaseFile::name).unwrap_or_default(), [row]);
            }
            let rows: Vec<Row<'_>> = batch.rows.iter().collect();
            for rows in rows.chunk_by(|one, next| one.key == next.key) {
                num_keys += 1;
                bytes += part_bytes(input.table, rows, &mut builder, &mut measured)?;
                note(&builder.record, lineages, families, notes);
            }
            Ok(())
        })?;
        self.estimate.num_rows_sampled += table.num_sampled;
        Ok(Part { table, bytes, num_keys, duration: measured.elapsed() })
    }
}

/// Returns how many bytes some rows of one key have in a record, which they become.
fn part_bytes(table: Table, rows: &[Row<'_>], builder: &mut RecordBuilder, measured: &mut Measured) -> Result<u64> {
    builder.clear();
    match table {
        Table::Sequences => builder.set_sequence(rows[0].decode()?).map(|_| ())?,
        Table::Biomes => rows.iter().try_for_each(|row| row.decode().map(|row| _ = builder.add_biome(row)))?,
        Table::Pfam => rows.iter().try_for_each(|row| row.decode().map(|row| builder.add_hit(row)))?,
        Table::Occurrences => rows.iter().try_for_each(|row| row.decode().map(|row| builder.add_occurrence(row)))?,
        Table::ContigNames => return name_bytes(rows, builder, measured),
        Table::Clusters | Table::ClusterMembers | Table::Counts | Table::BiomeCounts => return Ok(0),
    }
    builder.record.occurrences.sort();
    Ok(measured.part_bytes(&builder.record))
}

/// Returns how many bytes the names of contigs have. Most begin with the accession of their assembly, which a record has anyway.
fn name_bytes(rows: &[Row<'_>], builder: &mut RecordBuilder, measured: &mut Measured) -> Result<u64> {
    let mut bytes = 0;
    for row in rows {
        let contig_name: &str = row.decode()?;
        let assembly = contig_name.split('.').next().unwrap_or_default();
        let occurrence =
            OccurrenceRow { study: "", assembly, contig: row.key, contig_name, start: 1, end: 1, is_reverse: false };
        let mut size = |contig_name| {
            builder.clear();
            builder.add_occurrence(OccurrenceRow { contig_name, ..occurrence });
            measured.part_bytes(&builder.record)
        };
        bytes += size(contig_name).saturating_sub(size(""));
    }
    builder.clear();
    Ok(bytes)
}

fn note(record: &Record, lineages: &Lineages, families: &FamilyTable, notes: &mut Notes) {
    notes.pfam_hits += record.pfam_hits.len() as u64;
    notes.protein_biomes += record.biomes.len() as u64;
    for hit in record.pfam_hits.iter().filter(|hit| families.get(hit.family).is_none()) {
        notes.add_unknown_family(&hit.family.to_string(), 1);
    }
    if !record.biomes.is_empty() {
        let biomes = lineages.table();
        let unknown = record.biomes.iter().map(|entry| &biomes[entry.biome]).filter(|biome| biome.id.is_none());
        for biome in unknown {
            *notes.unknown_lineage_proteins.entry(biome.lineage.clone()).or_default() += 1;
        }
    }
}
