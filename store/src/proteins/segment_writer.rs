//! Writing segments in accession order.

use std::fs;
use std::path::{Path, PathBuf};

use tantivy::directory::MmapDirectory;
use tantivy::schema::Schema;
use tantivy::store::Compressor;
use tantivy::{Index, IndexSettings, SingleSegmentIndexWriter, TantivyDocument};

use crate::accession::ProteinAccession;
use crate::{Error, Result};

use super::contents::SegmentEntry;

/// The most documents of a segment. The engine could number 2^31; smaller segments open and merge with less memory.
const DOCS_MAX: u32 = 20_000_000;

/// How many bytes of records stand in one block. A fetch copies one block.
const RECORD_BLOCK_BYTES: usize = 4096;

/// Writes documents in ascending order of accession into as many segments as the memory needs.
///
/// A document id is the rank of the accession in its segment by construction: documents are refused unless they ascend, and the
/// engine's single-segment writer keeps their order.
pub(super) struct SegmentSeries {
    /// The folder of the generation.
    generation: PathBuf,
    /// What the folders of the segments are called.
    prefix: &'static str,
    /// The fields of a document.
    schema: Schema,
    /// How much memory the segment that is being written may take.
    memory_bytes: usize,
    /// The segment that is being written, in a box since it is taken out for each document.
    open: Option<Box<OpenSegment>>,
    /// The segments that are written.
    done: Vec<SegmentEntry>,
}

/// A segment that is being written.
struct OpenSegment {
    /// The engine's writer.
    writer: SingleSegmentIndexWriter,
    /// What the manifest will say.
    entry: SegmentEntry,
}

impl SegmentSeries {
    /// Starts a series; nothing is written yet.
    pub(super) fn new(generation: &Path, prefix: &'static str, schema: &Schema, memory_bytes: usize) -> Self {
        let generation = generation.to_owned();
        Self { generation, prefix, schema: schema.clone(), memory_bytes, open: None, done: Vec::new() }
    }

    /// Adds the document of an accession that is higher than all before.
    pub(super) fn add(&mut self, accession: ProteinAccession, document: TantivyDocument) -> Result<()> {
        let previous = self.open.as_ref().map(|open| &open.entry).or(self.done.last()).map(|entry| entry.last);
        if let Some(previous) = previous
            && previous >= accession
        {
            return Err(Error::Unordered { previous: previous.number(), found: accession.number() });
        }
        let mut open = match self.open.take() {
            Some(open) => open,
            None => Box::new(self.create(accession)?),
        };
        let OpenSegment { writer, entry } = &mut *open;
        writer.add_document(document).map_err(|error| Error::index(&self.generation.join(&entry.folder))(error))?;
        entry.num_docs += 1;
        entry.last = accession;
        let is_full = writer.mem_usage() >= self.memory_bytes || entry.num_docs >= DOCS_MAX;
        self.open = Some(open);
        if is_full { self.flush() } else { Ok(()) }
    }

    /// Writes what is still in memory.
    pub(super) fn flush(&mut self) -> Result<()> {
        if let Some(open) = self.open.take() {
            let OpenSegment { writer, entry } = *open;
            writer.finalize().map_err(|error| Error::index(&self.generation.join(&entry.folder))(error))?;
            self.done.push(entry);
        }
        Ok(())
    }

    /// Writes what is still in memory and returns all segments.
    pub(super) fn finish(mut self) -> Result<Vec<SegmentEntry>> {
        self.flush()?;
        Ok(self.done)
    }

    /// Makes the folder of the next segment.
    fn create(&self, first: ProteinAccession) -> Result<OpenSegment> {
        let folder = format!("{}-{:05}", self.prefix, self.done.len());
        let path = self.generation.join(&folder);
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        let directory = MmapDirectory::open(&path).map_err(Error::index(&path))?;
        let settings = IndexSettings {
            // Records are compact already: without a second compression a fetch is ten times faster at the same size.
            docstore_compression: Compressor::None,
            docstore_compress_dedicated_thread: false,
            docstore_blocksize: RECORD_BLOCK_BYTES,
            ..IndexSettings::default()
        };
        let writer = Index::builder()
            .schema(self.schema.clone())
            .settings(settings)
            .single_segment_index_writer(directory, self.memory_bytes)
            .map_err(Error::index(&path))?;
        Ok(OpenSegment { writer, entry: SegmentEntry { folder, num_docs: 0, first, last: first } })
    }
}
