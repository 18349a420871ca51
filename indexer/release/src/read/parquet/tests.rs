//! Parquet files of several writers, and bad ones.

mod damage;
mod split;
mod tables;

use std::fs::File;
use std::path::Path;

use arrow_array::{ArrayRef, RecordBatch};
use indexer::Result;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};

use super::super::tests::{ReadTable, input, lineages, read};
use crate::read::layout::{Format, TableInput};
use crate::table::Table;

/// The columns of a file.
type Cells = Vec<(&'static str, ArrayRef)>;

/// A file of a table in its own folder.
struct OneFile {
    /// The folder.
    folder: tempfile::TempDir,
}

impl OneFile {
    /// Writes a file.
    fn write(cells: Cells, properties: WriterPropertiesBuilder) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(&folder.path().join("table.parquet"), cells, properties);
        Self { folder }
    }

    /// Returns the path.
    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("table.parquet")
    }

    /// Returns the file as a table.
    fn input(&self, table: Table) -> TableInput {
        input(table, Format::Parquet, &[&self.path()])
    }

    /// Reads the file as a table.
    fn read(&self, table: Table) -> Result<ReadTable> {
        read(&self.input(table), &lineages())
    }
}

/// Writes columns to a file.
fn write(path: &Path, cells: Cells, properties: WriterPropertiesBuilder) {
    let batch = RecordBatch::try_from_iter_with_nullable(cells.into_iter().map(|(name, array)| (name, array, true)));
    let batch = batch.expect("columns of one length");
    let file = File::create(path).expect("writable");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).expect("a schema");
    writer.write(&batch).expect("writable");
    writer.close().expect("writable");
}

/// Returns the properties of a file.
fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
}

/// Reads columns as a table, which must be possible.
fn table(table: Table, cells: Cells) -> ReadTable {
    OneFile::write(cells, properties()).read(table).expect("readable")
}
