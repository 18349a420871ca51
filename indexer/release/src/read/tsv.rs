//! Tab-separated tables of the flat releases. They have no header, but one is skipped if present.

use std::sync::Arc;

use indexer::Result;
use indexer::lines::{LINE_BYTES_MAX, Line};
use indexer::run::{Reason, Rejection};

use crate::table::{TABLES, Table, TableSpec};

use super::BytesRead;
use super::batch::{Batch, Fault, RowOrigin, RowSource};
use super::cell::{Cell, Value};
use super::checks::{self, quoted};
use super::layout::TableInput;
use super::lineages::{LineageCache, Lineages};
use super::row::push_row;
use super::rows::OccurrenceRow;
use super::text::{Step, TextFiles};

/// The longest line of a table with one cluster per line: about 15 million members.
const CLUSTER_LINE_BYTES_MAX: usize = 256 * 1024 * 1024;

/// The columns of the widest table.
const COLUMNS_MAX: usize = 8;

struct TsvSource {
    spec: &'static TableSpec,
    files: TextFiles,
    lineages: LineageCache,
}

pub(super) fn open(input: &TableInput, lineages: &Arc<Lineages>, bytes_read: &BytesRead) -> Result<Box<dyn RowSource>> {
    let line_bytes_max = match input.table {
        Table::ClusterMembers => CLUSTER_LINE_BYTES_MAX,
        _ => LINE_BYTES_MAX,
    };
    let files = TextFiles::open(input, line_bytes_max, bytes_read)?;
    Ok(Box::new(TsvSource { spec: input.table.spec(), files, lineages: LineageCache::new(lineages) }))
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
        let bytes = line.without_mark();
        if bytes.is_empty() || line.number == 1 && is_header(bytes) {
            return Ok(());
        }
        let pushed = if line.is_cut {
            Err(Rejection::new(Reason::TooLong, "the line is too long").into())
        } else {
            match std::str::from_utf8(bytes) {
                Ok(text) => self.push(text, origin, batch),
                Err(error) => Err(Fault::from(Rejection::new(Reason::BadRow, error.to_string()))),
            }
        };
        pushed.or_else(|fault| batch.leave_out(fault, origin, bytes))
    }

    fn push(&mut self, line: &str, origin: RowOrigin, batch: &mut Batch) -> Result<(), Fault> {
        let cells = cells(self.spec, line)?;
        match (self.spec.table, cells) {
            (Table::Occurrences, [protein, loci, ..]) => push_occurrences([protein, loci], origin, batch),
            (table, _) => {
                let cells = &cells[..self.spec.columns.len()];
                push_row(table, cells, 0, origin, &mut self.lineages, batch, || line.to_owned())
            }
        }
    }
}

/// Returns whether a line begins with the name of the first column of a table.
fn is_header(line: &[u8]) -> bool {
    let first = line.split(|&byte| byte == b'\t').next().unwrap_or_default().trim_ascii();
    let mut names = TABLES.iter().flat_map(|spec| spec.columns[spec.lines[0][0]].names);
    names.any(|name| name.as_bytes().eq_ignore_ascii_case(first))
}

/// Returns the cells of a line, in the order of the table's columns.
fn cells<'a>(spec: &TableSpec, line: &'a str) -> Result<[Cell<'a>; COLUMNS_MAX], Rejection> {
    let mut texts = [""; COLUMNS_MAX];
    let mut num_texts = 0;
    for text in line.split('\t') {
        if let Some(slot) = texts.get_mut(num_texts) {
            *slot = text;
        }
        num_texts += 1;
    }
    // Additional columns after the size are ignored, and members may be separated by tabs.
    let may_be_more = matches!(spec.table, Table::Clusters | Table::ClusterMembers);
    let fits = |columns: &&&[usize]| columns.len() == num_texts || may_be_more && columns.len() < num_texts;
    let columns = spec.lines.iter().find(fits).ok_or_else(|| wrong_columns(spec, may_be_more, num_texts))?;
    if spec.table == Table::ClusterMembers {
        texts[1] = &line[texts[0].len() + 1..];
    }
    let mut cells = [Cell::ABSENT; COLUMNS_MAX];
    for (&column, text) in columns.iter().zip(texts) {
        let name = spec.columns[column].names.last().copied().unwrap_or_default();
        cells[column] = Cell::new(name, Value::Text(text));
    }
    Ok(cells)
}

#[cold]
fn wrong_columns(spec: &TableSpec, may_be_more: bool, found: usize) -> Rejection {
    let expected: Vec<String> = spec.lines.iter().map(|columns| columns.len().to_string()).collect();
    let expected = if may_be_more { "2 or more".to_owned() } else { expected.join(" or ") };
    Rejection::new(Reason::BadRow, format!("expected {expected} columns, found {found}"))
}

/// Parses the loci of a protein. Only bad loci are left out.
fn push_occurrences([protein, loci]: [Cell<'_>; 2], origin: RowOrigin, batch: &mut Batch) -> Result<(), Fault> {
    let (key, protein) = (protein.protein()?, protein.text(Reason::BadAccession)?);
    let mut has_loci = false;
    for text in loci.text(Reason::BadPlace)?.split(';').filter(|text| !text.is_empty()) {
        has_loci = true;
        match occurrence(text) {
            Ok(row) => batch.rows.push(key, origin, &row),
            Err(rejection) => batch.reject(origin, rejection, format!("{protein}\t{text}").as_bytes()),
        }
    }
    if has_loci { Ok(()) } else { Err(Rejection::new(Reason::BadRow, "the protein has no loci").into()) }
}

/// Parses a locus such as `ERZ534239.MGYC000564781877:931-2196:-1:partial`. The part after the
/// strand is not needed.
fn occurrence(text: &str) -> Result<OccurrenceRow<'_>, Rejection> {
    let bad = || Rejection::new(Reason::BadPlace, format!("{} is not a locus on a contig", quoted(text)));
    let (assembly, rest) = text.split_once('.').ok_or_else(bad)?;
    let mut fields = rest.split(':');
    let contig = fields.next().ok_or_else(bad)?;
    let (start, end) = fields.next().and_then(|range| range.split_once('-')).ok_or_else(bad)?;
    let is_reverse = match fields.next().ok_or_else(bad)? {
        "1" | "+" => false,
        "-1" | "-" => true,
        _ => return Err(bad()),
    };
    Ok(OccurrenceRow {
        study: "",
        assembly: checks::assembly(assembly)?,
        contig: checks::contig_text(contig)?,
        contig_name: "",
        contig_length: 0,
        start: Cell::new("start", Value::Text(start)).position()?,
        end: Cell::new("end", Value::Text(end)).position()?,
        is_reverse,
    })
}

#[cfg(test)]
mod tests;
