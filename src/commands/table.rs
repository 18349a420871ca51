//! Tab-separated lines as columns for people.

use std::io;

use rustix::termios::tcgetwinsize;

use crate::failure::Failure;
use crate::output::{Output, is_terminal};

/// The space between two columns.
const GAP: &str = "  ";

/// Prints lines of cells: at a terminal below a header, aligned and not cut, otherwise unchanged.
pub(crate) fn print_lines(header: &str, lines: &[String]) -> Result<(), Failure> {
    let mut output = Output::new();
    if is_terminal() && !lines.is_empty() {
        output.bytes(&Table::default().align(format!("{header}\n{}", lines.join("\n")).as_bytes()))?;
    } else {
        lines.iter().try_for_each(|line| output.line(line))?;
    }
    output.finish()
}

/// Aligns lines in columns. The first lines determine the widths.
#[derive(Default)]
pub(crate) struct Table {
    /// The columns of the terminal, if lines are cut at its edge.
    width: Option<usize>,
    widths: Vec<usize>,
}

impl Table {
    pub(crate) fn new() -> Self {
        let size = is_terminal().then(|| tcgetwinsize(io::stdout()).ok()).flatten();
        Self { width: size.map(|size| size.ws_col.into()).filter(|&width| width > 0), widths: Vec::new() }
    }

    /// Returns the lines of a text with their cells aligned. Lines are cut at the edge of the
    /// terminal.
    pub(crate) fn align(&mut self, text: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(text);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        if self.widths.is_empty() {
            let num_columns = rows.first().map_or(0, Vec::len);
            let width =
                |column| rows.iter().filter_map(|row| row.get(column)).map(|cell: &&str| cell.chars().count()).max();
            self.widths = (0..num_columns).map(|column| width(column).unwrap_or_default()).collect();
        }
        let mut aligned = String::new();
        for row in rows {
            aligned.push_str(&self.line(&row));
            aligned.push('\n');
        }
        aligned.into_bytes()
    }

    fn line(&self, row: &[&str]) -> String {
        let is_number = |cell: &str| cell.parse::<f64>().is_ok();
        let cells = row
            .iter()
            .zip(&self.widths)
            .map(|(cell, &width)| if is_number(cell) { format!("{cell:>width$}") } else { format!("{cell:<width$}") });
        let line = cells.collect::<Vec<_>>().join(GAP);
        let line = line.trim_end();
        match self.width {
            Some(width) if line.chars().count() > width => {
                line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
            }
            _ => line.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_aligned_and_lines_are_cut_at_the_edge() {
        let mut table = Table { width: Some(16), widths: Vec::new() };
        let lines = table.align("name\tlength\tbiome\na\t-1.235\troot:Soil\nbbb\t1234567\t\n".as_bytes());
        let lines = String::from_utf8(lines).expect("text");
        assert_eq!(lines, "name  length   …\na      -1.235  …\nbbb   1234567\n");
        assert_eq!(table.align(b"c\t1\tx\n"), b"c           1  x\n");
    }
}
