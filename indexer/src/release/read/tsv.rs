//! Tab-separated tables of the flat releases. They have no header, but one is skipped.

mod fields;

use std::sync::Arc;

use crate::Result;
use crate::lines::{LINE_BYTES_MAX, Line};
use crate::release::table::Table;
use crate::run::{Reason, Rejection};

use self::fields::push_row;
use super::BytesRead;
use super::batch::{Batch, Fault, RowSource};
use super::block::RowOrigin;
use super::layout::TableInput;
use super::lineages::{LineageCache, Lineages};
use super::text::{Step, TextFiles, without_mark};

/// The longest line of a table that has whole clusters on a line: some 15 million members.
const CLUSTER_LINE_BYTES_MAX: usize = 256 * 1024 * 1024;

const HEADERS: [&str; 7] =
    ["mgyp", "protein_id", "cluster_rep", "cluster_rep_accession", "mgyc", "contig_id", "mgyp_count"];

struct TsvSource {
    table: Table,
    files: TextFiles,
    lineages: LineageCache,
}

pub(super) fn open(input: &TableInput, lineages: &Arc<Lineages>, bytes_read: &BytesRead) -> Result<Box<dyn RowSource>> {
    let line_bytes_max = match input.table {
        Table::ClusterMembers => CLUSTER_LINE_BYTES_MAX,
        _ => LINE_BYTES_MAX,
    };
    let files = TextFiles::open(input, line_bytes_max, bytes_read)?;
    Ok(Box::new(TsvSource { table: input.table, files, lineages: LineageCache::new(lineages) }))
}

impl RowSource for TsvSource {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        match self.files.next()? {
            Step::Lines(file, lines) => lines.lines().try_for_each(|line| self.read(file, line, batch)).map(|()| true),
            Step::EndOfFile => Ok(true),
            Step::EndOfTable => Ok(false),
        }
    }
}

impl TsvSource {
    fn read(&mut self, file: u16, line: Line<'_>, batch: &mut Batch) -> Result<()> {
        let origin = RowOrigin::new(file, line.number);
        let bytes = without_mark(line.number, line.bytes);
        if bytes.is_empty() || line.number == 1 && is_header(bytes) {
            return Ok(());
        }
        let pushed = if line.is_cut {
            Err(Rejection::new(Reason::TooLong, "the line is too long").into())
        } else {
            match std::str::from_utf8(bytes) {
                Ok(text) => push_row(self.table, text, origin, &mut self.lineages, batch),
                Err(error) => Err(Fault::from(Rejection::new(Reason::BadRow, error.to_string()))),
            }
        };
        pushed.or_else(|fault| batch.leave_out(fault, origin, bytes))
    }
}

fn is_header(line: &[u8]) -> bool {
    let first = line.split(|&byte| byte == b'\t').next().unwrap_or_default().trim_ascii();
    HEADERS.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(first))
}

#[cfg(test)]
mod tests;
