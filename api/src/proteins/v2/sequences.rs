//! Exact look-ups: the proteins that have the sequences of a FASTA file.

use std::io::Cursor;
use std::sync::Arc;

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use store::ProteinGeneration;

use super::body::take_memory;
use super::reader::{PROBLEMS_MAX, no_parameter};
use crate::http::blocking::{ANSWER_PATIENCE, in_turn};
use crate::http::json_body;
use crate::http::limits::Limits;
use crate::http::streaming;
use crate::proteins::problem::{ParameterProblem, ProteinProblem};
use crate::proteins::shared::lookup::SequenceLookup;

/// The most sequences of a request.
pub(super) const SEQUENCES_MAX: usize = 10_000;

/// The most bytes of a request: 800 for each sequence.
pub(super) const SEQUENCES_BYTES_MAX: usize = 8 << 20;

/// Content types of FASTA. It also comes without one.
const CONTENT_TYPES: &[&str] = &["text/plain", "text/x-fasta", ""];

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
            return Err(ProteinProblem::Refused { status: StatusCode::PAYLOAD_TOO_LARGE, detail });
        }
        let mut lookup = SequenceLookup::new(data, Cursor::new(bytes), wants_all);
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

#[cfg(test)]
mod tests {
    use store::FastaReader;

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
