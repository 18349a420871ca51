//! What the tests of all formats need.

use std::path::Path;

use store::BiomeTable;

use super::*;
use crate::release::layout::ReleaseFile;
use crate::release::table::Table;
use crate::run::Reason;

/// What was read of a table.
#[derive(Debug, Default)]
pub(super) struct ReadTable {
    /// The good rows: key, file, row, payload.
    pub(super) rows: Vec<(u64, u16, u64, Vec<u8>)>,
    /// The bad rows: row, reason, detail, text.
    pub(super) rejected: Vec<(u64, Reason, String, String)>,
    /// The rows of clans.
    pub(super) clans: Vec<u64>,
}

/// Makes the input of a table of the files.
pub(super) fn input(table: Table, format: Format, paths: &[&Path]) -> TableInput {
    let files = (7..).zip(paths).map(|(position, path)| ReleaseFile {
        position,
        path: path.to_path_buf(),
        size_bytes: path.metadata().expect("there").len(),
        sum: None,
    });
    TableInput { table, format, covers_all_proteins: true, files: files.collect() }
}

/// Makes an empty table of biomes.
pub(super) fn lineages() -> Arc<Lineages> {
    Arc::new(Lineages::new(BiomeTable::default(), Vec::new(), Box::new(|_| Ok(()))))
}

/// Reads what is left of a source.
pub(super) fn drain(source: &mut dyn RowSource) -> Result<ReadTable> {
    let mut table = ReadTable::default();
    let mut batch = Batch::default();
    loop {
        let goes_on = source.next(&mut batch)?;
        let rows = batch.rows.iter();
        table.rows.extend(rows.map(|row| (row.key, row.place.file(), row.place.row(), row.payload.to_vec())));
        table.rejected.extend(batch.rejected.iter().map(|(place, rejection, text)| {
            (place.row(), rejection.reason, rejection.detail.clone(), String::from_utf8_lossy(text).into_owned())
        }));
        table.clans.extend(batch.clan_rows.iter().map(|place| place.row()));
        batch.clear();
        if !goes_on {
            return Ok(table);
        }
    }
}

/// Reads a whole table and checks that the progress ends where it should.
pub(super) fn read(input: &TableInput, lineages: &Arc<Lineages>) -> Result<ReadTable> {
    let bytes_read = BytesRead::default();
    let table = drain(&mut *open(input, lineages, &bytes_read)?)?;
    assert_eq!(bytes_read.load(std::sync::atomic::Ordering::Relaxed), total_bytes(input)?);
    Ok(table)
}
