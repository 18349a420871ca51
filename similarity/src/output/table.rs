//! The tables of hits and domains: cells separated by blanks, between lines that begin with `#`.

use std::io::BufRead;
use std::str::FromStr;

use store::ProteinAccession;

use super::{Lines, OutputFault};
use crate::{Domain, Hit};

pub(super) const HITS: &str = "hits";
pub(super) const DOMAINS: &str = "domains";

/// The last line of a complete table.
const END: &str = "# [ok]";

/// The number of cells before the description, which may have blanks.
const HIT_CELLS: usize = 18;
const DOMAIN_CELLS: usize = 22;

/// A table.
pub(super) struct Table<R>(Lines<R>);

impl<R: BufRead> Table<R> {
    pub(super) fn new(input: R, what: &'static str) -> Self {
        Self(Lines::new(input, what))
    }

    /// Returns a hit without its domains, and their number.
    pub(super) fn next_hit(&mut self) -> Result<Option<(Hit, u64)>, OutputFault> {
        if !self.next_row()? {
            return Ok(None);
        }
        let read = |cells: [&str; HIT_CELLS]| {
            let [accession, _, _, _, evalue, score, bias, .., num_domains, _] = cells;
            let hit = Hit {
                accession: accession.parse().ok()?,
                evalue: number(evalue)?,
                score: number(score)?,
                bias: number(bias)?,
                length: 0,
                domains: Vec::new(),
            };
            Some((hit, num_domains.parse().ok()?))
        };
        self.cells().and_then(read).map(Some).ok_or_else(|| self.unknown())
    }

    /// Returns a domain without its alignment, the protein that has it, and the length of the
    /// protein.
    pub(super) fn next_domain(&mut self) -> Result<(ProteinAccession, u64, Domain), OutputFault> {
        if !self.next_row()? {
            return Err(OutputFault::Cut(self.0.what));
        }
        let read = |cells: [&str; DOMAIN_CELLS]| {
            let [accession, _, length, _, _, _, _, _, _, _, _, cells @ ..] = cells;
            let [cevalue, ievalue, score, bias, query_from, query_to, from, to, envelope_from, envelope_to, accuracy] =
                cells;
            let domain = Domain {
                ievalue: number(ievalue)?,
                cevalue: number(cevalue)?,
                score: number(score)?,
                bias: number(bias)?,
                query_from: query_from.parse().ok()?,
                query_to: query_to.parse().ok()?,
                from: from.parse().ok()?,
                to: to.parse().ok()?,
                envelope_from: envelope_from.parse().ok()?,
                envelope_to: envelope_to.parse().ok()?,
                accuracy: number(accuracy)?,
                ..Domain::default()
            };
            Some((accession.parse().ok()?, length.parse().ok()?, domain))
        };
        self.cells().and_then(read).ok_or_else(|| self.unknown())
    }

    /// Reads the rest, and checks the end of the table.
    pub(super) fn finish(self) -> Result<(), OutputFault> {
        self.0.finish(END, |_| false)
    }

    /// Advances to the next row. Returns whether there is one before the lines at the end.
    fn next_row(&mut self) -> Result<bool, OutputFault> {
        while self.0.advance()? {
            match self.0.line.as_bytes() {
                [b'#', b'\n' | b'\r', ..] => return Ok(false),
                [b'#', ..] => {}
                _ => return Ok(true),
            }
        }
        Ok(false)
    }

    fn cells<const N: usize>(&self) -> Option<[&str; N]> {
        let mut cells = self.0.line.split_ascii_whitespace();
        let mut found = [""; N];
        for cell in &mut found {
            *cell = cells.next()?;
        }
        Some(found)
    }

    fn unknown(&self) -> OutputFault {
        OutputFault::Unknown(self.0.what, self.0.line.trim_end().chars().take(200).collect())
    }
}

/// Reads a finite number: `nan` and `inf` are rejected.
fn number(cell: &str) -> Option<f64> {
    f64::from_str(cell).ok().filter(|value| value.is_finite())
}
