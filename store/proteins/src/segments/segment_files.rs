//! The files of a segment that is being written, as the engine reads them.

use std::io::{self, Write};
use std::path::Path;

use store::engine::BuildDirectory;
use tantivy::directory::TerminatingWrite;
use tantivy::fieldnorm::FieldNormsSerializer;
use tantivy::index::SegmentComponent;
use tantivy::postings::InvertedIndexSerializer;
use tantivy::schema::Schema;
use tantivy::store::{Compressor, StoreWriter};
use tantivy::{Directory, Index, IndexMeta, IndexSettings};

/// A fetch reads one block of records, and copies it unless it is mapped.
const RECORD_BLOCK_BYTES: usize = 4096;

/// Reports to the engine the segments of an index.
const META_FILE: &str = "meta.json";

pub(crate) fn index_settings() -> IndexSettings {
    IndexSettings {
        // Records are compact already. Without compression a fetch is ten times as fast, at the
        // same size.
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        docstore_blocksize: RECORD_BLOCK_BYTES,
        ..IndexSettings::default()
    }
}

pub(crate) struct SegmentFiles {
    segment: tantivy::Segment,
    /// The stored documents, which are written as they are added.
    pub(crate) records: StoreWriter,
}

impl SegmentFiles {
    /// Creates an index in an empty folder.
    pub(crate) fn create(folder: &Path, schema: &Schema) -> tantivy::Result<Self> {
        let settings = index_settings();
        let index = Index::create(BuildDirectory::open(folder)?, schema.clone(), settings.clone())?;
        let segment = index.new_segment();
        let records = StoreWriter::new(
            segment.open_write(SegmentComponent::Store)?,
            settings.docstore_compression,
            settings.docstore_blocksize,
            settings.docstore_compress_dedicated_thread,
        )?;
        Ok(Self { segment, records })
    }

    /// Writes the other files, and makes the segment that of the index.
    pub(crate) fn finish(
        self,
        num_docs: u32,
        write_postings: impl FnOnce(&mut InvertedIndexSerializer) -> tantivy::Result<()>,
        write_columns: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> tantivy::Result<()> {
        let Self { segment, records } = self;
        FieldNormsSerializer::from_write(segment.open_write(SegmentComponent::FieldNorms)?)?.close()?;
        let mut postings = InvertedIndexSerializer::open(&segment)?;
        write_postings(&mut postings)?;
        postings.close()?;
        let mut columns = segment.open_write(SegmentComponent::FastFields)?;
        write_columns(&mut columns)?;
        columns.terminate()?;
        records.close()?;
        let segment = segment.with_max_doc(num_docs);
        let index = segment.index();
        let meta = IndexMeta {
            index_settings: index.settings().clone(),
            persisted_custom_extensions: Vec::new(),
            segments: vec![segment.meta().clone()],
            schema: index.schema(),
            opstamp: 0,
            payload: None,
        };
        let mut meta = serde_json::to_vec_pretty(&meta)?;
        meta.push(b'\n');
        Ok(index.directory().atomic_write(Path::new(META_FILE), &meta)?)
    }
}
