//! Writing the files of releases that the synthetic ones are not like.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;

/// The number of rows that a row group has, so that small tables have several.
const ROW_GROUP_ROWS: usize = 4096;

/// Returns a compressed text.
pub(crate) fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("in memory");
    encoder.finish().expect("in memory")
}

/// Writes a compressed text.
pub(crate) fn write_gzip(path: &Path, text: &str) {
    fs::write(path, gzip(text)).expect("writable");
}

/// Writes a Parquet file of named columns.
pub(crate) fn write_parquet<'a>(path: &Path, columns: impl IntoIterator<Item = (&'a str, ArrayRef)>) {
    write_batches(path, &[RecordBatch::try_from_iter(columns).expect("columns of one length")]);
}

/// Returns a column of any values.
pub(crate) fn column<A: arrow_array::Array + 'static>(values: A) -> ArrayRef {
    Arc::new(values)
}

/// Writes a Parquet file again, without one of its columns.
pub(crate) fn drop_column(path: &Path, name: &str) {
    let file = File::open(path).expect("readable");
    let batches =
        ParquetRecordBatchReaderBuilder::try_new(file).and_then(ParquetRecordBatchReaderBuilder::build).expect("whole");
    let batch = batches.into_iter().next().expect("rows").expect("whole");
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).filter(|(field, _)| field.name() != name);
    let columns: Vec<_> = columns.map(|(field, values)| (field.name().as_str(), Arc::clone(values))).collect();
    assert_eq!(columns.len() + 1, schema.fields().len(), "{name}");
    write_parquet(path, columns);
}

/// Writes a Parquet file again, in row groups so small that it has several.
pub(crate) fn cut_into_row_groups(path: &Path) {
    write_batches(path, &batches(path));
}

fn batches(path: &Path) -> Vec<RecordBatch> {
    let file = File::open(path).expect("readable");
    let batches =
        ParquetRecordBatchReaderBuilder::try_new(file).and_then(ParquetRecordBatchReaderBuilder::build).expect("whole");
    batches.map(|batch| batch.expect("whole")).collect()
}

fn write_batches(path: &Path, batches: &[RecordBatch]) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(ROW_GROUP_ROWS)).build();
    let file = File::create(path).expect("writable");
    let mut writer = ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).expect("a schema");
    for batch in batches {
        writer.write(batch).expect("room");
    }
    writer.close().expect("room");
}
