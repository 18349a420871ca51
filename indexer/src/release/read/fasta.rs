//! Sequences in FASTA.

use crate::lines::{LINE_BYTES_MAX, Line};
use crate::run::{Reason, Rejection, excerpt};
use crate::values;

use super::BytesRead;
use super::batch::{Batch, RowOrigin, RowSource};
use super::checks;
use super::layout::TableInput;
use super::rows::SequenceRow;
use super::text::{Step, TextFiles};

struct FastaSource {
    files: TextFiles,
    record: Option<PartOfRecord>,
    /// The residues of the record, in memory that is kept.
    residues: Vec<u8>,
}

/// A record of which not all lines were read.
struct PartOfRecord {
    origin: RowOrigin,
    /// The number of the protein, and whether it is complete.
    header: Result<(u64, Option<bool>), Rejection>,
    /// The start of the header, or of the text in its place.
    excerpt: Vec<u8>,
}

pub(super) fn open(input: &TableInput, bytes_read: &BytesRead) -> crate::Result<Box<dyn RowSource>> {
    let files = TextFiles::open(input, LINE_BYTES_MAX, bytes_read)?;
    Ok(Box::new(FastaSource { files, record: None, residues: Vec::new() }))
}

impl RowSource for FastaSource {
    fn next(&mut self, batch: &mut Batch) -> crate::Result<bool> {
        match self.files.next()? {
            Step::Lines(file, lines) => {
                for line in lines.lines() {
                    self.read(file, line, batch);
                }
            }
            Step::EndOfFile => self.finish_record(batch),
            Step::EndOfTable => return Ok(false),
        }
        Ok(true)
    }
}

impl FastaSource {
    fn read(&mut self, file: u16, line: Line<'_>, batch: &mut Batch) {
        let bytes = line.without_mark();
        let origin = RowOrigin::new(file, line.number);
        if let Some(header) = bytes.strip_prefix(b">") {
            self.finish_record(batch);
            let header = if line.is_cut {
                Err(Rejection::new(Reason::TooLong, "the header is too long"))
            } else {
                parse_header(header)
            };
            self.record = Some(PartOfRecord { origin, header, excerpt: excerpt(bytes).to_vec() });
            return;
        }
        let bytes = bytes.trim_ascii_end();
        if bytes.is_empty() {
            return;
        }
        let record = self.record.get_or_insert_with(|| PartOfRecord {
            origin,
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
    }

    /// Puts the record into the batch, if there is one: its last line was read.
    fn finish_record(&mut self, batch: &mut Batch) {
        let Some(PartOfRecord { origin, header, excerpt }) = self.record.take() else { return };
        match header.and_then(|header| Ok((header, values::sequence(header.0, &self.residues)?))) {
            Ok(((key, full_length), residues)) => {
                batch.rows.push(key, origin, &SequenceRow { full_length, residues });
            }
            Err(rejection) => batch.reject(origin, rejection, &excerpt),
        }
        self.residues.clear();
    }
}

fn parse_header(header: &[u8]) -> Result<(u64, Option<bool>), Rejection> {
    let text = std::str::from_utf8(header).map_err(|error| Rejection::new(Reason::BadRow, error.to_string()))?;
    let (accession, description) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    Ok((checks::protein_text(accession)?, checks::completeness(description)?))
}

#[cfg(test)]
mod tests;
