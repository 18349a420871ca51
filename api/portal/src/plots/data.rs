//! The data of a plot as a TSV table.

use std::fmt::Display;

use api_tables::{end_tsv_row, push_tsv_text};

/// The bytes of a table.
#[derive(Debug, Default)]
pub(crate) struct PlotData(pub(super) Vec<u8>);

impl PlotData {
    /// Returns a table without rows.
    pub(crate) fn new(columns: &[&str]) -> Self {
        let mut data = Self::default();
        data.add(&columns.iter().map(|name| name as &dyn Display).collect::<Vec<_>>());
        data
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, cells: &[&dyn Display]) {
        let start = self.0.len();
        for (place, cell) in cells.iter().enumerate() {
            self.0.extend((place > 0).then_some(b'\t'));
            push_tsv_text(&cell.to_string(), &mut self.0);
        }
        end_tsv_row(start, &mut self.0);
    }
}

#[cfg(test)]
impl PlotData {
    /// Returns the rows, each with spaces between its cells.
    pub(crate) fn rows(&self) -> Vec<String> {
        String::from_utf8_lossy(&self.0).replace('\t', " ").lines().map(str::to_owned).collect()
    }
}
