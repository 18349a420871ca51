//! Parquet files.

use std::fs::File;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::files::columns::Column;

const ROW_GROUP_ROWS: usize = 122_880;

pub(crate) const BATCH_ROWS: usize = 8192;

/// Writes chunks of lines, each with the tab-separated values of a row.
pub(crate) fn write_parquet(file: File, columns: &[Column], chunks: Receiver<String>) -> io::Result<()> {
    write_batches(file, columns, chunks).map_err(|error| match error {
        ParquetError::External(inner) => io::Error::other(inner),
        other => io::Error::other(ArrowError::from(other)),
    })
}

fn write_batches(file: File, columns: &[Column], chunks: Receiver<String>) -> Result<()> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_enabled(false);
    for column in columns.iter().filter(|column| column.is_repetitive) {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(column.name), true);
    }
    let fields = columns.iter().map(|column| Field::new(column.name, column.data_type.clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties.build()))?;
    for chunk in chunks {
        let mut values = vec![Vec::with_capacity(BATCH_ROWS); columns.len()];
        for line in chunk.lines() {
            for (values, value) in values.iter_mut().zip(line.split('\t')) {
                values.push(Some(value).filter(|value| !value.is_empty()));
            }
        }
        let arrays = columns.iter().zip(values).map(|(column, values)| array(&column.data_type, values)).collect();
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), arrays)?)?;
    }
    writer.close()?;
    Ok(())
}

fn array(data_type: &DataType, values: Vec<Option<&str>>) -> ArrayRef {
    match data_type {
        DataType::Int64 => Arc::new(parsed(values).collect::<Int64Array>()),
        DataType::Int32 => Arc::new(parsed(values).collect::<Int32Array>()),
        DataType::Float64 => Arc::new(parsed(values).collect::<Float64Array>()),
        DataType::Boolean => Arc::new(parsed(values).collect::<BooleanArray>()),
        _ => Arc::new(StringArray::from(values)),
    }
}

fn parsed<T: FromStr>(values: Vec<Option<&str>>) -> impl Iterator<Item = Option<T>> {
    values.into_iter().map(|value| value?.parse().ok())
}
