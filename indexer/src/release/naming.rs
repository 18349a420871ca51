//! Names of contigs: flat releases keep them in a table of their own, by contig.

use super::block::{Row, RowBlock, RowPlace};
use super::cursor::{Due, RowCursor};
use super::rows::{ContigNameRow, OccurrenceRow};
use super::source::{Batch, RowSource};
use super::table::Table;
use crate::run::{PassedOver, Reason, Rejection};
use crate::{Error, Result};

/// How many bytes stand before the occurrence in an entry that is sorted by contig: the number of the protein.
const PROTEIN_BYTES: usize = 8;

/// Turns occurrences, by protein, into the same by contig.
pub(super) struct ByContig {
    /// The occurrences, in any order.
    occurrences: Box<dyn RowSource>,
    /// What was read.
    batch: Batch,
}

impl ByContig {
    /// Starts before the first occurrence.
    pub(super) fn new(occurrences: Box<dyn RowSource>) -> Self {
        Self { occurrences, batch: Batch::default() }
    }
}

impl RowSource for ByContig {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        self.batch.clear();
        let is_more = self.occurrences.next(&mut self.batch)?;
        for row in self.batch.rows.iter() {
            let contig = OccurrenceRow::take(row.payload).map_err(|_| Error::Spill)?.contig;
            batch.rows.push(contig, row.place, |out| {
                out.extend(row.key.to_le_bytes());
                out.extend(row.payload);
            });
        }
        batch.rejected.append(&mut self.batch.rejected);
        Ok(is_more)
    }
}

/// Gives occurrences, by contig, their names, and turns them back into rows by protein, in the order of the contigs.
pub(super) struct NamedOccurrences {
    /// Occurrences by contig, in order.
    occurrences: RowCursor,
    /// Names by contig, in order.
    names: RowCursor,
    /// The contig whose name was read last, and the name.
    name: Option<(u64, String)>,
}

impl NamedOccurrences {
    /// Starts before the first contig.
    pub(super) fn new(occurrences: Box<dyn RowSource>, names: Box<dyn RowSource>) -> Self {
        Self {
            occurrences: RowCursor::new(Table::Occurrences, occurrences),
            names: RowCursor::new(Table::ContigNames, names),
            name: None,
        }
    }

    /// Reads names up to a contig. Bad rows go to the batch.
    fn read_names(&mut self, contig: u64, batch: &mut Batch) -> Result<()> {
        loop {
            match self.names.due()? {
                Due::Nothing => return Ok(()),
                Due::Clan => {
                    self.names.take_clan_row();
                }
                Due::Rejected => {
                    if let Some((file, row)) = self.names.take_rejected() {
                        batch.rejected.push((RowPlace::new(file, row.line), row.rejection, row.excerpt));
                    }
                }
                Due::Row => {
                    let Some(row) = self.names.row().filter(|row| row.key <= contig) else { return Ok(()) };
                    if self.name.as_ref().is_some_and(|&(known, _)| known == row.key) {
                        let rejection = Rejection::new(Reason::DuplicateAccession, "the contig was there before");
                        batch.rejected.push((row.place, rejection, row.key.to_string().into_bytes()));
                    } else {
                        let name = ContigNameRow::take(row.payload).map_err(|_| Error::Spill)?.name.to_owned();
                        batch.aside.push((row.place, (row.key < contig).then_some(PassedOver::UnusedName)));
                        self.name = Some((row.key, name));
                    }
                    self.names.pass_row();
                }
            }
        }
    }
}

impl RowSource for NamedOccurrences {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        while !batch.rows.is_full() {
            match self.occurrences.due()? {
                Due::Nothing => {
                    self.read_names(u64::MAX, batch)?;
                    return Ok(false);
                }
                // Those were listed when the occurrences were sorted.
                Due::Rejected | Due::Clan => {}
                Due::Row => {
                    let Some(contig) = self.occurrences.row().map(|row| row.key) else { continue };
                    self.read_names(contig, batch)?;
                    let Some(row) = self.occurrences.row() else { continue };
                    let name = self.name.as_ref().filter(|&&(known, _)| known == contig).map(|(_, name)| name.as_str());
                    push_named(row, name, &mut batch.rows)?;
                    self.occurrences.pass_row();
                }
            }
        }
        Ok(true)
    }
}

/// Appends an occurrence by its protein, with the name of its contig if there is one.
fn push_named(row: Row<'_>, name: Option<&str>, rows: &mut RowBlock) -> Result<()> {
    let (protein, payload) = row.payload.split_first_chunk::<PROTEIN_BYTES>().ok_or(Error::Spill)?;
    let occurrence = OccurrenceRow::take(payload).map_err(|_| Error::Spill)?;
    let named = OccurrenceRow { contig_name: name.unwrap_or(occurrence.contig_name), ..occurrence };
    rows.push(u64::from_le_bytes(*protein), row.place, |out| named.put(out));
    Ok(())
}
