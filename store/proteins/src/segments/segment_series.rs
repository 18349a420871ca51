//! Writing a series of segments, each as large as the memory allows.

use std::path::{Path, PathBuf};

use store::{Error, ProteinAccession, Result};
use tantivy::schema::Schema;

use super::ordered_writer::{NewDocument, OrderedWriter, check_order};
use crate::contents::SegmentEntry;

/// Writes documents in ascending order of accession, and begins another segment when one is full.
pub(crate) struct SegmentSeries {
    generation: PathBuf,
    /// The folder names of the segments begin with it.
    prefix: String,
    /// The number of segments with other prefixes.
    num_before: usize,
    schema: Schema,
    memory_bytes: usize,
    open: Option<OrderedWriter>,
    done: Vec<SegmentEntry>,
}

impl SegmentSeries {
    pub(crate) fn new(generation: &Path, prefix: &str, schema: &Schema, memory_bytes: usize) -> Self {
        let generation = generation.to_owned();
        let prefix = prefix.to_owned();
        Self { generation, prefix, schema: schema.clone(), memory_bytes, open: None, done: Vec::new(), num_before: 0 }
    }

    /// Adds a document as [`OrderedWriter::add`] does.
    pub(crate) fn add(
        &mut self,
        accession: ProteinAccession,
        record: Option<&[u8]>,
        fill: impl FnOnce(&mut NewDocument<'_>),
    ) -> Result<()> {
        let open = match &mut self.open {
            Some(open) => open,
            empty => {
                if let Some(done) = self.done.last() {
                    check_order(done.last, accession)?;
                }
                let folder = next_folder(&self.generation, &self.prefix, self.done.len() - self.num_before)?;
                empty.insert(OrderedWriter::create(&self.generation, &folder, &self.schema, self.memory_bytes)?)
            }
        };
        open.add(accession, record, fill)?;
        if open.is_full() { self.flush() } else { Ok(()) }
    }

    /// Adopts a segment that was written elsewhere. Its accessions must be higher than all previous
    /// ones.
    pub(crate) fn adopt(&mut self, entry: SegmentEntry) -> Result<()> {
        let previous = self.open.as_ref().and_then(OrderedWriter::last).or(self.done.last().map(|done| done.last));
        if let Some(previous) = previous {
            check_order(previous, entry.first)?;
        }
        self.flush()?;
        self.done.push(entry);
        Ok(())
    }

    /// Ends the segment that is being written. The folder names of the next ones begin with another
    /// prefix.
    pub(crate) fn begin_folder(&mut self, prefix: String) -> Result<()> {
        self.flush()?;
        (self.prefix, self.num_before) = (prefix, self.done.len());
        Ok(())
    }

    /// Returns the segments that are complete.
    pub(crate) fn done(&self) -> &[SegmentEntry] {
        &self.done
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        if let Some(open) = self.open.take() {
            self.done.extend(open.finish()?);
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Vec<SegmentEntry>> {
        self.flush()?;
        Ok(self.done)
    }
}

/// Returns a numbered folder that does not exist yet: adopted segments have some of the numbers.
fn next_folder(generation: &Path, prefix: &str, mut number: usize) -> Result<String> {
    loop {
        let folder = format!("{prefix}-{number:05}");
        let path = generation.join(&folder);
        if !path.try_exists().map_err(Error::io("cannot read", &path))? {
            return Ok(folder);
        }
        number += 1;
    }
}
