//! Writing one segment of proteins on its own.

use std::path::Path;

use crate::Result;
use crate::accession::ProteinAccession;
use crate::biomes::BiomeTable;

use super::contents::SegmentEntry;
use super::document::DocumentMaker;
use super::ordered_writer::OrderedWriter;
use super::schema::SCHEMA;

/// Writes one segment of proteins into a draft. Several threads may each write one at the same time;
/// [`super::ProteinsBuilder::adopt`] puts them together.
///
/// A finished segment outlasts a power cut only once [`crate::seal_folder`] sealed its folder, or the draft was published.
pub struct SegmentWriter {
    /// The segment.
    segment: OrderedWriter,
    /// Makes the documents.
    documents: DocumentMaker,
}

impl SegmentWriter {
    /// Makes the folder of a segment in the folder of a draft. About `memory_bytes` are taken for what is not written yet.
    ///
    /// # Errors
    ///
    /// * The folder exists, or cannot be made.
    pub fn create(draft: &Path, folder: &str, memory_bytes: usize) -> Result<Self> {
        let segment = OrderedWriter::create(draft, folder, &SCHEMA.schema, memory_bytes)?;
        Ok(Self { segment, documents: DocumentMaker::default() })
    }

    /// Adds a protein by its stored record, which refers to `biomes`.
    ///
    /// # Errors
    ///
    /// * The accession is not higher than the one before.
    /// * `record` is not a stored record, or refers to a biome that is not in the table.
    /// * The disk is full or fails.
    pub fn add(&mut self, biomes: &BiomeTable, accession: ProteinAccession, record: &[u8]) -> Result<()> {
        let document = self.documents.make(self.segment.path(), biomes, accession, record)?;
        self.segment.add(accession, document)
    }

    /// Writes what is still in memory and returns what the manifest says of the segment. If nothing was added, the folder is
    /// removed.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    pub fn finish(self) -> Result<Option<SegmentEntry>> {
        self.segment.finish()
    }
}
