use std::iter;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_ipc::reader::StreamReader;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaDataReader};
use proptest::prelude::*;

use super::*;

const LABELS: [&str; 4] = ["root", "root:Engineered", "root:Mixed", ""];

const FORMATS: [TableFormat; 2] = [TableFormat::Parquet, TableFormat::Arrow];

fn columns() -> [(&'static str, ColumnType); 5] {
    let labels = LABELS.map(str::to_owned).to_vec();
    [
        ("text", ColumnType::Text),
        ("number", ColumnType::Number),
        ("truth", ColumnType::Truth),
        ("texts", ColumnType::Texts),
        ("labels", ColumnType::Labels(labels)),
    ]
}

fn metadata() -> [(String, String); 1] {
    [("query".to_owned(), "q=pfam:5".to_owned())]
}

fn begin(format: TableFormat) -> TableWriter {
    TableWriter::new(format, columns(), metadata()).expect("a schema")
}

/// Returns the bytes of a table that is fetched after every row.
fn written(format: TableFormat, rows: &[Vec<Cell>]) -> Vec<u8> {
    let mut table = begin(format);
    let mut file = Vec::new();
    for row in rows {
        table.write_row(row.clone()).expect("it fits");
        file.extend(table.take());
    }
    file.extend(table.finish().expect("sound"));
    file
}

fn read(format: TableFormat, file: Vec<u8>) -> Vec<RecordBatch> {
    let batches: Vec<_> = match format {
        TableFormat::Parquet => {
            let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(file)).expect("a footer");
            assert_eq!(reader.schema().metadata()["query"], "q=pfam:5");
            reader.build().expect("readable").collect::<Result<_, _>>().expect("sound")
        }
        TableFormat::Arrow => {
            let reader = StreamReader::try_new(&file[..], None).expect("a schema");
            assert_eq!(reader.schema().metadata()["query"], "q=pfam:5");
            reader.collect::<Result<_, _>>().expect("sound")
        }
    };
    batches
}

fn texts(array: &ArrayRef) -> Vec<String> {
    let texts = |array: &StringArray| array.iter().map(|text| text.expect("not null").to_owned()).collect();
    match array.as_dictionary_opt::<Int32Type>() {
        Some(dictionary) => {
            let labels: Vec<String> = texts(dictionary.values().as_string());
            dictionary.keys().values().iter().map(|&key| labels[usize::try_from(key).expect("a key")].clone()).collect()
        }
        None => texts(array.as_string()),
    }
}

fn cells(batch: &RecordBatch, row: usize) -> Vec<Cell> {
    let list = |column: usize| Cell::List(texts(&batch.column(column).as_list::<i32>().value(row)));
    let truths = batch.column(2).as_boolean();
    vec![
        Cell::text(batch.column(0).as_string::<i32>().value(row)),
        Cell::number(batch.column(1).as_primitive::<Int64Type>().value(row)),
        Cell::Truth(truths.is_valid(row).then(|| truths.value(row))),
        list(3),
        list(4),
    ]
}

fn row(text: &str, number: u64) -> Vec<Cell> {
    let labels = LABELS[..usize::try_from(number % 4).expect("small")].iter().map(|label| (*label).to_owned());
    let truth = [None, Some(false), Some(true)][usize::try_from(number % 3).expect("small")];
    let texts = iter::repeat_n(text.to_owned(), usize::try_from(number % 3).expect("small"));
    vec![
        Cell::text(text),
        Cell::number(number),
        Cell::Truth(truth),
        Cell::List(texts.collect()),
        Cell::List(labels.collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn tables_are_read_as_they_were_written(rows in proptest::collection::vec((".{0,20}", 0..1_u64 << 62), 0..300)) {
        let rows: Vec<_> = rows.iter().map(|(text, number)| row(text, *number)).collect();
        for format in FORMATS {
            let batches = read(format, written(format, &rows));
            let found: Vec<_> =
                batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|row| cells(batch, row))).collect();
            prop_assert_eq!(&found, &rows);
        }
    }
}

#[test]
fn rows_are_written_as_batches_fill_and_memory_stays_bounded() {
    // Residues do not compress well.
    let mut seed = 1_u64;
    let mut text = |length: usize| -> String {
        let residue = |_| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            char::from(b'A' + u8::try_from((seed >> 40) % 20).expect("small"))
        };
        (0..length).map(residue).collect()
    };
    for (format, length, num_rows) in [
        (TableFormat::Parquet, 1_000, 30_000),
        (TableFormat::Parquet, 5, 150_000),
        (TableFormat::Arrow, 1_000, 10_000),
        (TableFormat::Arrow, 5, 20_000),
    ] {
        let mut table = begin(format);
        let (mut file, mut piece_max, first_bytes) = (Vec::new(), 0, table.memory_bytes());
        for number in 0..num_rows {
            table.write_row(row(&text(length), number)).expect("it fits");
            let piece = table.take();
            piece_max = piece_max.max(piece.len());
            file.extend(piece);
        }
        assert!(piece_max > 0 && piece_max < 6 << 20, "{format:?}: {piece_max}");
        assert!(table.memory_bytes() <= first_bytes + (64 << 10));
        let last = table.finish().expect("sound");
        assert!(last.len() < 6 << 20);
        file.extend(last);
        if format == TableFormat::Parquet {
            let file = bytes::Bytes::from(file.clone());
            let footer = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Optional);
            let footer = footer.parse_and_finish(&file).expect("a footer");
            let (num_groups, num_columns) = (footer.num_row_groups(), columns().len());
            assert!(num_groups > 2, "{num_groups}");
            assert!(footer.row_groups().iter().all(|group| group.num_rows() <= 1 << 16));
            // The share of each column of a group in the memory that is kept until the end.
            let bytes_a_chunk = footer.memory_size() / (num_groups * num_columns);
            assert!((100..1024).contains(&bytes_a_chunk), "{bytes_a_chunk}");
            assert!(footer.page_index().is_none());
        }
        let batches = read(format, file);
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>() as u64, num_rows);
        assert!(batches.iter().all(|batch| batch.num_rows() <= 8192));
    }
}

#[test]
fn a_stream_has_its_labels_once() {
    let labels: Vec<String> = (0..1000).map(|number| format!("root:Environmental:{number}")).collect();
    let mut table = TableWriter::new(TableFormat::Arrow, [("biomes", ColumnType::Labels(labels.clone()))], metadata())
        .expect("a schema");
    for number in 0..50_000 {
        table.write_row([Cell::List(vec![labels[number % 1000].clone()])]).expect("it fits");
    }
    let file = table.finish().expect("sound");
    let needle = labels[999].as_bytes();
    assert_eq!(file.windows(needle.len()).filter(|window| *window == needle).count(), 1);
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let whole = row("a", 1);
    let mut without_last = whole.clone();
    without_last.pop();
    let mut too_many = whole.clone();
    too_many.push(Cell::number(1));
    let mut other_type = whole.clone();
    other_type[1] = Cell::text("1");
    let mut other_label = whole;
    other_label[4] = Cell::List(vec!["root:Nowhere".to_owned()]);
    for row in [without_last, too_many, other_type, other_label] {
        assert!(matches!(begin(TableFormat::Arrow).write_row(row.clone()), Err(TableError::Row)), "{row:?}");
    }
}

#[test]
fn tables_of_many_sparse_columns_have_few_row_groups() {
    let names: Vec<String> = (0..1_000).map(|number| format!("column {number}")).collect();
    let columns = names.iter().map(|name| (name.as_str(), ColumnType::OptionalText));
    let mut table = TableWriter::new(TableFormat::Parquet, columns, metadata()).expect("a schema");
    let (mut file, num_rows) = (Vec::new(), 10_000);
    for row in 0..num_rows {
        let cell = |column: usize| (column % 100 == row % 100).then(|| format!("value {row} {column}"));
        table.write_row((0..1_000).map(|column| Cell::Text(cell(column)))).expect("it fits");
        file.extend(table.take());
    }
    let num_bytes = table.memory_bytes();
    file.extend(table.finish().expect("sound"));
    let footer = ParquetMetaDataReader::new().parse_and_finish(&bytes::Bytes::from(file.clone())).expect("a footer");
    let num_groups = footer.num_row_groups();
    assert!(num_groups <= 8, "{num_groups} groups, {num_bytes} bytes");
    assert_eq!(read(TableFormat::Parquet, file).iter().map(RecordBatch::num_rows).sum::<usize>(), num_rows);
}
