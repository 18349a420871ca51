//! Looks up the sequences of a FASTA file.

use std::io::BufRead;
use std::sync::Arc;

use api_http::SourceError;
use serde_json::{Value, json};
use store::{FastaReader, FastaSequence, ProteinAccession};
use store_proteins::{Protein, ProteinGeneration, RecordParts};

/// The most sequences that are looked up at a time.
const PART_SEQUENCES: usize = 64;

/// The most proteins of one sequence that are found at a time.
const PART_PROTEINS: usize = 1000;

/// Looks up the sequences of a FASTA file one by one, and writes one JSON object per line.
pub struct SequenceLookup<R> {
    data: Arc<ProteinGeneration>,
    sequences: FastaReader<R>,
    wants_all: bool,
    /// A sequence of which some proteins are not written yet, and the last written protein.
    open: Option<(String, ProteinAccession)>,
    num_faults: u64,
}

impl<R: BufRead> SequenceLookup<R> {
    /// Looks up all sequences of a file. With `wants_all`, lines have all proteins of a sequence,
    /// otherwise only the one with the lowest accession.
    pub fn new(data: Arc<ProteinGeneration>, sequences: FastaReader<R>, wants_all: bool) -> Self {
        Self { data, sequences, wants_all, open: None, num_faults: 0 }
    }

    /// Returns the next part of the lines, or `None` at the end.
    ///
    /// # Errors
    ///
    /// * The input or the index cannot be read.
    pub fn next_part(&mut self) -> Result<Option<Vec<u8>>, SourceError> {
        let mut text = Vec::new();
        for _ in 0..PART_SEQUENCES {
            if let Some((sequence, after)) = self.open.take() {
                let found = self.find(&sequence, Some(after))?;
                self.write_proteins(sequence, &found, false, &mut text);
                break;
            }
            let read = self.sequences.next_sequence().map_err(|error| SourceError::Fault(Box::new(error)))?;
            let Some(FastaSequence { name, sequence }) = read else { break };
            match sequence {
                Ok(sequence) => {
                    let found = self.find(&sequence, None)?;
                    let mut line = json!({ "query": name, "accession": found.first().map(ToString::to_string) });
                    if let Some(&own) = found.first().filter(|first| first.is_own())
                        && let Some(Protein { name, source, .. }) = self.data.reader(RecordParts::NAME).fetch(own)?
                    {
                        (line["name"], line["source"]) = (name.into(), source.into());
                    }
                    let line = line.to_string();
                    text.extend_from_slice(&line.as_bytes()[..line.len() - 1]);
                    if self.wants_all {
                        text.extend_from_slice(b",\"accessions\":[");
                        self.write_proteins(sequence, &found, true, &mut text);
                    } else {
                        text.extend_from_slice(b"}\n");
                    }
                }
                Err(fault) => {
                    self.num_faults += 1;
                    let line: Value = json!({ "query": name, "error": fault.to_string() });
                    text.extend_from_slice(format!("{line}\n").as_bytes());
                }
            }
            if self.open.is_some() {
                break;
            }
        }
        Ok((!text.is_empty()).then_some(text))
    }

    /// Returns the number of sequences so far that could not be looked up.
    pub fn num_faults(&self) -> u64 {
        self.num_faults
    }

    fn find(&self, sequence: &str, after: Option<ProteinAccession>) -> store::Result<Vec<ProteinAccession>> {
        let Some(checksums) = self.data.checksums() else { return Ok(Vec::new()) };
        checksums.find_sequence(sequence, after, if self.wants_all { PART_PROTEINS } else { 1 })
    }

    /// Writes some of the proteins of a sequence, and ends the line after the last one.
    fn write_proteins(&mut self, sequence: String, found: &[ProteinAccession], is_first: bool, text: &mut Vec<u8>) {
        for (number, accession) in found.iter().enumerate() {
            let separator = if is_first && number == 0 { "" } else { "," };
            text.extend_from_slice(format!("{separator}\"{accession}\"").as_bytes());
        }
        self.open = found.last().filter(|_| found.len() == PART_PROTEINS).map(|last| (sequence, *last));
        if self.open.is_none() {
            text.extend_from_slice(b"]}\n");
        }
    }
}
