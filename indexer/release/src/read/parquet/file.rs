//! A Parquet file: its footer, and one row group after another.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use indexer::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::ParquetStatisticsPolicy;

use crate::read::batch::{BLOCK_ROWS, RowOrigin};
use crate::read::layout::ReleaseFile;
use crate::table::Table;

use super::columns::find;
use super::rows::TableRows;

/// The target number of decoded bytes of a batch.
const BATCH_BYTES: u64 = 4 * 1024 * 1024;

pub(super) struct ParquetFile {
    pub(super) name: String,
    pub(super) position: u16,
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    leaves: Vec<usize>,
    /// The position of each column of the table among those that are read.
    slots: Vec<Option<usize>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct GroupSize {
    pub(super) rows: u64,
    /// The compressed bytes of the columns that are read.
    pub(super) bytes: u64,
}

impl ParquetFile {
    pub(super) fn open(file: &ReleaseFile, table: Table) -> Result<Self> {
        let name = file.name();
        let (position, path) = (file.position, file.path.clone());
        let file = open_file(&path)?;
        // The footer of a large table has a million column chunks, whose statistics would fill the
        // memory.
        let options = footer_options(ParquetStatisticsPolicy::SkipAll);
        let metadata = guarded(&name, None, || ArrowReaderMetadata::load(&file, options))?;
        let roots = find_columns(&name, table, metadata.schema())?;
        let descriptor = metadata.parquet_schema();
        let read: Vec<usize> = roots.iter().flatten().copied().collect();
        let mask = ProjectionMask::roots(descriptor, read.iter().copied());
        let leaves = (0..descriptor.num_columns())
            .filter(|&leaf| read.contains(&descriptor.get_column_root_idx(leaf)))
            .collect();
        // Columns are returned in the order of the file.
        let slot = |root: usize| read.iter().filter(|&&other| other < root).count();
        let slots = roots.iter().map(|root| root.map(slot)).collect();
        Ok(Self { name, position, path, metadata, mask, leaves, slots })
    }

    pub(super) fn num_groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    pub(super) fn group_size(&self, index: usize) -> GroupSize {
        let group = self.metadata.metadata().row_group(index);
        GroupSize {
            rows: u64::try_from(group.num_rows()).unwrap_or(0),
            bytes: self.sum(|leaf| group.column(leaf).compressed_size()),
        }
    }

    pub(super) fn read_group(&self, index: usize) -> Result<ParquetRecordBatchReader> {
        let group = self.metadata.metadata().row_group(index);
        let decoded_bytes = self.sum(|leaf| group.column(leaf).uncompressed_size());
        let row_bytes = decoded_bytes / self.group_size(index).rows.max(1) + 1;
        let num_rows = usize::try_from(BATCH_BYTES / row_bytes).unwrap_or(BLOCK_ROWS).clamp(16, BLOCK_ROWS);
        // The decoder moves the position of its file, which no other one may share.
        let file = open_file(&self.path)?;
        guarded(&self.name, Some(index), || {
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
                .with_projection(self.mask.clone())
                .with_row_groups(vec![index])
                .with_batch_size(num_rows)
                .build()
        })
    }

    /// Wraps decoded rows, the first of which has the origin `first`.
    pub(super) fn rows(&self, table: Table, batch: &RecordBatch, first: RowOrigin) -> Result<TableRows> {
        let columns = self.slots.iter().map(|slot| slot.map(|slot| Arc::clone(batch.column(slot))));
        guarded(&self.name, None, || TableRows::new(table, columns, batch.num_rows(), first))
    }

    /// Returns the error of a row group whose number of rows differs from the footer.
    pub(super) fn wrong_row_count(&self, index: usize, num_rows: u64) -> Error {
        let expected = self.group_size(index).rows;
        let source = format!("{num_rows} rows were decoded, but the footer has {expected}").into();
        Error::Parquet { name: self.name.clone(), row_group: Some(index), source }
    }

    fn sum(&self, size: impl Fn(usize) -> i64) -> u64 {
        self.leaves.iter().map(|&leaf| u64::try_from(size(leaf)).unwrap_or(0)).fold(0, u64::saturating_add)
    }
}

pub(super) fn open_file(path: &Path) -> Result<File> {
    File::open(path).map_err(Error::io("cannot open", path))
}

/// Returns options for reading a footer. Notes of an Arrow program about its types are ignored: the
/// rows are the same.
pub(super) fn footer_options(statistics: ParquetStatisticsPolicy) -> ArrowReaderOptions {
    ArrowReaderOptions::new()
        .with_skip_arrow_metadata(true)
        .with_column_stats_policy(statistics)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_encoding_stats_policy(ParquetStatisticsPolicy::SkipAll)
}

pub(super) fn find_columns(name: &str, table: Table, schema: &Schema) -> Result<Vec<Option<usize>>> {
    find(table, schema).map_err(|problem| {
        let columns: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        Error::Unusable { name: name.to_owned(), problem: format!("{problem}; the columns are {}", columns.join(", ")) }
    })
}

/// Calls the decoder. A panic in it is an error of the run; after an error, nothing that it was
/// using is used again.
pub(super) fn guarded<T, E: Into<Box<dyn std::error::Error + Send + Sync>>>(
    name: &str,
    row_group: Option<usize>,
    decode: impl FnOnce() -> Result<T, E>,
) -> Result<T> {
    let source = match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(decoded)) => return Ok(decoded),
        Ok(Err(error)) => error.into(),
        Err(panic) => {
            let message = panic.downcast_ref::<&str>().copied().map(str::to_owned);
            let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            format!("the decoder failed, so the file must be damaged: {message}").into()
        }
    };
    Err(Error::Parquet { name: name.to_owned(), row_group, source })
}
