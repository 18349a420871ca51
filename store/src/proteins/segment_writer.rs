//! Writing a single segment of proteins.

use std::path::Path;

use crate::Result;
use crate::accession::ProteinAccession;
use crate::biomes::BiomeTable;

use super::contents::SegmentEntry;
use super::document::DocumentMaker;
use super::ordered_writer::OrderedWriter;
use super::schema::SCHEMA;

/// Writes one segment of proteins into a draft. Several threads can each write one at the same time;
/// [`super::ProteinsBuilder::adopt`] puts them together.
///
/// A finished segment survives a power cut once [`crate::seal_folder`] has sealed its folder, or the draft was published.
pub struct SegmentWriter {
    segment: OrderedWriter,
    documents: DocumentMaker,
}

impl SegmentWriter {
    /// Creates the folder of a segment in a draft. What is not written yet takes about `memory_bytes`.
    ///
    /// # Errors
    ///
    /// * The folder exists, or cannot be created.
    pub fn create(draft: &Path, folder: &str, memory_bytes: usize) -> Result<Self> {
        let segment = OrderedWriter::create(draft, folder, &SCHEMA.schema, memory_bytes)?;
        Ok(Self { segment, documents: DocumentMaker::default() })
    }

    /// Adds a protein by its stored record, which refers to `biomes`.
    ///
    /// # Errors
    ///
    /// * The accession is not higher than the previous one.
    /// * `record` is not a stored record, or refers to a biome that is not in the table.
    /// * The disk is full or fails.
    pub fn add(&mut self, biomes: &BiomeTable, accession: ProteinAccession, record: &[u8]) -> Result<()> {
        let document = self.documents.make(self.segment.path(), biomes, accession, record)?;
        self.segment.add(accession, document)
    }

    /// Writes what is still in memory, and returns the entry of the segment for the manifest. If nothing was added, the folder is
    /// removed.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    pub fn finish(self) -> Result<Option<SegmentEntry>> {
        self.segment.finish()
    }
}
