//! The table of replaced accessions: two columns, old and new, with `#` comments.

use indexer::input::Input;
use indexer::lines::{Line, LineReader};
use indexer::run::{Reason, RejectedRow, Rejection};
use indexer::values::OWN_ACCESSIONS;
use indexer::{Error, Result};
use store::ProteinAccession;

pub(crate) struct ReplacementTable {
    /// The rows, ascending by the old accession.
    rows: Vec<Row>,
    /// The end of the chain of each row, once chains were followed.
    ends: Vec<End>,
    /// The number of rows, without comments and empty lines.
    pub(crate) num_read: u64,
}

struct Row {
    old: ProteinAccession,
    new: ProteinAccession,
    /// 1-based; 0 for a row of another source.
    line: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Unknown,
    /// The row is on the path that is being followed.
    OnPath,
    At(ProteinAccession),
    Cycle,
}

/// Reads the table into at most `memory_bytes`. Rows that are not accepted are passed to `reject`.
pub(crate) fn read_replacements(
    input: &Input,
    memory_bytes: usize,
    mut reject: impl FnMut(&RejectedRow) -> Result<()>,
) -> Result<ReplacementTable> {
    // A growing list has a capacity of up to twice its size, and a stable sort needs half of it
    // again.
    let num_rows_max = memory_bytes / (3 * size_of::<Row>() + size_of::<End>());
    let reader = input.read().map_err(|source| input.error(0, source))?;
    let mut reader = LineReader::new(reader);
    let mut rows: Vec<Row> = Vec::new();
    let mut num_read = 0;
    loop {
        let batch = reader.next_batch().map_err(|source| input.error(reader.num_lines(), source))?;
        let Some(batch) = batch else { break };
        for line in batch.lines().filter(|line| !line.bytes.trim_ascii().is_empty() && line.bytes[0] != b'#') {
            num_read += 1;
            match parse(line) {
                Ok(row) => rows.push(row),
                Err(detail) => {
                    reject(&Rejection::new(Reason::BadAccession, detail).at_row(line.number, line.bytes))?;
                }
            }
            if rows.len() > num_rows_max {
                let problem =
                    format!("more than {num_rows_max} rows do not fit into the memory allowed: raise --memory");
                return Err(Error::Unusable { name: input.name(), problem });
            }
        }
    }
    rows.sort_by_key(|row| row.old);
    let mut refused = Ok(());
    rows.dedup_by(|later, first| {
        let is_duplicate = later.old == first.old;
        if is_duplicate && refused.is_ok() {
            let detail = format!("already replaced on line {}", first.line);
            refused = reject(&later.rejected(Reason::DuplicateAccession, detail));
        }
        is_duplicate
    });
    refused?;
    Ok(ReplacementTable { ends: vec![End::Unknown; rows.len()], rows, num_read })
}

impl ReplacementTable {
    pub(crate) fn empty() -> Self {
        Self { rows: Vec::new(), ends: Vec::new(), num_read: 0 }
    }

    /// Returns all new accessions, ascending.
    pub(crate) fn targets(&self) -> Vec<ProteinAccession> {
        let mut targets: Vec<_> = self.rows.iter().map(|row| row.new).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Adds rows of another source, by which chains may continue. Rows of the table itself win over
    /// them.
    pub(crate) fn extend(&mut self, links: impl IntoIterator<Item = (ProteinAccession, ProteinAccession)>) {
        let links = links.into_iter().map(|(old, new)| Row { old, new, line: 0 });
        let mut links: Vec<Row> = links.filter(|link| self.find(link.old).is_none()).collect();
        self.rows.append(&mut links);
        self.rows.sort_by_key(|row| row.old);
        self.rows.dedup_by_key(|row| row.old);
    }

    /// Follows every chain to its end. Rows that lead into a cycle are passed to `reject`.
    pub(crate) fn follow(&mut self, mut reject: impl FnMut(&RejectedRow) -> Result<()>) -> Result<()> {
        self.ends = follow(&self.rows);
        let rows = self.rows.iter().zip(&self.ends).filter(|(row, end)| row.line > 0 && **end == End::Cycle);
        for (row, _) in rows {
            reject(&row.rejected(Reason::ReplacementCycle, "leads into a cycle".to_owned()))?;
        }
        Ok(())
    }

    /// Returns old and final accessions of the rows of the table itself, in ascending order of the
    /// old one. The chains must have been followed.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ProteinAccession, ProteinAccession)> + '_ {
        self.rows.iter().zip(&self.ends).filter_map(|(row, end)| match end {
            End::At(end) if row.line > 0 => Some((row.old, *end)),
            End::At(_) | End::Unknown | End::OnPath | End::Cycle => None,
        })
    }

    /// Returns whether the table itself replaces an accession, even in a cycle.
    pub(crate) fn replaces(&self, old: ProteinAccession) -> bool {
        self.find(old).is_some_and(|index| self.rows[index].line > 0)
    }

    /// Returns the end of the chain of an accession. The chains must have been followed.
    pub(crate) fn end_of(&self, accession: ProteinAccession) -> ProteinAccession {
        match self.find(accession).map(|index| self.ends[index]) {
            Some(End::At(end)) => end,
            _ => accession,
        }
    }

    fn find(&self, old: ProteinAccession) -> Option<usize> {
        self.rows.binary_search_by_key(&old, |row| row.old).ok()
    }
}

impl Row {
    fn rejected(&self, reason: Reason, detail: String) -> RejectedRow {
        let text = format!("{}\t{}", self.old, self.new);
        Rejection::new(reason, detail).at_row(self.line, text.as_bytes())
    }
}

fn parse(line: Line<'_>) -> std::result::Result<Row, String> {
    let text = std::str::from_utf8(line.bytes).map_err(|error| error.to_string())?;
    let fields: Vec<&str> = text.split('\t').map(str::trim).collect();
    let &[old, new] = fields.as_slice() else {
        return Err(format!("expected 2 columns, found {}", fields.len()));
    };
    let accession = |text: &str| match text.parse::<ProteinAccession>() {
        Ok(accession) if accession.is_own() => Err(format!("{accession}: {OWN_ACCESSIONS}")),
        parsed => parsed.map_err(|error| format!("{text:?}: {error}")),
    };
    Ok(Row { old: accession(old)?, new: accession(new)?, line: line.number })
}

/// Returns the end of the chain of each row. Each row is visited once, however long the chains are.
fn follow(rows: &[Row]) -> Vec<End> {
    let mut ends = vec![End::Unknown; rows.len()];
    let mut path = Vec::new();
    for start in 0..rows.len() {
        let mut index = start;
        let end = loop {
            match ends[index] {
                End::Unknown => {}
                End::OnPath => break End::Cycle,
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

    /// Old and final accessions, line and reason of the rejected rows, and the number of rows that
    /// were read.
    type Outcome = (Vec<(u64, u64)>, Vec<(u64, Reason)>, u64);

    fn read(text: &'static str) -> Outcome {
        let input = Input::Bundled { name: "superseded.tsv", bytes: text.as_bytes() };
        let mut rejected = Vec::new();
        let mut reject = |row: &RejectedRow| {
            rejected.push((row.line, row.rejection.reason));
            Ok(())
        };
        let mut table = read_replacements(&input, 1 << 20, &mut reject).expect("readable");
        table.follow(&mut reject).expect("not refused");
        rejected.sort_unstable();
        (table.iter().map(|(old, new)| (old.number(), new.number())).collect(), rejected, table.num_read)
    }

    #[test]
    fn chains_are_followed_and_circles_are_dropped() {
        let (numbers, dropped, num_read) =
            read("# old\tnew\n9\t3\n3\tMGYP000000000001\n\n5\t6\n6\t7\n7\t5\n8\t5\nmgyp10\t10\n2\t1\r\n");
        assert_eq!(numbers, [(2, 1), (3, 1), (9, 1)]);
        assert_eq!(num_read, 8);
        assert_eq!(dropped, [5, 6, 7, 8, 9].map(|line| (line, Reason::ReplacementCycle)));
    }

    #[test]
    fn chains_continue_through_other_sources() {
        let input = Input::Bundled { name: "superseded.tsv", bytes: b"1\t2\n3\t4\n9\t1\n" };
        let mut table = read_replacements(&input, 1 << 20, |_| Ok(())).expect("readable");
        let accession = |number| ProteinAccession::new(number).expect("in range");
        assert_eq!(table.targets(), [1, 2, 4].map(accession));
        table.extend([(2, 3), (1, 7), (4, 6)].map(|(old, new)| (accession(old), accession(new))));
        table.follow(|_| Ok(())).expect("not refused");
        let rows: Vec<_> = table.iter().map(|(old, new)| (old.number(), new.number())).collect();
        assert_eq!(rows, [(1, 6), (3, 6), (9, 6)], "the table's own row of 1 wins");
        assert_eq!(table.end_of(accession(2)).number(), 6);
        assert!(table.replaces(accession(3)) && !table.replaces(accession(2)));
    }

    #[test]
    fn bad_rows_are_named() {
        let (numbers, rejected, _) = read("1\t2\n1\t3\nx\t4\n5\n6\t7\t8\n0\t1\n");
        assert_eq!(numbers, [(1, 2)]);
        let bad = |line| (line, Reason::BadAccession);
        assert_eq!(rejected, [(2, Reason::DuplicateAccession), bad(3), bad(4), bad(5), bad(6)]);
    }

    #[test]
    fn too_large_tables_are_rejected() {
        let input = Input::Bundled { name: "superseded.tsv", bytes: b"1\t2\n3\t4\n5\t6\n" };
        let read = read_replacements(&input, 200, |_| Ok(()));
        let error = read.map(|_| ()).expect_err("two rows fit").to_string();
        assert_eq!(error, "superseded.tsv: more than 2 rows do not fit into the memory allowed: raise --memory");
    }
}
