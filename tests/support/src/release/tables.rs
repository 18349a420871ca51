//! Tables of a release, row by row.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// Returns the lines of a compressed file.
pub fn lines(path: &Path) -> impl Iterator<Item = String> + use<> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    BufReader::new(MultiGzDecoder::new(file)).lines().map(|line| line.expect("text"))
}

/// Calls `visit` with the named columns of each row.
pub fn for_each_row<const N: usize>(path: &Path, columns: [&str; N], mut visit: impl FnMut([&Field; N])) {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    for row in reader.get_row_iter(None).expect("rows") {
        let row = row.expect("a row");
        let field = |name| row.get_column_iter().find(|(column, _)| *column == name).expect(name).1;
        visit(columns.map(field));
    }
}
