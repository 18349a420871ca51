//! The floor of reading: decoding the needed columns of Parquet files, and nothing else.

use std::fs::File;
use std::hint::black_box;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::RowGroupMetaData;

use crate::needed::NEEDED;
use crate::release::Release;

/// The number of rows that are decoded at once.
const BATCH_ROWS: usize = 8192;

/// The cost of decoding a release.
pub(crate) struct Floor {
    /// Each table alone, on one thread.
    pub(crate) tables: Vec<TableFloor>,
    /// All tables at once, a thread for each.
    pub(crate) together: Duration,
}

/// The cost of decoding a table.
pub(crate) struct TableFloor {
    pub(crate) name: &'static str,
    /// The number of rows.
    pub(crate) num_rows: u64,
    /// The compressed bytes of the columns that are decoded.
    pub(crate) size_bytes: u64,
    /// The time on one thread.
    pub(crate) elapsed: Duration,
}

impl TableFloor {
    /// Returns the rows a second.
    pub(crate) fn rows_per_s(&self) -> f64 {
        self.num_rows as f64 / self.elapsed.as_secs_f64()
    }
}

/// Decodes a release twice: one table after another, then all at once.
pub(crate) fn measure(release: &Release) -> Floor {
    let decode_table = |(name, columns)| {
        let started = Instant::now();
        let (num_rows, size_bytes) = decode(&release.path.join(format!("{name}.parquet")), columns);
        TableFloor { name, num_rows, size_bytes, elapsed: started.elapsed() }
    };
    let tables = NEEDED.into_iter().map(decode_table).collect();
    let started = Instant::now();
    thread::scope(|scope| {
        for table in NEEDED {
            scope.spawn(move || decode_table(table));
        }
    });
    Floor { tables, together: started.elapsed() }
}

/// Decodes columns of a file, and returns the number of rows and of compressed bytes.
fn decode(path: &Path, columns: &[&str]) -> (u64, u64) {
    let file = File::open(path).expect("a file of the release");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    let is_needed = |name: &str| columns.contains(&name);
    let chunks = builder.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns);
    let needed = chunks.filter(|chunk| is_needed(chunk.column_path().string().as_str()));
    let size_bytes = needed.map(|chunk| u64::try_from(chunk.compressed_size()).unwrap_or(0)).sum();
    let reader = builder.with_projection(mask).with_batch_size(BATCH_ROWS).build().expect("Parquet");
    let num_rows = reader.map(|batch| black_box(batch.expect("whole")).num_rows() as u64).sum();
    (num_rows, size_bytes)
}
