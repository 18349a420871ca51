//! Tables in Parquet and Arrow that are sent while they are written.

use api_http::SourceError;
use api_http::limits::Permit;
use api_tables::{Cell, ColumnType, TableFormat, TableWriter};

/// A table and its reserved memory.
pub struct TableStream {
    /// `None` at the end.
    table: Option<Box<TableWriter>>,
    taken_bytes: usize,
}

impl TableStream {
    /// Begins a table.
    ///
    /// # Errors
    ///
    /// * There is too little memory for it, or its columns cannot be described.
    pub fn begin<'a>(
        format: TableFormat,
        columns: impl IntoIterator<Item = (&'a str, ColumnType)>,
        metadata: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, SourceError> {
        let table = TableWriter::new(format, columns, metadata).map_err(SourceError::fault)?;
        let mut stream = Self { table: Some(Box::new(table)), taken_bytes: 0 };
        stream.take_memory()?;
        Ok(stream)
    }

    /// Writes a row, and appends the bytes that are ready.
    ///
    /// # Errors
    ///
    /// * The row does not have the columns of the table, or there is too little memory for its
    ///   footer.
    pub fn write_row(&mut self, cells: impl IntoIterator<Item = Cell>, text: &mut Vec<u8>) -> Result<(), SourceError> {
        let Some(table) = &mut self.table else { return Ok(()) };
        table.write_row(cells).map_err(SourceError::fault)?;
        let mut ready = table.take();
        if ready.is_empty() {
            return Ok(());
        }
        text.append(&mut ready);
        self.take_memory()
    }

    /// Returns the rest at the end.
    ///
    /// # Errors
    ///
    /// * The last rows cannot be written.
    pub fn finish(&mut self) -> Result<Vec<u8>, SourceError> {
        self.table.take().map_or_else(|| Ok(Vec::new()), |table| table.finish()).map_err(SourceError::fault)
    }

    /// Reserves the memory that the table needs in addition: the footer of Parquet grows.
    fn take_memory(&mut self) -> Result<(), SourceError> {
        let num_bytes = self.table.as_ref().map_or(0, |table| table.memory_bytes());
        if !Permit::take_memory(num_bytes.saturating_sub(self.taken_bytes)) {
            return Err(SourceError::Overloaded);
        }
        self.taken_bytes = num_bytes;
        Ok(())
    }
}
