//! Parquet files.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::Scope;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::background::Background;
use crate::cell::Cell;
use crate::columns::{Column, Kind};
use indexer::{Error, Result};

/// How many rows a row group has.
const ROW_GROUP_ROWS: usize = 122_880;

/// How many rows are handed over at once.
const BATCH_ROWS: usize = 8192;

/// A Parquet file.
pub(crate) struct ParquetFile<'scope> {
    /// Compresses and writes.
    batches: Background<'scope, RecordBatch>,
    /// The columns.
    schema: SchemaRef,
    /// The values of the next batch.
    builders: Vec<Builder>,
    /// The number of rows of the next batch.
    num_rows: usize,
}

impl<'scope> ParquetFile<'scope> {
    /// Makes the file.
    ///
    /// # Errors
    ///
    /// * The file cannot be made.
    pub(crate) fn create(scope: &'scope Scope<'scope, '_>, path: &Path, columns: &[Column]) -> Result<Self> {
        let file = File::create_new(path).map_err(Error::io("cannot create", path))?;
        let fields = columns.iter().map(|column| Field::new(column.name, column.kind.data_type(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).map_err(failed(path))?))
            .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_dictionary_enabled(false);
        for column in columns.iter().filter(|column| column.is_repetitive) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(column.name), true);
        }
        let mut writer =
            ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties.build())).map_err(failed(path))?;
        let own_path = path.to_owned();
        let batches = Background::start(scope, path, move |batches: Receiver<RecordBatch>| {
            let write = || {
                for batch in batches {
                    writer.write(&batch)?;
                }
                writer.close()
            };
            write().map(drop).map_err(failed(&own_path))
        });
        let builders = columns.iter().map(|column| column.kind.builder()).collect();
        Ok(Self { batches, schema, builders, num_rows: 0 })
    }

    /// Appends a row.
    ///
    /// # Errors
    ///
    /// * The file cannot be written.
    pub(crate) fn write<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> Result<()> {
        for (builder, cell) in self.builders.iter_mut().zip(cells) {
            builder.push(cell);
        }
        self.num_rows += 1;
        if self.num_rows == BATCH_ROWS { self.hand_over() } else { Ok(()) }
    }

    /// Hands over the rows that are in memory.
    fn hand_over(&mut self) -> Result<()> {
        self.num_rows = 0;
        let columns = self.builders.iter_mut().map(Builder::finish).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).expect("values that fit their columns");
        self.batches.send(batch)
    }

    /// Writes what is still in memory, and the end of the file.
    ///
    /// # Errors
    ///
    /// * The file cannot be written.
    pub(crate) fn finish(mut self) -> Result<()> {
        if self.num_rows > 0 {
            self.hand_over()?;
        }
        self.batches.finish()
    }
}

/// Returns a function that makes an error of the encoder one of the file.
fn failed(path: &Path) -> impl FnOnce(ParquetError) -> Error {
    let path = path.to_owned();
    move |source| {
        // What the system said is inside, where it is the reason.
        let source = match source {
            ParquetError::External(inner) => io::Error::other(inner),
            other => io::Error::other(ArrowError::from(other)),
        };
        Error::io("cannot write", &path)(source)
    }
}

impl Kind {
    /// Returns the type of a column.
    fn data_type(self) -> DataType {
        match self {
            Self::Long => DataType::Int64,
            Self::Int => DataType::Int32,
            Self::Real => DataType::Float64,
            Self::Flag => DataType::Boolean,
            Self::Text => DataType::Utf8,
        }
    }

    /// Returns what collects the values of a column.
    fn builder(self) -> Builder {
        match self {
            Self::Long => Builder::Long(Int64Builder::new()),
            Self::Int => Builder::Int(Int32Builder::new()),
            Self::Real => Builder::Real(Float64Builder::new()),
            Self::Flag => Builder::Flag(BooleanBuilder::new()),
            Self::Text => Builder::Text(StringBuilder::new()),
        }
    }
}

/// Collects the values of a column.
enum Builder {
    /// 64-bit numbers.
    Long(Int64Builder),
    /// 32-bit numbers.
    Int(Int32Builder),
    /// Floating-point numbers.
    Real(Float64Builder),
    /// Truth values.
    Flag(BooleanBuilder),
    /// Texts.
    Text(StringBuilder),
}

impl Builder {
    /// Appends a value. One of another type is null.
    fn push(&mut self, cell: Cell) {
        match (self, cell) {
            (Self::Long(values), _) => values.append_option(whole(cell)),
            (Self::Int(values), _) => values.append_option(whole(cell).and_then(|number| i32::try_from(number).ok())),
            (Self::Real(values), Cell::Real(number)) => values.append_value(number),
            (Self::Real(values), _) => values.append_null(),
            (Self::Flag(values), Cell::Flag(flag)) => values.append_value(flag),
            (Self::Flag(values), _) => values.append_null(),
            (Self::Text(values), Cell::Text(text)) => values.append_value(text),
            (Self::Text(values), _) => values.append_null(),
        }
    }

    /// Returns the values, and starts again.
    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Long(values) => Arc::new(values.finish()),
            Self::Int(values) => Arc::new(values.finish()),
            Self::Real(values) => Arc::new(values.finish()),
            Self::Flag(values) => Arc::new(values.finish()),
            Self::Text(values) => Arc::new(values.finish()),
        }
    }
}

/// Returns the number of a value that is a whole one.
fn whole(cell: Cell) -> Option<i64> {
    match cell {
        Cell::Protein(number) | Cell::Contig(number) | Cell::Family(number) => i64::try_from(number).ok(),
        Cell::Whole(number) => Some(number),
        Cell::Null | Cell::Real(_) | Cell::Flag(_) | Cell::Text(_) => None,
    }
}
