//! The tables of the release and of all sources, read as one.

use std::ops::Range;
use std::path::Path;

use store::Result;

use crate::contents::ProteinContents;

use super::table::{Cells, ColumnNumber, FacetTable, RowKind, add_up};

/// The tables of all parts of a generation.
pub(crate) struct FacetTables(Vec<FacetTable>);

impl FacetTables {
    pub(crate) fn open(generation: &Path, contents: &ProteinContents) -> Result<Self> {
        contents.parts().map(|part| FacetTable::open(generation, part)).collect::<Result<_>>().map(Self)
    }

    /// Returns the numbers of a row by column. A row that is missing has none.
    pub(super) fn row(&self, key: &[u8]) -> Result<Cells> {
        let mut cells = Cells::new();
        for table in &self.0 {
            cells.extend(table.row(key)?);
        }
        if self.0.len() > 1 {
            add_up(&mut cells);
        }
        Ok(cells)
    }

    /// Returns the numbers of a column by row, for rows of some kinds, with their keys.
    pub(super) fn column(&self, column: ColumnNumber, kinds: Range<RowKind>) -> Result<Vec<(&[u8], u64)>> {
        let mut rows = Vec::new();
        for table in &self.0 {
            rows.extend(table.column(column, kinds.clone())?);
        }
        if self.0.len() > 1 {
            add_up(&mut rows);
        }
        Ok(rows)
    }
}
