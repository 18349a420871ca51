//! Writing as many segments as the memory needs, one after the other.

use std::path::{Path, PathBuf};

use tantivy::TantivyDocument;
use tantivy::schema::Schema;

use crate::accession::ProteinAccession;
use crate::{Error, Result};

use super::contents::SegmentEntry;
use super::ordered_writer::{OrderedWriter, check_order};

/// Writes documents in ascending order of accession into segments, the next of which begins when one is full.
pub(super) struct SegmentSeries {
    /// The folder of the generation.
    generation: PathBuf,
    /// What the folders of the segments are called.
    prefix: &'static str,
    /// The fields of a document.
    schema: Schema,
    /// How much memory the segment that is being written may take.
    memory_bytes: usize,
    /// The segment that is being written.
    open: Option<OrderedWriter>,
    /// The segments that are written.
    done: Vec<SegmentEntry>,
}

impl SegmentSeries {
    /// Starts a series; nothing is written yet.
    pub(super) fn new(generation: &Path, prefix: &'static str, schema: &Schema, memory_bytes: usize) -> Self {
        let generation = generation.to_owned();
        Self { generation, prefix, schema: schema.clone(), memory_bytes, open: None, done: Vec::new() }
    }

    /// Adds the document of an accession that is higher than all before.
    pub(super) fn add(&mut self, accession: ProteinAccession, document: TantivyDocument) -> Result<()> {
        let open = match &mut self.open {
            Some(open) => open,
            empty => {
                if let Some(done) = self.done.last() {
                    check_order(done.last, accession)?;
                }
                let folder = next_folder(&self.generation, self.prefix, self.done.len())?;
                empty.insert(OrderedWriter::create(&self.generation, &folder, &self.schema, self.memory_bytes)?)
            }
        };
        open.add(accession, document)?;
        if open.is_full() { self.flush() } else { Ok(()) }
    }

    /// Takes over a segment that is written already; its accessions are higher than all before.
    pub(super) fn adopt(&mut self, entry: SegmentEntry) -> Result<()> {
        let previous = self.open.as_ref().and_then(OrderedWriter::last).or(self.done.last().map(|done| done.last));
        if let Some(previous) = previous {
            check_order(previous, entry.first)?;
        }
        self.flush()?;
        self.done.push(entry);
        Ok(())
    }

    /// Writes what is still in memory.
    pub(super) fn flush(&mut self) -> Result<()> {
        if let Some(open) = self.open.take() {
            self.done.extend(open.finish()?);
        }
        Ok(())
    }

    /// Writes what is still in memory and returns all segments.
    pub(super) fn finish(mut self) -> Result<Vec<SegmentEntry>> {
        self.flush()?;
        Ok(self.done)
    }
}

/// Returns the folder of the next segment: numbered, and not that of a segment that was adopted or waits for it.
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
