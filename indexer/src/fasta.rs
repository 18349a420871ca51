//! Records of FASTA with any kind of header.

use store::push_residues;

use crate::lines::{LINE_BYTES_MAX, Line};
use crate::run::{Reason, Rejection, excerpt};

/// Joins lines into records.
pub struct FastaReader<H> {
    parse_header: fn(&[u8]) -> Result<H, Rejection>,
    record: Option<PartOfRecord<H>>,
    /// The residues of the record that is being read, and of the one before, in reused memory.
    residues: Vec<u8>,
    finished: Vec<u8>,
}

/// A record whose lines were not all read yet.
struct PartOfRecord<H> {
    line: u64,
    header: Result<H, Rejection>,
    excerpt: Vec<u8>,
}

/// A record of a FASTA file, or the rejection of bad text in place of a record.
pub struct FastaRecord<'a, H> {
    /// The line of the header, 1-based.
    pub line: u64,
    /// The header, and the residues as they are in the file.
    pub content: Result<(H, &'a [u8]), Rejection>,
    /// The start of the header, or of the text in its place.
    pub excerpt: Vec<u8>,
}

impl<H> FastaReader<H> {
    /// Starts a file. Headers are parsed without their `>`.
    pub fn new(parse_header: fn(&[u8]) -> Result<H, Rejection>) -> Self {
        Self { parse_header, record: None, residues: Vec::new(), finished: Vec::new() }
    }

    /// Reads a line. If it is the header of another record, returns the record before it.
    pub fn read(&mut self, line: Line<'_>) -> Option<FastaRecord<'_, H>> {
        let bytes = line.without_mark();
        if let Some(header) = bytes.strip_prefix(b">") {
            let header = if line.is_cut {
                Err(Rejection::new(Reason::TooLong, "the header is too long"))
            } else {
                (self.parse_header)(header)
            };
            let next = PartOfRecord { line: line.number, header, excerpt: excerpt(bytes).to_vec() };
            let before = self.record.replace(next);
            return self.finish_record(before);
        }
        let bytes = bytes.trim_ascii_end();
        if bytes.is_empty() {
            return None;
        }
        let record = self.record.get_or_insert_with(|| PartOfRecord {
            line: line.number,
            header: Err(Rejection::new(Reason::BadRow, "text before the first header")),
            excerpt: excerpt(bytes).to_vec(),
        });
        if record.header.is_ok() {
            if line.is_cut || self.residues.len() + bytes.len() > LINE_BYTES_MAX {
                record.header = Err(Rejection::new(Reason::TooLong, "the sequence is too long"));
                self.residues = Vec::new();
            } else {
                push_residues(bytes, &mut self.residues);
            }
        }
        None
    }

    /// Returns the last record of the file, if it has any.
    pub fn finish(&mut self) -> Option<FastaRecord<'_, H>> {
        let last = self.record.take();
        self.finish_record(last)
    }

    fn finish_record(&mut self, record: Option<PartOfRecord<H>>) -> Option<FastaRecord<'_, H>> {
        std::mem::swap(&mut self.residues, &mut self.finished);
        self.residues.clear();
        let PartOfRecord { line, header, excerpt } = record?;
        Some(FastaRecord { line, content: header.map(|header| (header, &*self.finished)), excerpt })
    }
}
