//! The order of the keys, according to the statistics of row groups.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array};
use arrow_cast::cast;
use arrow_schema::DataType;
use indexer::Result;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetStatisticsPolicy;

use crate::read::layout::{ReleaseFile, TableInput};
use crate::table::Table;

use super::file::{find_columns, footer_options, guarded, open_file};

/// The lowest and the highest key of each row group, null if the file does not have it.
struct KeyRanges {
    lowest: Int64Array,
    highest: Int64Array,
}

/// Returns false if the statistics of the row groups prove that the keys are not in order.
pub(crate) fn is_ordered_by_statistics(input: &TableInput) -> Result<bool> {
    let mut highest_before = None;
    for file in &input.files {
        let Some(ranges) = key_ranges(file, input.table)? else { continue };
        for (lowest, highest) in ranges.lowest.iter().zip(&ranges.highest) {
            if lowest.is_some() && lowest < highest_before {
                return Ok(false);
            }
            highest_before = highest_before.max(highest);
        }
    }
    Ok(true)
}

/// Returns, for each row group of a file, whether all its keys are below `key`.
pub(super) fn groups_before(file: &ReleaseFile, table: Table, key: u64) -> Result<Vec<bool>> {
    let key = i64::try_from(key).unwrap_or(i64::MAX);
    let Some(ranges) = key_ranges(file, table)? else { return Ok(Vec::new()) };
    Ok(ranges.highest.iter().map(|highest| highest.is_some_and(|highest| highest < key)).collect())
}

/// Reads the statistics of the key column, or returns `None` if it has texts, whose order is not
/// that of their numbers.
fn key_ranges(file: &ReleaseFile, table: Table) -> Result<Option<KeyRanges>> {
    let name = file.name();
    let file = open_file(&file.path)?;
    let load = |statistics| guarded(&name, None, || ArrowReaderMetadata::load(&file, footer_options(statistics)));
    let metadata = load(ParquetStatisticsPolicy::SkipAll)?;
    let Some(root) = find_columns(&name, table, metadata.schema())?.first().copied().flatten() else { return Ok(None) };
    let field = metadata.schema().field(root);
    if matches!(field.data_type(), DataType::Utf8 | DataType::Binary) {
        return Ok(None);
    }
    let descriptor = metadata.parquet_schema();
    let Some(leaf) = (0..descriptor.num_columns()).find(|&leaf| descriptor.get_column_root_idx(leaf) == root) else {
        return Ok(None);
    };
    let metadata = load(ParquetStatisticsPolicy::skip_except(&[leaf]))?;
    guarded(&name, None, || -> ParquetResult<_> {
        let converter = StatisticsConverter::from_column_index(leaf, field, metadata.parquet_schema())?;
        let groups = metadata.metadata().row_groups();
        let lowest = as_numbers(&converter.row_group_mins(groups)?)?;
        let highest = as_numbers(&converter.row_group_maxes(groups)?)?;
        Ok(Some(KeyRanges { lowest, highest }))
    })
}

/// Casts statistics to one type. Values out of its range become null, which proves nothing.
fn as_numbers(array: &ArrayRef) -> ParquetResult<Int64Array> {
    let numbers = cast(array, &DataType::Int64).map_err(|error| ParquetError::ArrowError(error.to_string()))?;
    debug_assert_eq!(numbers.len(), array.len(), "a cast keeps the rows");
    Ok(numbers.as_primitive::<Int64Type>().clone())
}
