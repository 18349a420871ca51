//! Replaced accessions: two columns, old and new, with `#` comments.

use store::ProteinAccession;

use crate::input::{BytesRead, Input};
use crate::lines::{Line, LineReader};
use crate::rejects::{Reason, RejectedRow, Rejection, excerpt};
use crate::{Error, Result};

/// The table after chains were followed to their ends.
pub(crate) struct ReplacementTable {
    /// Old and final accession, ascending by the old one.
    pub(crate) replacements: Vec<(ProteinAccession, ProteinAccession)>,
    /// The rows that were not taken.
    pub(crate) rejected: Vec<RejectedRow>,
    /// How many rows were read, comments and empty lines not counted.
    pub(crate) num_read: u64,
}

/// A row of the table.
struct Row {
    /// The replaced accession.
    old: ProteinAccession,
    /// What replaces it.
    new: ProteinAccession,
    /// The line, 1-based.
    line: u64,
}

/// Where the chain of a row ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Not known yet.
    Unknown,
    /// Being followed now.
    OnPath,
    /// At this accession.
    At(ProteinAccession),
    /// Nowhere: the chain leads in a circle.
    Circle,
}

/// Reads the table into at most `memory_bytes` and follows every chain to its end.
///
/// # Errors
///
/// * The input cannot be read.
/// * It is too large for the memory.
pub(crate) fn read_replacements(input: &Input, memory_bytes: usize) -> Result<ReplacementTable> {
    let num_rows_max = memory_bytes / (size_of::<Row>() + size_of::<End>());
    let mut table = ReplacementTable { replacements: Vec::new(), rejected: Vec::new(), num_read: 0 };
    let input_error = |line, source| Error::Input { name: input.name(), line, source };
    let reader = input.open(&BytesRead::default()).map_err(|source| input_error(0, source))?;
    let mut reader = LineReader::new(reader);
    let mut rows: Vec<Row> = Vec::new();
    loop {
        let batch = reader.next_batch().map_err(|source| input_error(reader.num_lines(), source))?;
        let Some(batch) = batch else { break };
        for line in batch.lines().filter(|line| !line.bytes.trim_ascii().is_empty() && line.bytes[0] != b'#') {
            table.num_read += 1;
            match parse(line) {
                Ok(row) => rows.push(row),
                Err(detail) => table.reject(line.number, Reason::BadAccession, detail, excerpt(line.bytes)),
            }
            if rows.len() > num_rows_max {
                return Err(Error::TooLarge { name: input.name(), num_rows_max });
            }
        }
    }
    rows.sort_by_key(|row| row.old);
    rows.dedup_by(|later, first| {
        let is_duplicate = later.old == first.old;
        if is_duplicate {
            let detail = format!("replaced on line {} already", first.line);
            table.reject_row(later, Reason::DuplicateAccession, detail);
        }
        is_duplicate
    });
    let ends = follow(&rows);
    for (row, end) in rows.iter().zip(ends) {
        match end {
            End::At(end) => table.replacements.push((row.old, end)),
            _ => table.reject_row(row, Reason::ReplacementCycle, "leads in a circle".to_owned()),
        }
    }
    table.rejected.sort_by_key(|rejected| rejected.line);
    Ok(table)
}

impl ReplacementTable {
    /// Lists a row that is not taken.
    fn reject(&mut self, line: u64, reason: Reason, detail: String, excerpt: &[u8]) {
        self.rejected.push(RejectedRow { line, rejection: Rejection::new(reason, detail), excerpt: excerpt.to_vec() });
    }

    /// Lists a row that was read well and is not taken.
    fn reject_row(&mut self, row: &Row, reason: Reason, detail: String) {
        self.reject(row.line, reason, detail, format!("{}\t{}", row.old, row.new).as_bytes());
    }
}

/// Reads a row.
fn parse(line: Line<'_>) -> std::result::Result<Row, String> {
    let text = std::str::from_utf8(line.bytes).map_err(|error| error.to_string())?;
    let fields: Vec<&str> = text.split('\t').map(str::trim).collect();
    let &[old, new] = fields.as_slice() else {
        return Err(format!("expected 2 columns, found {}", fields.len()));
    };
    let accession = |text: &str| text.parse().map_err(|error| format!("{text:?}: {error}"));
    Ok(Row { old: accession(old)?, new: accession(new)?, line: line.number })
}

/// Returns the end of each row's chain. Each row is visited once, however long the chains are.
fn follow(rows: &[Row]) -> Vec<End> {
    let mut ends = vec![End::Unknown; rows.len()];
    let mut path = Vec::new();
    for start in 0..rows.len() {
        let mut index = start;
        let end = loop {
            match ends[index] {
                End::Unknown => {}
                End::OnPath => break End::Circle,
                known => break known,
            }
            ends[index] = End::OnPath;
            path.push(index);
            match rows.binary_search_by_key(&rows[index].new, |row| row.old) {
                Ok(next) => index = next,
                Err(_) => break End::At(rows[index].new),
            }
        };
        for index in path.drain(..) {
            ends[index] = end;
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> ReplacementTable {
        let input = Input::Bundled { name: "superseded.tsv", bytes: text.as_bytes() };
        read_replacements(&input, 1 << 20).expect("readable")
    }

    fn numbers(table: &ReplacementTable) -> Vec<(u64, u64)> {
        table.replacements.iter().map(|(old, new)| (old.number(), new.number())).collect()
    }

    #[test]
    fn chains_are_followed_and_circles_dropped() {
        let table = read("# old\tnew\n9\t3\n3\tMGYP000000000001\n\n5\t6\n6\t7\n7\t5\n8\t5\nmgyp10\t10\n2\t1\r\n");
        assert_eq!(numbers(&table), [(2, 1), (3, 1), (9, 1)]);
        assert_eq!(table.num_read, 8);
        let dropped: Vec<_> = table.rejected.iter().map(|row| (row.line, row.rejection.reason)).collect();
        assert_eq!(dropped, [5, 6, 7, 8, 9].map(|line| (line, Reason::ReplacementCycle)));
    }

    #[test]
    fn bad_rows_are_named() {
        let table = read("1\t2\n1\t3\nx\t4\n5\n6\t7\t8\n0\t1\n");
        assert_eq!(numbers(&table), [(1, 2)]);
        let rejected: Vec<_> = table.rejected.iter().map(|row| (row.line, row.rejection.reason)).collect();
        let bad = |line| (line, Reason::BadAccession);
        assert_eq!(rejected, [(2, Reason::DuplicateAccession), bad(3), bad(4), bad(5), bad(6)]);
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        let input = Input::Bundled { name: "superseded.tsv", bytes: b"1\t2\n3\t4\n5\t6\n" };
        assert!(matches!(read_replacements(&input, 100), Err(Error::TooLarge { num_rows_max: 2, .. })));
    }
}
