//! Tables in Parquet and as Arrow streams, written while their rows are read.
//!
//! Rows are collected in a batch of at most 8,192 rows or about 1 MiB. An Arrow stream consists of
//! such batches. Parquet collects them, encoded and compressed, in row groups of at most 65,536
//! rows or about 4 MiB, since each column of a group is in one piece; its part of the footer is
//! kept until the end. [`TableWriter::memory_bytes`] is an upper bound for all of this.
//!
//! # Examples
//!
//! ```
//! use api_tables::{Cell, ColumnType, TableFormat, TableWriter};
//!
//! # fn main() -> Result<(), api_tables::TableError> {
//! let columns = [("name", ColumnType::Text), ("length", ColumnType::Number)];
//! let mut table = TableWriter::new(TableFormat::Parquet, columns, [("source".to_owned(), "an example".to_owned())])?;
//! table.write_row([Cell::text("MKVLA"), Cell::number(5)])?;
//! let mut file = table.take();
//! file.extend(table.finish()?);
//! assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
//! # Ok(())
//! # }
//! ```

mod column;
mod tsv;
mod writer;

pub use column::{Cell, ColumnType};
pub use tsv::{end_tsv_row, push_tsv_text};
pub use writer::{TableFormat, TableWriter};

/// The reason why a table cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A batch cannot be made or encoded.
    #[error(transparent)]
    Arrow(#[from] arrow_schema::ArrowError),
    /// A row group cannot be encoded.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
    /// A row does not have the columns of the table, or a list has a label that its column lacks.
    #[error("a row does not match the columns of its table")]
    Row,
}

#[cfg(test)]
mod tests;
