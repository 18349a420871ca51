//! Writing the index of a generation.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

use tantivy::indexer::{IndexWriterOptions, NoMergePolicy, UserOperation};
use tantivy::store::Compressor;
use tantivy::{Index, IndexSettings, IndexWriter, TantivyDocument};

use super::contents::INDEX;
use super::schema::{SCHEMA, WORDS, indexed_words};
use crate::engine::BuildDirectory;
use crate::{Error, Result};

/// The least and the most memory that the engine takes for its terms, in bytes.
const MEMORY_BYTES: std::ops::RangeInclusive<usize> = 16_000_000..=4_000_000_000;

/// How many documents are given to the engine at once: its thread is woken for each time.
const BATCH_DOCS: usize = 128;

/// Takes documents in the order of their ordinals.
///
/// The engine indexes them on one thread of its own, so that they stay in order, and begins a new segment when its memory is full.
pub(super) struct CatalogueIndexWriter {
    /// The folder of the index.
    path: PathBuf,
    /// The engine's writer.
    writer: IndexWriter<TantivyDocument>,
    /// The documents that the engine does not have yet.
    batch: Vec<UserOperation<TantivyDocument>>,
}

impl CatalogueIndexWriter {
    /// Makes an empty index in the folder of a draft.
    pub(super) fn create(draft: &Path, memory_bytes: usize) -> Result<Self> {
        let path = draft.join(INDEX);
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        let writer = create_writer(&path, memory_bytes).map_err(Error::index(&path))?;
        Ok(Self { path, writer, batch: Vec::new() })
    }

    /// Adds the document of the next ordinal.
    pub(super) fn add(&mut self, document: TantivyDocument) -> Result<()> {
        self.batch.push(UserOperation::Add(document));
        if self.batch.len() < BATCH_DOCS { Ok(()) } else { self.hand_over() }
    }

    /// Gives the engine what it does not have yet.
    fn hand_over(&mut self) -> Result<()> {
        self.writer.run(mem::take(&mut self.batch)).map(|_| ()).map_err(Error::index(&self.path))
    }

    /// Writes what is still in memory, and goes on with another segment.
    #[cfg(test)]
    pub(super) fn begin_segment(&mut self) {
        self.hand_over()
            .and_then(|()| self.writer.commit().map_err(Error::index(&self.path)))
            .expect("room on the disk");
    }

    /// Writes what is still in memory.
    pub(super) fn finish(mut self) -> Result<()> {
        self.hand_over()?;
        let Self { path, mut writer, .. } = self;
        writer.commit().map_err(Error::index(&path))?;
        writer.wait_merging_threads().map_err(Error::index(&path))
    }
}

/// Makes an empty index and starts the engine's thread.
fn create_writer(path: &Path, memory_bytes: usize) -> tantivy::Result<IndexWriter<TantivyDocument>> {
    let settings = IndexSettings {
        // Nothing is stored in it.
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    let index = Index::create(BuildDirectory::open(path)?, SCHEMA.schema.clone(), settings)?;
    index.tokenizers().register(WORDS, indexed_words());
    let options = IndexWriterOptions::builder()
        .num_worker_threads(1)
        .num_merge_threads(1)
        .memory_budget_per_thread(memory_bytes.clamp(*MEMORY_BYTES.start(), *MEMORY_BYTES.end()))
        .build();
    let writer = index.writer_with_options(options)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    Ok(writer)
}
