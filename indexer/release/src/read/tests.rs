//! Helpers of the tests of all formats.

use std::path::Path;

use indexer::run::Reason;
use store::BiomeTable;

use super::batch::{Batch, LeftOut};
use super::layout::ReleaseFile;
use super::*;
use crate::table::Table;

/// The rows that were read of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    Arc::new(Lineages::new(BiomeTable::default(), &[], |_| Ok(())).expect("no lineages"))
}

/// Reads the rest of a source.
pub(super) fn drain(source: &mut dyn RowSource) -> Result<ReadTable> {
    let mut table = ReadTable::default();
    drain_into(source, &mut table)?;
    Ok(table)
}

/// Adds the rest of a source, up to an error, to the rows that were read.
pub(super) fn drain_into(source: &mut dyn RowSource, table: &mut ReadTable) -> Result<()> {
    let mut batch = Batch::default();
    loop {
        let continues = source.next(&mut batch)?;
        let rows = batch.rows.iter();
        table.rows.extend(rows.map(|row| (row.key, row.origin.file(), row.origin.row(), row.payload.to_vec())));
        for (origin, left_out) in &batch.left_out {
            match left_out {
                LeftOut::Rejected(row) => {
                    let text = String::from_utf8_lossy(&row.excerpt).into_owned();
                    table.rejected.push((row.line, row.rejection.reason, row.rejection.detail.clone(), text));
                }
                LeftOut::PassedOver(_) => table.clans.push(origin.row()),
                LeftOut::Used => panic!("{origin:?}: only one table is read"),
            }
        }
        batch.clear();
        if !continues {
            return Ok(());
        }
    }
}

/// Reads a whole table and checks that the progress ends where it should.
pub(super) fn read(input: &TableInput, lineages: &Arc<Lineages>) -> Result<ReadTable> {
    let mut opened = open(input, lineages)?;
    let table = drain(&mut *opened.source)?;
    assert_eq!(opened.bytes_read.load(std::sync::atomic::Ordering::Relaxed), opened.total_bytes);
    Ok(table)
}

/// Decodes the payload of a row.
pub(super) fn decode<'a, T: serde::Deserialize<'a>>(payload: &'a [u8]) -> T {
    indexer::sort::decode(payload).expect("encoded before")
}
