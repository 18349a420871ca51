//! Tables in Parquet and as Arrow streams, read with the libraries of Arrow.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{DataType, Schema};
use axum::body::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value, json};

/// A table that was read.
#[derive(Debug, PartialEq)]
pub struct Table {
    /// The names and types of the columns.
    pub columns: Vec<(String, String)>,
    /// The metadata of the schema.
    pub metadata: BTreeMap<String, String>,
    /// The rows, as JSON has them.
    pub rows: Vec<Value>,
}

/// Reads a Parquet file or an Arrow stream.
pub fn read_table(file: &[u8]) -> Table {
    let (schema, batches) = if file.starts_with(b"PAR1") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::copy_from_slice(file)).expect("a footer");
        let schema = reader.schema().clone();
        (schema, reader.build().expect("readable").collect::<Result<Vec<_>, _>>())
    } else {
        let reader = StreamReader::try_new(file, None).expect("a schema");
        (reader.schema(), reader.collect())
    };
    let schema: &Schema = &schema;
    let columns = schema.fields().iter().map(|field| (field.name().clone(), field.data_type().to_string()));
    let metadata = schema.metadata().iter().map(|(name, value)| (name.clone(), value.clone()));
    let batches = batches.expect("sound");
    let rows = batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|row| object(batch, row)));
    Table { columns: columns.collect(), metadata: metadata.collect(), rows: rows.collect() }
}

fn object(batch: &RecordBatch, row: usize) -> Value {
    let schema = batch.schema();
    let members = schema.fields().iter().zip(batch.columns());
    Value::Object(members.map(|(field, column)| (field.name().clone(), value(column, row))).collect::<Map<_, _>>())
}

fn value(array: &ArrayRef, row: usize) -> Value {
    match array.data_type() {
        _ if array.is_null(row) => Value::Null,
        DataType::Utf8 => json!(array.as_string::<i32>().value(row)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => json!(array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => json!(array.as_boolean().value(row)),
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary::<Int32Type>();
            value(dictionary.values(), dictionary.key(row).expect("not null"))
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(row);
            (0..list.len()).map(|item| value(&list, item)).collect()
        }
        other => panic!("a column of {other}"),
    }
}
