//! Writing batches of rows.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use crate::TableError;
use crate::column::{Cell, Column, ColumnType};

/// The most rows of a batch, and the size of its values at which it is written.
const BATCH_ROWS: usize = 8192;
const BATCH_BYTES: usize = 1 << 20;

/// The most rows of a row group of Parquet, and the memory at which it is written.
const GROUP_ROWS: usize = 1 << 16;
const GROUP_BYTES: usize = 4 << 20;

/// The size at which a page of a column is compressed: until then it is in memory uncompressed.
const PAGE_BYTES: usize = 256 << 10;

/// The most memory of a column of a row group in the footer.
const FOOTER_BYTES: usize = 1 << 10;

/// The form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// A Parquet file, compressed with zstd.
    Parquet,
    /// A stream of Arrow record batches (IPC), uncompressed.
    Arrow,
}

/// Writes the rows of a table. The bytes that are ready are fetched with [`TableWriter::take`].
pub struct TableWriter {
    schema: SchemaRef,
    columns: Vec<Column>,
    num_rows: usize,
    num_bytes: usize,
    output: Output,
}

enum Output {
    Parquet(Box<ArrowWriter<Vec<u8>>>),
    Arrow(Box<StreamWriter<Vec<u8>>>),
}

impl TableWriter {
    /// Begins a table with these columns. Its schema has these metadata.
    ///
    /// # Errors
    ///
    /// * The schema cannot be encoded.
    pub fn new<'a>(
        format: TableFormat,
        columns: impl IntoIterator<Item = (&'a str, ColumnType)>,
        metadata: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, TableError> {
        let columns = columns.into_iter().map(|(name, column)| (column.field(name), Column::new(column)));
        let (fields, columns): (Vec<_>, Vec<_>) = columns.unzip();
        let metadata: BTreeMap<_, _> = metadata.into_iter().collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata.clone()));
        let output = match format {
            TableFormat::Parquet => {
                let writer = ArrowWriter::try_new(Vec::new(), Arc::clone(&schema), Some(properties(metadata)))?;
                Output::Parquet(Box::new(writer))
            }
            TableFormat::Arrow => Output::Arrow(Box::new(StreamWriter::try_new(Vec::new(), &schema)?)),
        };
        Ok(Self { schema, columns, num_rows: 0, num_bytes: 0, output })
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// * The row does not have the columns of the table, each with a value of its type. After that,
    ///   no more rows can be written.
    pub fn write_row(&mut self, cells: impl IntoIterator<Item = Cell>) -> Result<(), TableError> {
        let mut columns = self.columns.iter_mut();
        for cell in cells {
            self.num_bytes += columns.next().ok_or(TableError::Row)?.push(cell)?;
        }
        if columns.next().is_some() {
            return Err(TableError::Row);
        }
        self.num_rows += 1;
        if self.num_rows >= BATCH_ROWS || self.num_bytes >= BATCH_BYTES { self.write_batch() } else { Ok(()) }
    }

    /// Returns the bytes that are ready, perhaps none. They follow those of the previous call.
    pub fn take(&mut self) -> Vec<u8> {
        mem::take(match &mut self.output {
            Output::Parquet(writer) => writer.inner_mut(),
            Output::Arrow(writer) => writer.get_mut(),
        })
    }

    /// Writes the remaining rows, and returns the last bytes of the file.
    ///
    /// # Errors
    ///
    /// * A batch cannot be encoded.
    pub fn finish(mut self) -> Result<Vec<u8>, TableError> {
        self.write_batch()?;
        Ok(match self.output {
            Output::Parquet(writer) => writer.into_inner()?,
            Output::Arrow(writer) => writer.into_inner()?,
        })
    }

    /// Returns the most memory that the table uses until the next row group is written, including
    /// its bytes that were not fetched yet.
    pub fn memory_bytes(&self) -> usize {
        match &self.output {
            // The batch, its copy, and its bytes.
            Output::Arrow(_) => 4 * BATCH_BYTES,
            Output::Parquet(writer) => {
                let num_chunks = writer.flushed_row_groups().len() * self.columns.len();
                4 * BATCH_BYTES + 2 * GROUP_BYTES + num_chunks * FOOTER_BYTES
            }
        }
    }

    fn write_batch(&mut self) -> Result<(), TableError> {
        if mem::take(&mut self.num_rows) == 0 {
            return Ok(());
        }
        self.num_bytes = 0;
        let columns = self.columns.iter_mut().map(Column::finish).collect::<Result<_, _>>()?;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        match &mut self.output {
            Output::Arrow(writer) => writer.write(&batch)?,
            Output::Parquet(writer) => {
                writer.write(&batch)?;
                if writer.memory_size() >= GROUP_BYTES {
                    writer.flush()?;
                }
            }
        }
        Ok(())
    }
}

/// Writes the metadata not only into the schema of Arrow, which some readers ignore. Keeps nothing
/// for each page, so that the memory of the footer grows only with the row groups.
fn properties(metadata: BTreeMap<String, String>) -> WriterProperties {
    WriterProperties::builder()
        .set_key_value_metadata(Some(metadata.into_iter().map(|(name, value)| KeyValue::new(name, value)).collect()))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_data_page_size_limit(PAGE_BYTES)
        .set_dictionary_page_size_limit(PAGE_BYTES)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .build()
}
