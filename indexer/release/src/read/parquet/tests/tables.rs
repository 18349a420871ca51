//! The tables, with all types that their columns may have.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::*;
use arrow_cast::cast;
use arrow_schema::DataType;
use indexer::run::Reason;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterVersion;

use super::super::super::tests::decode;
use super::*;
use crate::read::rows::{BiomeRow, OccurrenceRow, SequenceRow};

/// Whole numbers.
fn int64(values: impl IntoIterator<Item = impl Into<Option<i64>>>) -> ArrayRef {
    Arc::new(values.into_iter().map(Into::into).collect::<Int64Array>())
}

/// Texts.
fn texts<'a>(values: impl IntoIterator<Item = impl Into<Option<&'a str>>>) -> ArrayRef {
    Arc::new(values.into_iter().map(Into::into).collect::<StringArray>())
}

/// Casts a column to a type.
fn as_type(array: &ArrayRef, data_type: &DataType) -> ArrayRef {
    cast(array, data_type).expect("a cast")
}

/// Returns row and reason of the bad rows.
fn faults(table: &ReadTable) -> Vec<(u64, Reason)> {
    table.rejected.iter().map(|(row, reason, ..)| (*row, *reason)).collect()
}

/// Returns the members, by cluster.
fn members(table: &ReadTable) -> Vec<(u64, u64, u64)> {
    let member = |payload: &[u8]| decode::<u64>(payload);
    table.rows.iter().map(|(key, _, row, payload)| (*key, *row, member(payload))).collect()
}

#[test]
fn columns_may_have_any_width_and_encoding() {
    const LINEAGES: [&str; 3] = ["root", "root:Soil", "root:Air"];
    let ids: Vec<i64> = (1..=10_000).collect();
    let (ids, counts) = (int64(ids.clone()), int64(ids.iter().map(|id| id % 100 + 1)));
    let biomes = texts((0..10_000).map(|row| LINEAGES[row / 7 % 3]));
    let dictionary = DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::LargeUtf8));
    let expected: Vec<_> = (0..10_000_u64)
        .map(|row| (row + 1, row + 1, BiomeRow { biome: (row / 7 % 3) as u32, count: (row + 1) % 100 + 1 }))
        .collect();
    let variants = [
        (DataType::Int64, DataType::Int64, DataType::Utf8, Compression::ZSTD(ZstdLevel::default())),
        (DataType::Int32, DataType::Int8, DataType::LargeUtf8, Compression::SNAPPY),
        (DataType::UInt32, DataType::UInt16, DataType::Utf8View, Compression::LZ4_RAW),
        (DataType::UInt64, DataType::UInt64, DataType::Binary, Compression::GZIP(GzipLevel::default())),
        (DataType::Decimal128(12, 0), DataType::Int16, dictionary, Compression::BROTLI(BrotliLevel::default())),
        (DataType::Utf8, DataType::Decimal128(5, 0), DataType::Utf8, Compression::UNCOMPRESSED),
    ];
    for (id_type, count_type, text_type, codec) in variants {
        for has_dictionary in [true, false] {
            for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
                let cells = vec![
                    ("Biome", as_type(&biomes, &text_type)),
                    ("other", as_type(&biomes, &DataType::Utf8)),
                    ("lineage_count", as_type(&counts, &count_type)),
                    ("protein_id", as_type(&ids, &id_type)),
                ];
                let properties = properties()
                    .set_compression(codec)
                    .set_dictionary_enabled(has_dictionary)
                    .set_writer_version(version)
                    .set_max_row_group_row_count(Some(3000))
                    .set_data_page_row_count_limit(700);
                let table = OneFile::write(cells, properties).read(Table::Biomes).expect("readable");
                let rows: Vec<_> = (table.rows.iter())
                    .map(|(key, _, row, payload)| (*key, *row, decode::<BiomeRow>(payload)))
                    .collect();
                assert!(rows == expected, "{id_type} {count_type} {text_type} {codec} {version:?}");
                assert!(table.rejected.is_empty());
            }
        }
    }
}

#[test]
fn completeness_has_several_forms() {
    for (name, full_length) in [
        ("full_length", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])) as ArrayRef),
        ("full_length", int64([Some(1), Some(0), None])),
        ("description", texts([Some("FL=1 CR=0"), Some("CR=1 FL=0"), None])),
        ("description", texts([Some("PL=00"), Some("PL=11"), Some("CR=1")])),
    ] {
        let cells = vec![("MGYP", int64([1, 2, 3])), (name, full_length), ("sequence", texts(["MK", "MV*", "ML"]))];
        let table = table(Table::Sequences, cells);
        let rows: Vec<_> = table.rows.iter().map(|row| decode::<SequenceRow<'_>>(&row.3)).collect();
        assert_eq!(rows.iter().map(|row| row.full_length).collect::<Vec<_>>(), [Some(true), Some(false), None]);
        assert_eq!(rows[1].residues, b"MV*");
    }
}

#[test]
fn members_may_be_single_or_joined() {
    let expected = [(21, 1, 21), (21, 1, 22), (30, 2, 30)];
    let mut lists = ListBuilder::new(StringBuilder::new());
    for list in [&["MGYP21", "22"][..], &["30"]] {
        for member in list {
            lists.values().append_value(member);
        }
        lists.append(true);
    }
    let (texts_in_lists, representatives) = (Arc::new(lists.finish()) as ArrayRef, int64([21, 30]));
    let mut lists = ListBuilder::new(builder::UInt32Builder::new());
    for list in [&[21, 22][..], &[30]] {
        for &member in list {
            lists.values().append_value(member);
        }
        lists.append(true);
    }
    for (name, column) in [("member_accessions", texts_in_lists), ("cluster_member", Arc::new(lists.finish()))] {
        let table = table(Table::ClusterMembers, vec![("cluster_rep", Arc::clone(&representatives)), (name, column)]);
        assert_eq!(members(&table), expected, "{name}");
    }
    let cells = vec![
        ("cluster_rep", int64([Some(21), Some(21), None, Some(22)])),
        ("cluster_member", int64([Some(21), Some(0), Some(5), None])),
    ];
    let flat = table(Table::ClusterMembers, cells);
    assert_eq!(members(&flat), [(21, 1, 21)]);
    let expected = [(2, Reason::BadAccession), (3, Reason::BadAccession), (4, Reason::BadAccession)];
    assert_eq!(faults(&flat), expected);
    let joined = table(
        Table::ClusterMembers,
        vec![("cluster_rep", int64([1, 2, 3])), ("cluster_members", texts([Some("1;x;2"), Some(";"), None]))],
    );
    assert_eq!(members(&joined), [(1, 1, 1), (1, 1, 2)]);
    assert_eq!(faults(&joined), [(1, Reason::BadAccession), (2, Reason::BadRow), (3, Reason::BadAccession)]);
}

#[test]
fn bad_cells_reject_only_their_row() {
    let ids: ArrayRef = Arc::new(UInt64Array::from(vec![
        Some(5),
        None,
        Some(0),
        Some(u64::MAX),
        Some(1_000_000_000_000),
        Some(6),
        Some(7),
        Some(8),
        Some(9),
        Some(10),
    ]));
    let cells = vec![
        ("protein_id", ids),
        (
            "lineage_count",
            int64([Some(1), Some(1), Some(1), Some(1), Some(1), Some(-1), None, Some(1), Some(1), Some(0)]),
        ),
        ("biome", texts([Some("root"); 7].into_iter().chain([Some("a::b"), None, Some("root")]))),
    ];
    let biomes = table(Table::Biomes, cells);
    assert_eq!(biomes.rows.len(), 1);
    let accession = [2, 3, 4, 5].map(|row| (row, Reason::BadAccession));
    let others = [(6, Reason::BadNumber), (7, Reason::BadNumber), (8, Reason::BadLineage), (9, Reason::BadLineage)];
    assert_eq!(faults(&biomes), [&accession[..], &others, &[(10, Reason::BadNumber)]].concat());
    let (details, texts_of_rows): (Vec<_>, Vec<_>) =
        biomes.rejected.iter().map(|(_, _, detail, text)| (&**detail, &**text)).unzip();
    assert_eq!(details[2], "protein_id is \"18446744073709551615\"");
    assert_eq!((details[5], texts_of_rows[5]), ("lineage_count is missing", "protein_id=7"));

    let invalid: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"MK", b"M\xff"]));
    let cells = vec![("protein_id", int64([1, 2])), ("full_length", int64([1, 2])), ("sequence", invalid)];
    let sequences = table(Table::Sequences, cells);
    assert_eq!(faults(&sequences), [(2, Reason::BadSequence)]);
    assert!(sequences.rejected[0].2.starts_with("MGYP000000000002: "), "{:?}", sequences.rejected);
}

#[test]
fn loci_may_lack_study_and_name() {
    let cells = vec![
        ("protein_id", int64([1])),
        ("assembly_accession", texts(["E"])),
        ("contig_id", texts(["MGYC1"])),
        ("contig_name", texts([None::<&str>])),
        ("start_position", int64([1])),
        ("end_position", int64([1])),
        ("strand", texts(["+"])),
    ];
    let places = table(Table::Occurrences, cells);
    let row = decode::<OccurrenceRow<'_>>(&places.rows[0].3);
    assert_eq!((row.study, row.contig_name, row.contig, row.is_reverse), ("", "", 1, false));
}

#[test]
fn columns_of_another_type_are_named() {
    let cells =
        vec![("cluster_rep", Arc::new(Float64Array::from(vec![1.0])) as ArrayRef), ("cluster_size", int64([1]))];
    let text = OneFile::write(cells, properties()).read(Table::Clusters).expect_err("no id").to_string();
    assert!(text.contains("column cluster_rep has type Float64: expected integers or text"), "{text}");
}
