//! Exact look-ups: the proteins that have the sequences of a FASTA file.

use std::io::Cursor;
use std::sync::Arc;

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use serde_json::{Value, json};
use store::{FastaReader, FastaSequence, ProteinAccession, ProteinGeneration};

use super::body::take_memory;
use super::parameters::{PROBLEMS_MAX, no_parameter};
use crate::SourceError;
use crate::http::blocking::{ANSWER_PATIENCE, in_turn};
use crate::http::json_body;
use crate::http::limits::Limits;
use crate::http::streaming;
use crate::proteins::problem::{ParameterProblem, ProteinProblem};

/// The most sequences of a request.
pub(super) const SEQUENCES_MAX: usize = 10_000;

/// The most bytes of a request: 800 for each sequence.
pub(super) const SEQUENCES_BYTES_MAX: usize = 8 << 20;

/// Content types of FASTA. It also comes without one.
const CONTENT_TYPES: &[&str] = &["text/plain", "text/x-fasta", ""];

/// The most sequences that are looked up at a time.
const PART_SEQUENCES: usize = 64;

/// The most proteins of one sequence that are found at a time.
const PART_PROTEINS: usize = 1000;

/// Answers with a line for each sequence, in their order.
pub(in crate::proteins) async fn lookup(
    data: Arc<ProteinGeneration>,
    (limits, parts, body): (&Limits, &Parts, Body),
) -> Result<Response, ProteinProblem> {
    let wants_all = wants_all(parts.uri.query().unwrap_or_default())?;
    data.checksums().ok_or(ProteinProblem::NoChecksums)?;
    take_memory(&body, SEQUENCES_BYTES_MAX)?;
    let bytes = json_body::bytes(limits, &parts.headers, body, (CONTENT_TYPES, SEQUENCES_BYTES_MAX)).await;
    let bytes = bytes.map_err(ProteinProblem::of_body)?;
    in_turn(ANSWER_PATIENCE, move || {
        if num_sequences(&bytes) > SEQUENCES_MAX {
            let detail = format!("The body has more than {SEQUENCES_MAX} sequences.");
            return Err(ProteinProblem::Body { status: StatusCode::PAYLOAD_TOO_LARGE, detail });
        }
        let mut lookup = Lookup { data, sequences: FastaReader::new(Cursor::new(bytes)), wants_all, open: None };
        Ok(streaming::attachment("application/x-ndjson", "sequences.ndjson", move || lookup.next_part()))
    })
    .await?
}

fn wants_all(text: &str) -> Result<bool, ProteinProblem> {
    let mut problems = Vec::new();
    let mut wants_all = false;
    for (name, value) in form_urlencoded::parse(text.as_bytes()).take(PROBLEMS_MAX) {
        match (&*name, &*value) {
            ("all", "1") => wants_all = true,
            ("all", "0") => wants_all = false,
            ("all", _) => problems.push(ParameterProblem::new("value_error", "all", "The values are 0 and 1.")),
            _ => problems.push(no_parameter(&name, " A look-up has `all`.")),
        }
    }
    if problems.is_empty() { Ok(wants_all) } else { Err(ProteinProblem::Parameters(problems)) }
}

/// Returns the number of headers, and one for a sequence that may stand before the first of them.
fn num_sequences(text: &[u8]) -> usize {
    let is_header = |line: &&[u8]| line.starts_with(b">");
    let mut lines = text.split(|byte| *byte == b'\n').skip_while(|line| line.trim_ascii().is_empty());
    let first = usize::from(lines.next().is_some());
    first + lines.filter(is_header).count()
}

/// Looks one sequence up after another.
struct Lookup {
    data: Arc<ProteinGeneration>,
    sequences: FastaReader<Cursor<Vec<u8>>>,
    /// All proteins of a sequence are wanted, not only the one with the lowest accession.
    wants_all: bool,
    /// The sequence whose proteins were not all written, and the last one that was.
    open: Option<(String, ProteinAccession)>,
}

impl Lookup {
    fn next_part(&mut self) -> Result<Option<Vec<u8>>, SourceError> {
        let mut text = Vec::new();
        for _ in 0..PART_SEQUENCES {
            if let Some((sequence, after)) = self.open.take() {
                let found = self.find(&sequence, Some(after))?;
                self.write_proteins(sequence, &found, false, &mut text);
                break;
            }
            // A body is read from memory, which does not fail.
            let Ok(Some(FastaSequence { name, sequence })) = self.sequences.next_sequence() else { break };
            match sequence {
                Ok(sequence) => {
                    let found = self.find(&sequence, None)?;
                    let line =
                        json!({ "query": name, "accession": found.first().map(ToString::to_string) }).to_string();
                    text.extend_from_slice(&line.as_bytes()[..line.len() - 1]);
                    if self.wants_all {
                        text.extend_from_slice(b",\"accessions\":[");
                        self.write_proteins(sequence, &found, true, &mut text);
                    } else {
                        text.extend_from_slice(b"}\n");
                    }
                }
                Err(fault) => {
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

    fn find(&self, sequence: &str, after: Option<ProteinAccession>) -> store::Result<Vec<ProteinAccession>> {
        let Some(checksums) = self.data.checksums() else { return Ok(Vec::new()) };
        checksums.find_sequence(sequence, after, if self.wants_all { PART_PROTEINS } else { 1 })
    }

    /// Writes some of the proteins of a sequence, and ends the line if there are no more.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_counted_before_they_are_read() {
        for (text, expected) in [("", 0), ("\n \r\n", 0), ("MKV\n", 1), ("\nMKV\n>a\nMKV\n>b", 3), (">a\nMKV>\n>\n", 2)]
        {
            assert_eq!(num_sequences(text.as_bytes()), expected, "{text:?}");
            let mut reader = FastaReader::new(text.as_bytes());
            let read = std::iter::from_fn(|| reader.next_sequence().expect("memory")).count();
            assert_eq!(read, expected, "{text:?}");
        }
    }
}
