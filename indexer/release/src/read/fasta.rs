//! Sequences in FASTA.

use indexer::fasta::{FastaReader, FastaRecord};
use indexer::lines::LINE_BYTES_MAX;
use indexer::run::{Reason, Rejection};
use indexer::values;

use super::BytesRead;
use super::batch::{Batch, RowOrigin, RowSource};
use super::checks;
use super::layout::TableInput;
use super::rows::SequenceRow;
use super::text::{Step, TextFiles};

/// The number of a protein, and whether it is complete.
type Header = (u64, Option<bool>);

struct FastaSource {
    files: TextFiles,
    /// The file that is being read, by its position in the run.
    file: u16,
    reader: FastaReader<Header>,
}

pub(super) fn open(input: &TableInput, bytes_read: &BytesRead) -> indexer::Result<Box<dyn RowSource>> {
    let files = TextFiles::open(input, LINE_BYTES_MAX, bytes_read)?;
    Ok(Box::new(FastaSource { files, file: 0, reader: FastaReader::new(parse_header) }))
}

impl RowSource for FastaSource {
    fn next(&mut self, batch: &mut Batch) -> indexer::Result<bool> {
        match self.files.next()? {
            Step::Lines(file, lines) => {
                self.file = file;
                for line in lines.lines() {
                    push(self.reader.read(line), file, batch);
                }
            }
            Step::EndOfFile => push(self.reader.finish(), self.file, batch),
            Step::EndOfTable => return Ok(false),
        }
        Ok(true)
    }
}

fn push(record: Option<FastaRecord<'_, Header>>, file: u16, batch: &mut Batch) {
    let Some(FastaRecord { line, content, excerpt }) = record else { return };
    let origin = RowOrigin::new(file, line);
    match content.and_then(|(header, residues)| Ok((header, values::sequence(header.0, residues)?))) {
        Ok(((key, full_length), residues)) => batch.rows.push(key, origin, &SequenceRow { full_length, residues }),
        Err(rejection) => batch.reject(origin, rejection, &excerpt),
    }
}

fn parse_header(header: &[u8]) -> Result<(u64, Option<bool>), Rejection> {
    let text = std::str::from_utf8(header).map_err(|error| Rejection::new(Reason::BadRow, error.to_string()))?;
    let (accession, description) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    Ok((checks::protein_text(accession)?, checks::completeness(description)?))
}

#[cfg(test)]
mod tests;
