//! The alignments, one after another.
//!
//! ```text
//!   == domain 1  score: 52.3 bits;  conditional E-value: 9.8e-18
//!                 q  1 mktayiakqrqis...fvk 16     rows of profiles may precede it
//!                      mktayiakqrqis   fvk
//!  MGYP000000000003  1 MKTAYIAKQRQISwwwFVK 19
//!                      8***********97778** PP
//! ```

use std::io::BufRead;

use super::{Lines, OutputFault};
use crate::Domain;

pub(super) const WHAT: &str = "alignments";

const DOMAIN: &str = "  == domain ";
const HIT: &str = ">> ";
const NUM_TARGETS: &str = "Target sequences:";
const END: &str = "[ok]";

/// The most rows of a block: those of a profile, its structure and its mask may precede the four
/// mandatory ones.
const ROWS_MAX: usize = 8;

/// The file of alignments.
pub(super) struct Alignments<R>(Lines<R>);

impl<R: BufRead> Alignments<R> {
    pub(super) fn new(input: R) -> Self {
        Self(Lines::new(input, WHAT))
    }

    /// Advances to the next alignment, and sets the rows of a domain.
    pub(super) fn next(&mut self, domain: &mut Domain) -> Result<(), OutputFault> {
        loop {
            if !self.0.advance()? {
                return Err(OutputFault::Cut(WHAT));
            }
            if self.0.line.starts_with(DOMAIN) {
                break;
            }
        }
        let mut rows: Vec<String> = Vec::new();
        while rows.len() < ROWS_MAX && self.0.advance()? {
            rows.push(self.0.line.trim_end_matches(['\r', '\n']).to_owned());
            if self.0.line.trim_end().ends_with(" PP") {
                break;
            }
        }
        let read = rows.last_chunk().and_then(|rows| set_rows(rows, domain));
        read.ok_or_else(|| OutputFault::Contradiction(rows.join("\n").chars().take(200).collect()))
    }

    /// Reads the rest, checks the end of the file, and returns the number of targets.
    pub(super) fn finish(self) -> Result<u64, OutputFault> {
        let mut num_targets = None;
        self.0.finish(END, |line| {
            if let Some(rest) = line.strip_prefix(NUM_TARGETS) {
                num_targets = rest.split_ascii_whitespace().next().and_then(|number| number.parse().ok());
            }
            line.starts_with(HIT)
        })?;
        num_targets.ok_or(OutputFault::Cut(WHAT))
    }
}

/// Extracts the rows from their lines, if they agree with the domain in the tables.
fn set_rows([query, middle, target, posterior]: &[String; 4], domain: &mut Domain) -> Option<()> {
    let (start, row) = row_of(query, [domain.query_from, domain.query_to])?;
    let (target_start, target) = row_of(target, [domain.from, domain.to])?;
    let columns = start..start + row.len();
    // The middle row may lack its trailing blanks.
    let middle = format!("{middle:<width$}", width = columns.end);
    row.clone_into(&mut domain.query);
    middle.get(columns.clone())?.clone_into(&mut domain.middle);
    target.clone_into(&mut domain.target);
    posterior.get(columns)?.clone_into(&mut domain.posterior);
    let num = |row: &str, gap| row.chars().filter(|&letter| letter != gap).count() as u64;
    let has_length =
        |num: u64, from: u64, to: u64| to.checked_sub(from).and_then(|distance| distance.checked_add(1)) == Some(num);
    let is_consistent = target_start == start
        && target.len() == row.len()
        && has_length(num(row, '.'), domain.query_from, domain.query_to)
        && has_length(num(target, '-'), domain.from, domain.to);
    is_consistent.then_some(())
}

/// Returns the row and its column, from a line with the name, the first position, the row and the
/// last position.
fn row_of(line: &str, positions: [u64; 2]) -> Option<(usize, &str)> {
    let mut cells = line.split_ascii_whitespace();
    let (_name, from, row, to) = (cells.next()?, cells.next()?, cells.next()?, cells.next()?);
    let number = |cell: &str| cell.parse::<u64>().ok();
    let is_row = [number(from)?, number(to)?] == positions && row.is_ascii() && cells.next().is_none();
    // The row is a slice of the line.
    let start = row.as_ptr().addr().checked_sub(line.as_ptr().addr())?;
    is_row.then_some((start, row))
}
