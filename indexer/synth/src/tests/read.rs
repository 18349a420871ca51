//! Reading a release back.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use flate2::read::MultiGzDecoder;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// Returns the bytes of each file.
pub(super) fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("readable").map(|entry| entry.expect("entry").path());
    entries.map(|path| (path.file_name().expect("a name").into(), fs::read(path).expect("readable"))).collect()
}

/// Returns the rows of a table, with tabs between values.
pub(super) fn rows(folder: &Path, name: &str) -> Vec<String> {
    let parquet = folder.join(format!("{name}.parquet"));
    if !parquet.try_exists().expect("readable") {
        let file = File::open(folder.join(format!("{name}.gz"))).expect("a file");
        let mut text = String::new();
        MultiGzDecoder::new(file).read_to_string(&mut text).expect("text");
        return text.lines().map(str::to_owned).collect();
    }
    let file = File::open(parquet).expect("a file");
    let batches = ParquetRecordBatchReaderBuilder::try_new(file)
        .and_then(ParquetRecordBatchReaderBuilder::build)
        .expect("Parquet");
    batches.flat_map(|batch| batch_rows(&batch.expect("readable"))).collect()
}

fn batch_rows(batch: &RecordBatch) -> Vec<String> {
    let options = FormatOptions::default();
    let columns: Vec<_> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column.as_ref(), &options).expect("a simple type"))
        .collect();
    let row = |row| columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>().join("\t");
    (0..batch.num_rows()).map(row).collect()
}

/// Returns a column as numbers.
pub(super) fn numbers(rows: &[String], column: usize) -> Vec<u64> {
    rows.iter().map(|row| row.split('\t').nth(column).expect("a column").parse().expect("a number")).collect()
}

pub(super) fn sorted(mut rows: Vec<String>) -> Vec<String> {
    rows.sort_unstable();
    rows
}
