//! Sequences in FASTA.

use crate::lines::{LINE_BYTES_MAX, Line};
use crate::release::block::RowPlace;
use crate::release::layout::TableInput;
use crate::release::rows::SequenceRow;
use crate::run::{Reason, Rejection, excerpt};
use crate::values;

use super::checks;
use super::text::{Step, TextFiles, without_mark};
use super::{Batch, BytesRead, RowSource};

/// Rows of FASTA files.
struct FastaSource {
    /// The files.
    files: TextFiles,
    /// The record that is read.
    record: Option<PartOfRecord>,
    /// The residues of the record, in memory that is kept.
    residues: Vec<u8>,
}

/// What is known of a record before all of it is read.
struct PartOfRecord {
    /// Where its header is.
    place: RowPlace,
    /// The number of the protein, and whether it is complete.
    header: Result<(u64, Option<bool>), Rejection>,
    /// The start of the header, or of what stands in its place.
    excerpt: Vec<u8>,
}

/// Opens the files of the sequences.
///
/// # Errors
///
/// * A file cannot be opened.
pub(super) fn open(input: &TableInput, bytes_read: &BytesRead) -> crate::Result<Box<dyn RowSource>> {
    let files = TextFiles::open(input, LINE_BYTES_MAX, bytes_read)?;
    Ok(Box::new(FastaSource { files, record: None, residues: Vec::new() }))
}

impl RowSource for FastaSource {
    fn next(&mut self, batch: &mut Batch) -> crate::Result<bool> {
        match self.files.next()? {
            Step::Lines(file, lines) => {
                for line in lines.lines() {
                    self.read(file, line, batch)?;
                }
                Ok(true)
            }
            Step::EndOfFile => {
                self.finish_record(batch)?;
                Ok(true)
            }
            Step::End => Ok(false),
        }
    }
}

impl FastaSource {
    /// Reads a line.
    fn read(&mut self, file: u16, line: Line<'_>, batch: &mut Batch) -> crate::Result<()> {
        let bytes = without_mark(line.number, line.bytes);
        let place = RowPlace::new(file, line.number);
        if let Some(header) = bytes.strip_prefix(b">") {
            self.finish_record(batch)?;
            let header = if line.is_cut {
                Err(Rejection::new(Reason::TooLong, "the header is too long"))
            } else {
                read_header(header)
            };
            self.record = Some(PartOfRecord { place, header, excerpt: excerpt(bytes).to_vec() });
            return Ok(());
        }
        let bytes = bytes.trim_ascii_end();
        if bytes.is_empty() {
            return Ok(());
        }
        let record = self.record.get_or_insert_with(|| PartOfRecord {
            place,
            header: Err(Rejection::new(Reason::BadRow, "text before the first header")),
            excerpt: excerpt(bytes).to_vec(),
        });
        if record.header.is_ok() {
            if line.is_cut || self.residues.len() + bytes.len() > LINE_BYTES_MAX {
                record.header = Err(Rejection::new(Reason::TooLong, "the sequence is too long"));
                self.residues = Vec::new();
            } else {
                self.residues.extend(bytes);
            }
        }
        Ok(())
    }

    /// Puts the record into the batch, which ended with the last line.
    fn finish_record(&mut self, batch: &mut Batch) -> crate::Result<()> {
        let Some(PartOfRecord { place, header, excerpt }) = self.record.take() else { return Ok(()) };
        let checked = header.and_then(|header| Ok((header, values::sequence(header.0, &self.residues)?)));
        let result = match checked {
            Ok(((key, full_length), residues)) => {
                batch.rows.push(key, place, |out| SequenceRow { full_length, residues }.put(out));
                Ok(())
            }
            Err(rejection) => batch.leave_out(rejection.into(), place, &excerpt),
        };
        self.residues.clear();
        result
    }
}

/// Reads a header behind `>`.
fn read_header(header: &[u8]) -> Result<(u64, Option<bool>), Rejection> {
    let text = std::str::from_utf8(header).map_err(|error| Rejection::new(Reason::BadRow, error.to_string()))?;
    let (accession, description) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    Ok((checks::protein_text(accession)?, checks::completeness(description)?))
}

#[cfg(test)]
mod tests;
