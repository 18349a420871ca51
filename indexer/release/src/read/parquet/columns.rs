//! Finds the columns of a table in a Parquet file, and checks that their types make sense.

use arrow_schema::{DataType, Schema};

use crate::table::{Column, Kind, Table};

/// Finds the position of each column of a table in a file, or returns the problem of the file.
pub(super) fn find(table: Table, schema: &Schema) -> Result<Vec<Option<usize>>, String> {
    let position = |name: &&str| schema.fields().iter().position(|field| field.name().eq_ignore_ascii_case(name));
    let find = |column: &Column| match column.names.iter().find_map(position) {
        Some(index) => {
            let field = schema.field(index);
            match fits(column.kind, field.data_type()) {
                true => Ok(Some(index)),
                false if !column.is_needed && field.data_type() == &DataType::Null => Ok(None),
                false => {
                    let (name, expected) = (field.name(), expected(column.kind));
                    Err(format!("column {name} has type {}: expected {expected}", field.data_type()))
                }
            }
        }
        None if column.is_needed => {
            Err(format!("the table of {} needs a column {}", table.name(), column.names.join(" or ")))
        }
        None => Ok(None),
    };
    table.spec().columns.iter().map(find).collect()
}

fn fits(kind: Kind, data_type: &DataType) -> bool {
    match kind {
        Kind::Whole => is_whole(data_type),
        Kind::WholeOrText => is_whole(data_type) || is_text(data_type),
        Kind::Ids => match data_type {
            DataType::List(field) => fits(Kind::WholeOrText, field.data_type()),
            single => fits(Kind::WholeOrText, single),
        },
        Kind::Real => data_type.is_integer() || decimal_scale(data_type).is_some() || data_type.is_floating(),
        Kind::Completeness => data_type == &DataType::Boolean || is_whole(data_type) || is_text(data_type),
        Kind::Text => is_text(data_type),
    }
}

const fn expected(kind: Kind) -> &'static str {
    match kind {
        Kind::WholeOrText => "integers or text",
        Kind::Ids => "integers, text, or lists of them",
        Kind::Whole => "integers",
        Kind::Real => "numbers",
        Kind::Completeness => "Booleans or text",
        Kind::Text => "text",
    }
}

fn is_whole(data_type: &DataType) -> bool {
    data_type.is_integer() || decimal_scale(data_type) == Some(0)
}

fn decimal_scale(data_type: &DataType) -> Option<i8> {
    match *data_type {
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => Some(scale),
        _ => None,
    }
}

/// Some programs write texts without marking the bytes as text.
fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::Binary)
}
