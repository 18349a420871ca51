//! Names of contigs: flat releases keep them in a separate table, by contig.

use indexer::Result;
use indexer::run::{PassedOver, Reason, Rejection};

use crate::read::rows::OccurrenceRow;
use crate::read::{Batch, LeftOut, MappedRows, RowSource};
use crate::table::Table;

use super::cursor::{Next, RowCursor};

/// Turns occurrences, by protein, into the same by contig: the payload is the protein and the
/// occurrence.
pub(super) fn keyed_by_contig(occurrences: Box<dyn RowSource>) -> impl RowSource {
    MappedRows::new(occurrences, false, |row, batch| {
        let occurrence: OccurrenceRow<'_> = row.decode()?;
        batch.rows.push(occurrence.contig, row.origin, &(row.key, occurrence));
        Ok(())
    })
}

/// Adds names to occurrences, by contig, and turns them back into rows by protein, in the order of
/// the contigs.
pub(super) struct NamedOccurrences {
    occurrences: RowCursor,
    names: ContigNames,
}

struct ContigNames {
    rows: RowCursor,
    /// The contig whose name was read last, and the name.
    last: Option<(u64, String)>,
}

impl NamedOccurrences {
    pub(super) fn new(occurrences: Box<dyn RowSource>, names: Box<dyn RowSource>) -> Self {
        let names = ContigNames { rows: RowCursor::new(Table::ContigNames, names), last: None };
        Self { occurrences: RowCursor::new(Table::Occurrences, occurrences), names }
    }
}

impl ContigNames {
    /// Reads names up to a contig, and returns its name, if it has one. All rows of names are left
    /// out of the batch.
    fn name_of(&mut self, contig: u64, batch: &mut Batch) -> Result<Option<&str>> {
        loop {
            match self.rows.peek()? {
                Next::End => break,
                Next::LeftOut(origin, left_out) => batch.left_out.push((origin, left_out.clone())),
                Next::Row(row) if row.key > contig => break,
                Next::Row(row) if self.last.as_ref().is_some_and(|&(known, _)| known == row.key) => {
                    let rejection = Rejection::new(Reason::DuplicateAccession, "the contig occurred before");
                    batch.reject(row.origin, rejection, row.key.to_string().as_bytes());
                }
                Next::Row(row) => {
                    let is_used = row.key == contig;
                    let why = if is_used { LeftOut::Used } else { LeftOut::PassedOver(PassedOver::UnusedName) };
                    batch.left_out.push((row.origin, why));
                    self.last = Some((row.key, row.decode::<&str>()?.to_owned()));
                }
            }
            self.rows.advance();
        }
        Ok(self.last.as_ref().filter(|&&(known, _)| known == contig).map(|(_, name)| name.as_str()))
    }
}

impl RowSource for NamedOccurrences {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        while !batch.rows.is_full() {
            let Next::Row(row) = self.occurrences.peek()? else {
                self.names.name_of(u64::MAX, batch)?;
                return Ok(false);
            };
            let (protein, occurrence): (u64, OccurrenceRow<'_>) = row.decode()?;
            let contig_name = self.names.name_of(row.key, batch)?.unwrap_or(occurrence.contig_name);
            batch.rows.push(protein, row.origin, &OccurrenceRow { contig_name, ..occurrence });
            self.occurrences.advance();
        }
        Ok(true)
    }
}
