//! Damaged files, and the use of statistics.

use std::sync::Arc;
use std::{fs, iter};

use arrow_array::Int64Array;
use indexer::Error;
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::file::properties::EnabledStatistics;
use parquet::file::writer::SerializedFileWriter;

use super::super::super::tests::drain;
use super::super::order::is_ordered_by_statistics;
use super::*;
use crate::read::{OpenTable, open};

/// Makes clusters with their sizes.
fn clusters(ids: impl IntoIterator<Item = i64>) -> Cells {
    let ids: Vec<i64> = ids.into_iter().collect();
    let sizes = Int64Array::from_iter_values(ids.iter().map(|id| id * 3));
    vec![("cluster_rep", Arc::new(Int64Array::from(ids)) as ArrayRef), ("cluster_size", Arc::new(sizes))]
}

/// Writes a copy of a file with a checksum in each page. The original must have one page per
/// column.
fn with_checksums(file: &OneFile) -> Vec<u8> {
    let whole = fs::read(file.path()).expect("there");
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&File::open(file.path()).expect("there"));
    let metadata = metadata.expect("whole");
    let schema = metadata.file_metadata().schema_descr().root_schema_ptr();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).expect("a schema");
    let mut group = writer.next_row_group().expect("writable");
    for column in metadata.row_group(0).columns() {
        let (start, length) = column.byte_range();
        let (start, end) = (usize::try_from(start).expect("small"), usize::try_from(start + length).expect("small"));
        let page = add_checksum(&whole[start..end]);
        let builder = column.clone().into_builder();
        let metadata = builder.set_total_compressed_size(i64::try_from(page.len()).expect("small")).build();
        let close = ColumnCloseResult {
            bytes_written: page.len() as u64,
            rows_written: u64::try_from(column.num_values()).expect("small"),
            metadata: metadata.expect("complete"),
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        // The page is at the offset that the column's description gives.
        let alone = file.folder.path().join("page");
        fs::write(&alone, [vec![0; start], page].concat()).expect("writable");
        group.append_column(&File::open(&alone).expect("there"), close).expect("writable");
    }
    group.close().expect("writable");
    writer.into_inner().expect("writable")
}

/// Adds a checksum to the header of an uncompressed page, whose first three fields are numbers and
/// whose next field is the fifth.
fn add_checksum(page: &[u8]) -> Vec<u8> {
    let mut end = 0;
    let mut body_bytes = 0;
    for _ in 0..3 {
        assert_eq!(page[end], 0x15, "a number after the field");
        let digits = page[end + 1..].iter().take_while(|&&byte| byte >= 0x80).count() + 1;
        let digits = &page[end + 1..end + 1 + digits];
        body_bytes = digits.iter().rev().fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f)) / 2;
        end += 1 + digits.len();
    }
    assert_eq!(page[end], 0x2c, "a structure two fields on");
    let mut crc = flate2::Crc::new();
    crc.update(&page[page.len() - body_bytes..]);
    let signed = crc.sum().cast_signed();
    let mut zigzag = ((signed << 1) ^ (signed >> 31)).cast_unsigned();
    let digits = iter::from_fn(|| {
        let digit = (zigzag & 0x7f) as u8;
        zigzag >>= 7;
        Some(digit)
    });
    let digits: Vec<u8> = digits.zip(0..5).map(|(digit, index)| if index < 4 { digit | 0x80 } else { digit }).collect();
    [&page[..end], &[0x15], &digits, &[0x1c], &page[end + 1..]].concat()
}

#[test]
fn checksums_of_pages_are_checked() {
    let file = OneFile::write(clusters(1..100), properties().set_dictionary_enabled(false));
    let mut whole = with_checksums(&file);
    fs::write(file.path(), &whole).expect("writable");
    assert_eq!(file.read(Table::Clusters).expect("whole").rows.len(), 99);

    // A value that no other check would find.
    let value = 50_i64.to_le_bytes();
    let position = whole.windows(8).position(|window| window == value).expect("plain");
    whole[position] ^= 1;
    fs::write(file.path(), &whole).expect("writable");
    let error = file.read(Table::Clusters).expect_err("damaged");
    assert!(matches!(error, Error::Parquet { row_group: Some(0), .. }), "{error}");
    assert!(error.to_string().contains("CRC"), "{error}");
}

#[test]
fn row_groups_below_a_key_are_passed_over() {
    let properties = properties().set_max_row_group_row_count(Some(100));
    let file = OneFile::write(clusters(1..=1000), properties);
    let input = file.input(Table::Clusters);
    let OpenTable { mut source, bytes_read, total_bytes } = open(&input, &lineages()).expect("whole");
    source.skip_before(555);
    let table = drain(&mut *source).expect("readable");
    let found = (table.rows[0].0, table.rows[0].2, table.rows.len());
    assert_eq!(found, (401, 401, 600), "the group before the first that is wanted is read too");
    assert_eq!(bytes_read.load(std::sync::atomic::Ordering::Relaxed), total_bytes);
}

#[test]
fn statistics_prove_disorder_across_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    let ordered = |first: Cells, second: Cells, statistics| {
        for (path, cells) in paths.iter().zip([first, second]) {
            let properties = properties().set_max_row_group_row_count(Some(10));
            write(path, cells, properties.set_statistics_enabled(statistics));
        }
        let input = input(Table::Clusters, Format::Parquet, &[&paths[0], &paths[1]]);
        is_ordered_by_statistics(&input).expect("readable")
    };
    assert!(ordered(clusters(1..=50), clusters(50..=99), EnabledStatistics::Chunk));
    assert!(!ordered(clusters(1..=50), clusters(49..=99), EnabledStatistics::Chunk));
    assert!(!ordered(clusters((1..=50).rev()), clusters(60..=99), EnabledStatistics::Chunk));
    assert!(ordered(clusters(1..=50), clusters(1..=50), EnabledStatistics::None), "nothing proves it");
}
