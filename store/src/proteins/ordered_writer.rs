//! Writing one segment in accession order.

use std::fs;
use std::path::{Path, PathBuf};

use tantivy::schema::Schema;
use tantivy::store::Compressor;
use tantivy::{Index, IndexSettings, SingleSegmentIndexWriter, TantivyDocument};

use crate::accession::ProteinAccession;
use crate::engine::BuildDirectory;
use crate::{Error, Result};

use super::contents::SegmentEntry;

/// The most documents of a segment. The engine could number 2^31; smaller segments open and merge with less memory.
pub const SEGMENT_DOCS_MAX: u32 = 20_000_000;

/// How many bytes of records stand in one block. A fetch copies one block.
const RECORD_BLOCK_BYTES: usize = 4096;

/// Returns how the engine stores every segment.
pub(super) fn index_settings() -> IndexSettings {
    IndexSettings {
        // Records are compact already: without a second compression a fetch is ten times faster at the same size.
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        docstore_blocksize: RECORD_BLOCK_BYTES,
        ..IndexSettings::default()
    }
}

/// Writes documents in ascending order of accession into a segment.
///
/// A document id is the rank of the accession in its segment by construction: documents are refused unless they ascend, and the
/// engine's single-segment writer keeps their order.
pub(super) struct OrderedWriter {
    /// The folder of the segment.
    path: PathBuf,
    /// The folder inside the generation.
    folder: String,
    /// How much memory the segment may take before it is full.
    memory_bytes: usize,
    /// The engine's writer.
    writer: SingleSegmentIndexWriter,
    /// The number of documents.
    num_docs: u32,
    /// The accessions of the first and the last document.
    ends: Option<(ProteinAccession, ProteinAccession)>,
}

impl OrderedWriter {
    /// Makes the folder of the segment.
    pub(super) fn create(generation: &Path, folder: &str, schema: &Schema, memory_bytes: usize) -> Result<Self> {
        let path = generation.join(folder);
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        let directory = BuildDirectory::open(&path).map_err(Error::index(&path))?;
        let writer = Index::builder()
            .schema(schema.clone())
            .settings(index_settings())
            .single_segment_index_writer(directory, memory_bytes)
            .map_err(Error::index(&path))?;
        Ok(Self { path, folder: folder.to_owned(), memory_bytes, writer, num_docs: 0, ends: None })
    }

    /// Returns the folder of the segment.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the document of an accession that is higher than all before.
    pub(super) fn add(&mut self, accession: ProteinAccession, document: TantivyDocument) -> Result<()> {
        if let Some((_, previous)) = self.ends {
            check_order(previous, accession)?;
        }
        self.writer.add_document(document).map_err(Error::index(&self.path))?;
        self.num_docs += 1;
        self.ends = Some((self.ends.map_or(accession, |(first, _)| first), accession));
        Ok(())
    }

    /// Returns the accession of the last document.
    pub(super) fn last(&self) -> Option<ProteinAccession> {
        self.ends.map(|(_, last)| last)
    }

    /// Returns about how much memory the segment takes.
    pub(super) fn memory_used_bytes(&self) -> usize {
        self.writer.mem_usage()
    }

    /// Tells whether the segment should be finished.
    pub(super) fn is_full(&self) -> bool {
        self.memory_used_bytes() >= self.memory_bytes || self.num_docs >= SEGMENT_DOCS_MAX
    }

    /// Writes what is still in memory, or removes the folder if nothing was added.
    pub(super) fn finish(self) -> Result<Option<SegmentEntry>> {
        let Self { path, folder, writer, num_docs, ends, .. } = self;
        let Some((first, last)) = ends else {
            drop(writer);
            fs::remove_dir_all(&path).map_err(Error::io("cannot remove", &path))?;
            return Ok(None);
        };
        writer.finalize().map_err(Error::index(&path))?;
        Ok(Some(SegmentEntry { folder, num_docs, first, last }))
    }
}

/// Refuses an accession that is not higher than the one before.
pub(super) fn check_order(previous: ProteinAccession, found: ProteinAccession) -> Result<()> {
    if previous < found {
        return Ok(());
    }
    Err(Error::Unordered { previous: previous.number(), found: found.number() })
}
