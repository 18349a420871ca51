//! The account of the rows of a part of a run.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use indexer::run::{Reason, RejectedRow, Rejection};
use indexer::values::accession;
use indexer::{Error, Result};
use store::durable;

use crate::context::RunContext;
use crate::read::RowOrigin;

use super::rejects::list_path;
use super::tally::Tally;

/// Counts the rows of a part of a run, and lists the bad ones. Without bad rows it writes no list.
pub(crate) struct RowAccount<'a> {
    pub(crate) tally: Tally,
    pub(super) context: &'a RunContext,
    list: PathBuf,
    writer: Option<BufWriter<File>>,
}

impl<'a> RowAccount<'a> {
    /// Starts the account of a part. A list of that part from an earlier run is overwritten.
    pub(crate) fn new(context: &'a RunContext, part: &str) -> Self {
        Self { tally: Tally::default(), context, list: list_path(&context.work, part), writer: None }
    }

    /// Lists a bad row of a file, and counts it. Fails if there are too many.
    pub(crate) fn reject(&mut self, file: u16, row: &RejectedRow) -> Result<()> {
        self.tally.reject(file, row.rejection.reason);
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let file = File::create(&self.list).map_err(Error::io("cannot create", &self.list))?;
                none.insert(BufWriter::new(file))
            }
        };
        // The position instead of the name: a continued run may know the file by another path.
        row.write(writer, &file.to_string()).map_err(Error::io("cannot write", &self.list))?;
        self.context.limit.add_patiently(&self.context.names[usize::from(file)], row)
    }

    /// Rejects a row of a protein, which is shown by its accession.
    pub(crate) fn reject_protein(
        &mut self,
        protein: u64,
        origin: RowOrigin,
        reason: Reason,
        detail: &str,
    ) -> Result<()> {
        let excerpt = accession(protein)?.to_string().into_bytes();
        let row = RejectedRow { line: origin.row(), rejection: Rejection::new(reason, detail), excerpt };
        self.reject(origin.file(), &row)
    }

    /// Returns the numbers, after waiting until the list is on the disk: the journal relies on
    /// that.
    pub(crate) fn finish(mut self) -> Result<Tally> {
        if let Some(writer) = &mut self.writer {
            writer.flush().and_then(|()| writer.get_ref().sync_all()).map_err(Error::io("cannot write", &self.list))?;
            durable::sync(&self.context.work)?;
        }
        Ok(std::mem::take(&mut self.tally))
    }
}

impl Drop for RowAccount<'_> {
    fn drop(&mut self) {
        // A failed run lists the bad rows that it has found.
        if let Some(writer) = &mut self.writer {
            let _ = writer.flush();
        }
    }
}
