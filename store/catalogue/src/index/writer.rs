//! Writing the index of a generation.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

use store::engine::BuildDirectory;
use store::{Error, Result};
use tantivy::indexer::{IndexWriterOptions, NoMergePolicy, UserOperation};
use tantivy::store::Compressor;
use tantivy::{Index, IndexSettings, IndexWriter, TantivyDocument};

use super::schema::{SCHEMA, WORDS, indexed_words};
use crate::contents::INDEX;

const MEMORY_BYTES: std::ops::RangeInclusive<usize> = 16_000_000..=4_000_000_000;

/// The number of documents of a batch for the engine: each batch wakes its thread.
const BATCH_DOCS: usize = 128;

/// Accepts documents in the order of their ordinals.
///
/// The engine indexes them on one thread, which keeps their order, and begins a new segment when
/// its memory is full.
pub(crate) struct CatalogueIndexWriter {
    path: PathBuf,
    writer: IndexWriter<TantivyDocument>,
    batch: Vec<UserOperation<TantivyDocument>>,
}

impl CatalogueIndexWriter {
    pub(crate) fn create(draft: &Path, memory_bytes: usize) -> Result<Self> {
        let path = draft.join(INDEX);
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        let writer = create_writer(&path, memory_bytes).map_err(Error::index(&path))?;
        Ok(Self { path, writer, batch: Vec::new() })
    }

    pub(crate) fn add(&mut self, document: TantivyDocument) -> Result<()> {
        self.batch.push(UserOperation::Add(document));
        if self.batch.len() < BATCH_DOCS { Ok(()) } else { self.send_batch() }
    }

    fn send_batch(&mut self) -> Result<()> {
        self.writer.run(mem::take(&mut self.batch)).map(|_| ()).map_err(Error::index(&self.path))
    }

    #[cfg(test)]
    pub(crate) fn begin_segment(&mut self) {
        self.send_batch()
            .and_then(|()| self.writer.commit().map_err(Error::index(&self.path)))
            .expect("room on the disk");
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        self.send_batch()?;
        let Self { path, mut writer, .. } = self;
        writer.commit().map_err(Error::index(&path))?;
        writer.wait_merging_threads().map_err(Error::index(&path))
    }
}

fn create_writer(path: &Path, memory_bytes: usize) -> tantivy::Result<IndexWriter<TantivyDocument>> {
    let settings = IndexSettings {
        // The field stores nothing.
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
