//! Decoded columns and their rows.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, NullArray, StringArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use indexer::Result;

use crate::read::batch::{Batch, RowOrigin};
use crate::read::cell::{Cell, Cells, Value};
use crate::read::lineages::LineageCache;
use crate::read::row::push_row;
use crate::table::{Column, Kind, Table};

/// The columns of a batch of rows, in the order of the table's columns.
pub(super) struct TableRows {
    table: Table,
    columns: Vec<DecodedColumn>,
    rows: Range<usize>,
    /// The origin of row 0 of the batch.
    first: RowOrigin,
}

struct DecodedColumn {
    name: &'static str,
    original: ArrayRef,
    values: Values,
}

/// The values of a column, cast to one of few types. Values out of its range are null, so that only
/// their rows are left out.
enum Values {
    Absent,
    Flags(BooleanArray),
    Wholes(Int64Array),
    Reals(Float64Array),
    Texts(StringArray),
    Lists(ListArray, Box<DecodedColumn>),
}

impl TableRows {
    /// Wraps decoded columns. Only optional ones may be `None`.
    pub(super) fn new(
        table: Table,
        arrays: impl Iterator<Item = Option<ArrayRef>>,
        num_rows: usize,
        first: RowOrigin,
    ) -> Result<Self, ArrowError> {
        let columns = table.spec().columns.iter().zip(arrays).map(|(column, array)| DecodedColumn::new(column, array));
        Ok(Self { table, columns: columns.collect::<Result<_, _>>()?, rows: 0..num_rows, first })
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds rows to the batch until it is full or none is left.
    pub(super) fn push(&mut self, lineages: &mut LineageCache, batch: &mut Batch) -> Result<()> {
        let Self { table, columns, rows, first } = self;
        while !batch.rows.is_full()
            && let Some(row) = rows.next()
        {
            let origin = RowOrigin::new(first.file(), first.row() + row as u64);
            let show = || columns[0].shown(row);
            push_row(*table, columns, row, origin, lineages, batch, show)
                .or_else(|fault| batch.leave_out(fault, origin, show().as_bytes()))?;
        }
        Ok(())
    }
}

impl DecodedColumn {
    fn new(column: &Column, array: Option<ArrayRef>) -> Result<Self, ArrowError> {
        let name = column.names[0];
        let Some(original) = array else {
            return Ok(Self { name, original: Arc::new(NullArray::new(0)), values: Values::Absent });
        };
        let values = match original.data_type() {
            _ if column.kind == Kind::Real => {
                Values::Reals(cast(&original, &DataType::Float64)?.as_primitive::<Float64Type>().clone())
            }
            DataType::Boolean => Values::Flags(original.as_boolean().clone()),
            DataType::Utf8 | DataType::Binary => {
                Values::Texts(cast(&original, &DataType::Utf8)?.as_string::<i32>().clone())
            }
            DataType::List(_) => {
                let lists = original.as_list::<i32>().clone();
                let items = Self::new(column, Some(Arc::clone(lists.values())))?;
                Values::Lists(lists, Box::new(items))
            }
            _ => Values::Wholes(cast(&original, &DataType::Int64)?.as_primitive::<Int64Type>().clone()),
        };
        Ok(Self { name, original, values })
    }

    /// Returns a value as it is in the file, for reports.
    fn shown(&self, row: usize) -> String {
        self.cell(row).shown()
    }
}

impl Cells for DecodedColumn {
    fn cell(&self, row: usize) -> Cell<'_> {
        let value = match &self.values {
            Values::Absent => Value::Absent,
            Values::Flags(flags) if flags.is_valid(row) => Value::Flag(flags.value(row)),
            Values::Wholes(numbers) if numbers.is_valid(row) => Value::Whole(numbers.value(row)),
            Values::Reals(numbers) if numbers.is_valid(row) => Value::Real(numbers.value(row)),
            Values::Texts(texts) if texts.is_valid(row) => Value::Text(texts.value(row)),
            _ if self.original.is_null(row) => Value::Missing,
            _ => Value::Other(&self.original, row),
        };
        Cell::new(self.name, value)
    }

    fn items(&self, row: usize) -> (&Self, Range<usize>) {
        let Values::Lists(lists, items) = &self.values else { return (self, row..row + 1) };
        if lists.is_null(row) {
            return (items, 0..0);
        }
        let offset = |index: usize| usize::try_from(lists.value_offsets()[index]).expect("offsets are not negative");
        (items, offset(row)..offset(row + 1))
    }
}

fn cast(array: &ArrayRef, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == data_type {
        return Ok(Arc::clone(array));
    }
    cast_with_options(array, data_type, &CastOptions { safe: true, ..CastOptions::default() })
}
