//! Tables that several threads decode.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::{fs, thread};

use arrow_array::{BooleanArray, Int64Array, StringArray};
use tempfile::TempDir;

use super::super::super::tests::drain_into;
use super::*;
use crate::read::batch::Decoding;
use crate::read::{Batch, OpenTable, open};

/// The number of rows that a file has.
const NUM_ROWS: i64 = 1950;

const ROW_GROUP_ROWS: usize = 100;

/// Two files of a table, so that decoders continue with the second.
struct TwoFiles {
    _folder: TempDir,
    paths: [PathBuf; 2],
}

/// The outcome of reading a table.
#[derive(Debug, PartialEq)]
struct Outcome {
    rows: ReadTable,
    error: Option<String>,
}

/// Makes sequences, some of which are bad: in the middle of row groups and at their ends.
fn sequences(first: i64) -> Cells {
    let ids: Vec<i64> = (first..first + NUM_ROWS).collect();
    // Some are so long that a row group becomes several blocks.
    let residues = ids.iter().map(|id| match id % 50 {
        0 => "MK3".to_owned(),
        1..5 => "MKV".repeat(3000),
        _ => "MKL".to_owned(),
    });
    vec![
        ("sequence", Arc::new(StringArray::from_iter_values(residues)) as ArrayRef),
        ("full_length", Arc::new(ids.iter().map(|id| Some(id % 2 == 0)).collect::<BooleanArray>())),
        ("mgyp", Arc::new(Int64Array::from(ids))),
    ]
}

impl TwoFiles {
    fn write() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        for (path, first) in paths.iter().zip([1, 5000]) {
            write(path, sequences(first), properties().set_max_row_group_row_count(Some(ROW_GROUP_ROWS)));
        }
        Self { _folder: folder, paths }
    }

    fn open(&self) -> OpenTable {
        let [first, second] = &self.paths;
        open(&input(Table::Sequences, Format::Parquet, &[first, second]), &lineages()).expect("whole")
    }

    /// Reads the rows from a key on, with `num_decoders` decoders, each of which may be
    /// `num_blocks` blocks ahead.
    fn read(&self, first_key: Option<u64>, num_decoders: usize, num_blocks: usize) -> Outcome {
        let OpenTable { mut source, bytes_read, total_bytes } = self.open();
        if let Some(key) = first_key {
            source.skip_before(key);
        }
        let decoders = source.split(num_decoders, num_blocks);
        assert_eq!(decoders.len(), if num_decoders > 1 { num_decoders } else { 0 });
        let mut rows = ReadTable::default();
        let error = while_decoding(decoders, || drain_into(&mut *{ source }, &mut rows).err());
        let error = error.map(|error| error.to_string());
        assert!(error.is_some() || bytes_read.load(Ordering::Relaxed) == total_bytes);
        Outcome { rows, error }
    }
}

/// Runs decoders in parallel with work, which must drop their source.
fn while_decoding<T>(decoders: Vec<Decoding>, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        for decoder in decoders {
            scope.spawn(decoder);
        }
        work()
    })
}

#[test]
fn rows_are_the_same_with_any_number_of_decoders() {
    let files = TwoFiles::write();
    for first_key in [None, Some(1234), Some(5555)] {
        let expected = files.read(first_key, 1, 0);
        assert_eq!(expected.error, None);
        assert!(expected.rows.rows.len() > 1000 && expected.rows.rejected.len() > 20, "{first_key:?}");
        for (num_decoders, num_blocks) in [(2, 0), (2, 1), (3, 100), (8, 2), (64, 5)] {
            let found = files.read(first_key, num_decoders, num_blocks);
            assert!(found == expected, "{num_decoders} decoders, {num_blocks} blocks, from {first_key:?}");
        }
    }
}

#[test]
fn errors_follow_all_rows_before_them() {
    let files = TwoFiles::write();
    for (path, tenths) in [(&files.paths[0], 5), (&files.paths[1], 3), (&files.paths[1], 8)] {
        let whole = fs::read(path).expect("there");
        let mut damaged = whole.clone();
        // More than a row group, so that the header of a page is hit.
        damaged[whole.len() * tenths / 10..][..whole.len() / 10].fill(0xff);
        fs::write(path, damaged).expect("writable");
        let expected = files.read(None, 1, 0);
        assert!(expected.error.as_ref().is_some_and(|error| error.contains(", row group ")), "{:?}", expected.error);
        assert!(!expected.rows.rows.is_empty());
        for (num_decoders, num_blocks) in [(2, 1), (5, 3)] {
            assert!(files.read(None, num_decoders, num_blocks) == expected, "{num_decoders} decoders");
        }
        fs::write(path, whole).expect("writable");
    }
}

#[test]
fn decoders_end_when_the_source_is_dropped() {
    let files = TwoFiles::write();
    for num_batches in [0, 1, 7] {
        let mut source = files.open().source;
        let decoders = source.split(4, 1);
        while_decoding(decoders, move || {
            for _ in 0..num_batches {
                assert!(source.next(&mut Batch::default()).expect("whole"));
            }
        });
    }
}

#[test]
fn biomes_are_decoded_by_one_thread() {
    let one = || Arc::new(Int64Array::from(vec![1]));
    let cells: Cells =
        vec![("mgyp", one()), ("count", one()), ("biome", Arc::new(StringArray::from(vec!["root"])) as ArrayRef)];
    let file = OneFile::write(cells, properties());
    let mut source = open(&file.input(Table::Biomes), &lineages()).expect("whole").source;
    assert!(source.split(4, 1).is_empty());
}
