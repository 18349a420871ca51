//! The rows of a table. Those separated by tabs may have quoted cells with line breaks, as
//! spreadsheets write them.

use std::collections::VecDeque;
use std::io::Read;

use csv::{Reader, ReaderBuilder, StringRecord, Trim};
use indexer::values::unquoted;

/// The most lines of a cell.
const LINES_OF_CELL_MAX: usize = 100;

/// A row and its first line, or the error of the table.
type ReadRow = csv::Result<(StringRecord, u64)>;

pub(super) struct TableRows<R> {
    reader: Reader<R>,
    has_tabs: bool,
    num_columns: usize,
    /// Lines that were read ahead.
    ahead: VecDeque<ReadRow>,
}

impl<R: Read> TableRows<R> {
    pub(super) fn new(input: R, has_tabs: bool) -> Self {
        let reader = ReaderBuilder::new()
            .delimiter(if has_tabs { b'\t' } else { b',' })
            .quoting(!has_tabs)
            .has_headers(false)
            .comment(Some(b'#'))
            .trim(Trim::All)
            .flexible(true)
            .from_reader(input);
        Self { reader, has_tabs, num_columns: usize::MAX, ahead: VecDeque::new() }
    }

    /// Returns the number of lines that were read.
    pub(super) fn num_lines(&self) -> u64 {
        self.reader.position().line() - 1
    }

    /// Returns the titles of the columns.
    pub(super) fn header(&mut self) -> csv::Result<Vec<String>> {
        let (record, _) = self.next().transpose()?.unwrap_or_default();
        self.num_columns = record.len();
        Ok(record.iter().map(str::to_owned).collect())
    }

    /// Returns the next row, its cells without quotes and surrounding white space.
    pub(super) fn next(&mut self) -> Option<ReadRow> {
        let row = self.ahead.pop_front().or_else(|| self.read());
        match row {
            Some(Ok((row, line))) if self.has_tabs && row.as_slice().contains('"') => {
                Some(Ok((self.whole(&row), line)))
            }
            row => row,
        }
    }

    fn read(&mut self) -> Option<ReadRow> {
        let line = self.reader.position().line();
        let mut record = StringRecord::new();
        match self.reader.read_record(&mut record) {
            Ok(false) => None,
            Ok(true) => {
                let line = record.position().map_or(line, csv::Position::line);
                Some(Ok((record, line)))
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Appends the further lines of a quoted cell, and removes the quotes.
    fn whole(&mut self, first: &StringRecord) -> StringRecord {
        let mut cells: Vec<String> = first.iter().map(str::to_owned).collect();
        let mut num_lines = 0;
        while cells.last().is_some_and(|cell| is_open(cell))
            && cells.len() <= self.num_columns
            && num_lines < LINES_OF_CELL_MAX
        {
            if self.ahead.len() == num_lines {
                let Some(read) = self.read() else { break };
                self.ahead.push_back(read);
            }
            let Ok((next, _)) = &self.ahead[num_lines] else { break };
            num_lines += 1;
            let mut next = next.iter();
            if let (Some(cell), Some(rest)) = (cells.last_mut(), next.next()) {
                cell.push('\n');
                cell.push_str(rest);
            }
            cells.extend(next.map(str::to_owned));
        }
        let is_closed = !cells.last().is_some_and(|cell| is_open(cell)) && cells.len() <= self.num_columns;
        if num_lines > 0 && is_closed {
            self.ahead.drain(..num_lines);
        } else {
            cells = first.iter().map(str::to_owned).collect();
        }
        cells.iter().map(|cell| unquoted(cell)).collect::<Vec<_>>().into()
    }
}

/// Returns whether a cell begins with a quotation mark that is not closed.
fn is_open(cell: &str) -> bool {
    cell.starts_with('"') && cell.matches('"').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(Vec<String>, u64)> {
        let mut rows = TableRows::new(text.as_bytes(), true);
        rows.header().expect("readable");
        let read = std::iter::from_fn(|| rows.next()).map(|row| row.expect("readable"));
        read.map(|(row, line)| (row.iter().map(str::to_owned).collect(), line)).collect()
    }

    fn row(cells: [&str; 3], line: u64) -> (Vec<String>, u64) {
        (cells.map(str::to_owned).to_vec(), line)
    }

    #[test]
    fn quoted_cells_may_contain_line_breaks() {
        let text = "#comment\na\tb\tc\nx1\t\"meadow, plot 1\"\t\"a \"\"b\"\", c\"\nx2\t\"two\nlines\"\tFrance\nx3\tend\t\"three\n\nlines\"\nx4\t1\t2\n";
        let expected = [
            row(["x1", "meadow, plot 1", "a \"b\", c"], 3),
            row(["x2", "two\nlines", "France"], 4),
            row(["x3", "end", "three\nlines"], 6),
            row(["x4", "1", "2"], 9),
        ];
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn unclosed_quotation_marks_are_literal() {
        let text = "a\tb\tc\nx1\tend\t\"partial\nx2\t5\" pipe\t\"\nx3\t\"a\" and \"b\"\t2\n";
        let expected = [
            row(["x1", "end", "\"partial"], 2),
            row(["x2", "5\" pipe", "\""], 3),
            row(["x3", "\"a\" and \"b\"", "2"], 4),
        ];
        assert_eq!(rows(text), expected);
    }
}
