//! Writing one segment in accession order.

use std::fs;
use std::path::{Path, PathBuf};

use tantivy::schema::Schema;
use tantivy::store::Compressor;
use tantivy::{Index, IndexSettings, SingleSegmentIndexWriter, TantivyDocument};

use crate::engine::BuildDirectory;
use crate::{Error, ProteinAccession, Result};

use crate::proteins::contents::SegmentEntry;

/// The most documents of a segment. The engine allows 2^31; smaller segments open and merge with less memory.
pub const SEGMENT_DOCS_MAX: u32 = 20_000_000;

/// A fetch reads one block of records, and without a mapping copies it.
const RECORD_BLOCK_BYTES: usize = 4096;

pub(crate) fn index_settings() -> IndexSettings {
    IndexSettings {
        // Records are compact already. Without compression a fetch is ten times as fast, at the same size.
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        docstore_blocksize: RECORD_BLOCK_BYTES,
        ..IndexSettings::default()
    }
}

/// Writes documents in ascending order of accession into a segment.
///
/// A document id is the rank of its accession in the segment: only ascending documents are accepted, and the single-segment writer
/// of the engine keeps their order.
pub(crate) struct OrderedWriter {
    path: PathBuf,
    /// Relative to the generation.
    folder: String,
    /// The segment is full when it takes this much memory.
    memory_bytes: usize,
    writer: SingleSegmentIndexWriter,
    num_docs: u32,
    /// The first and the last accession.
    ends: Option<(ProteinAccession, ProteinAccession)>,
}

impl OrderedWriter {
    pub(crate) fn create(generation: &Path, folder: &str, schema: &Schema, memory_bytes: usize) -> Result<Self> {
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

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn add(&mut self, accession: ProteinAccession, document: TantivyDocument) -> Result<()> {
        if let Some((_, previous)) = self.ends {
            check_order(previous, accession)?;
        }
        self.writer.add_document(document).map_err(Error::index(&self.path))?;
        self.num_docs += 1;
        self.ends = Some((self.ends.map_or(accession, |(first, _)| first), accession));
        Ok(())
    }

    pub(crate) fn last(&self) -> Option<ProteinAccession> {
        self.ends.map(|(_, last)| last)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.writer.mem_usage() >= self.memory_bytes || self.num_docs >= SEGMENT_DOCS_MAX
    }

    /// Writes what is still in memory. If nothing was added, removes the folder.
    pub(crate) fn finish(self) -> Result<Option<SegmentEntry>> {
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

pub(crate) fn check_order(previous: ProteinAccession, found: ProteinAccession) -> Result<()> {
    if previous < found {
        return Ok(());
    }
    Err(Error::Unordered { previous: previous.number(), found: found.number() })
}
