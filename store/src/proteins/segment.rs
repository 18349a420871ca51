//! Reading a segment.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::columnar::Column;
use tantivy::directory::MmapDirectory;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::store::StoreReader;
use tantivy::{DocId, Index, InvertedIndexReader, SegmentReader, TantivyDocument};

use crate::accession::{AccessionError, ProteinAccession};
use crate::engine::BuildDirectory;
use crate::record::Record;
use crate::{Error, Result};

use super::ProteinHit;
use super::column::DenseColumn;
use super::contents::SegmentEntry;
use super::packed_hit::PackedHit;
use super::schema::{HIT, LARGE_CLUSTER_SIZE, SCHEMA, SearchTerm};

/// How many blocks of records are kept by the reader for random access: none, since the system's page cache holds them.
const CACHED_BLOCKS: usize = 0;

/// How many documents a block of postings has at most.
const POSTINGS_BLOCK: usize = 128;

/// How files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Mapped into memory, which serves fastest.
    Mapped,
    /// Range by range, so that nothing stays in memory that is not needed; a column is read whole.
    Unmapped,
}

/// An opened segment.
pub(super) struct Segment {
    /// What the manifest says of it.
    pub(super) entry: SegmentEntry,
    /// Its folder.
    pub(super) path: PathBuf,
    /// The engine's reader.
    pub(super) reader: SegmentReader,
    /// The hits, ascending.
    hits: DenseColumn,
    /// The sizes of large clusters.
    large_cluster_sizes: Column,
    /// The terms, for [`SearchTerm::Biome`], [`SearchTerm::Lineage`] and [`SearchTerm::Family`].
    terms: [Arc<InvertedIndexReader>; 3],
    /// The records.
    records: StoreReader,
}

impl Segment {
    /// Opens a segment of a generation.
    pub(super) fn open(generation: &Path, entry: &SegmentEntry, access: Access) -> Result<Self> {
        let path = generation.join(&entry.folder);
        let reader = open_reader(&path, entry, access)?;
        let hits = DenseColumn::open(&reader, HIT).map_err(Error::index(&path))?;
        let large_cluster_sizes = reader.fast_fields().u64(LARGE_CLUSTER_SIZE).map_err(Error::index(&path))?;
        let terms = |field| reader.inverted_index(field).map_err(Error::index(&path));
        let terms = [terms(SCHEMA.biome)?, terms(SCHEMA.lineage)?, terms(SCHEMA.family)?];
        let records = reader.get_store_reader(CACHED_BLOCKS).map_err(Error::index(&path))?;
        Ok(Self { entry: entry.clone(), path, reader, hits, large_cluster_sizes, terms, records })
    }

    /// Returns the highest accession.
    pub(super) fn last(&self) -> ProteinAccession {
        self.entry.last
    }

    /// Appends the first `limit` hits, ascending.
    ///
    /// Walks the postings of the term block by block and stops at `limit`; the column is read for a whole block at once.
    pub(super) fn search(&self, term: SearchTerm, limit: usize, hits: &mut Vec<ProteinHit>) -> Result<()> {
        let terms = self.terms(term);
        let Some(info) = terms.get_term_info(&term.to_term()).map_err(Error::index(&self.path))? else { return Ok(()) };
        let mut postings = terms
            .read_block_postings_from_terminfo(&info, IndexRecordOption::Basic)
            .map_err(Error::index(&self.path))?;
        let mut missing = limit.min(info.doc_freq as usize);
        let mut packed = [0; POSTINGS_BLOCK];
        hits.reserve(missing);
        while missing > 0 && !postings.docs().is_empty() {
            let num_docs = missing.min(postings.docs().len()).min(POSTINGS_BLOCK);
            let (docs, packed) = (&postings.docs()[..num_docs], &mut packed[..num_docs]);
            self.hits.get_all(docs, packed);
            self.unpack(docs, packed, hits)?;
            missing -= num_docs;
            postings.advance();
        }
        Ok(())
    }

    /// Returns the record of a protein.
    pub(super) fn fetch(&self, accession: ProteinAccession) -> Result<Option<Record>> {
        let Some(doc) = self.hits.bisect(accession.number(), |hit| PackedHit(hit).number()) else { return Ok(None) };
        let stored = stored_record(&self.records, doc).map_err(Error::index(&self.path))?;
        Record::decode(accession, &stored).map(Some).map_err(|problem| self.altered(accession, &problem))
    }

    /// Returns the index that has the term's field.
    pub(super) fn terms(&self, term: SearchTerm) -> &InvertedIndexReader {
        match term {
            SearchTerm::Biome(_) => &self.terms[0],
            SearchTerm::Lineage(_) => &self.terms[1],
            SearchTerm::Family(_) => &self.terms[2],
        }
    }

    /// Returns the hit that a document is.
    pub(super) fn hit(&self, doc: DocId) -> Result<ProteinHit> {
        let mut hits = Vec::with_capacity(1);
        self.unpack(&[doc], &[self.hits.get(doc)], &mut hits)?;
        Ok(hits[0])
    }

    /// Returns the first document whose accession is not higher than that of the one before it.
    pub(super) fn first_descent(&self) -> Option<DocId> {
        self.hits.first_descent(|hit| PackedHit(hit).number())
    }

    /// Appends the hits of documents. What is rare is only noticed in the common loop, and looked at apart.
    fn unpack(&self, docs: &[DocId], packed: &[u64], hits: &mut Vec<ProteinHit>) -> Result<()> {
        // They ascend: where the ends are accessions, all are, unless the column is damaged, which `verify` finds.
        if ![packed.first(), packed.last()].into_iter().flatten().all(|&end| PackedHit(end).has_accession()) {
            return Err(self.altered(format_args!("documents {docs:?}"), &AccessionError));
        }
        let start = hits.len();
        let mut any_is_large = false;
        hits.extend(packed.iter().copied().map(PackedHit).map(|packed| {
            any_is_large |= packed.is_large();
            packed.unpack()
        }));
        if any_is_large {
            for ((hit, &packed), &doc) in hits[start..].iter_mut().zip(packed).zip(docs) {
                if PackedHit(packed).is_large() {
                    hit.cluster_size = self.large_cluster_sizes.first(doc).unwrap_or_default();
                }
            }
        }
        Ok(())
    }

    /// Returns the error for a damaged document.
    pub(super) fn altered(&self, what: impl std::fmt::Display, problem: &dyn std::fmt::Display) -> Error {
        Error::Altered { path: self.path.clone(), problem: format!("{what}: {problem}") }
    }
}

/// Opens a segment of the engine and compares its size with what the manifest says.
pub(super) fn open_segment(path: &Path, entry: &SegmentEntry, access: Access) -> Result<tantivy::Segment> {
    let index = match access {
        Access::Mapped => Index::open(MmapDirectory::open(path).map_err(Error::index(path))?),
        Access::Unmapped => Index::open(BuildDirectory::open(path).map_err(Error::index(path))?),
    };
    let mut segments = index.and_then(|index| index.searchable_segments()).map_err(Error::index(path))?;
    let altered = |problem: String| Error::Altered { path: path.to_owned(), problem };
    let (Some(segment), true) = (segments.pop(), segments.is_empty()) else {
        return Err(altered("it is not an index of one segment".to_owned()));
    };
    let meta = segment.meta();
    if meta.max_doc() != entry.num_docs || meta.has_deletes() || entry.num_docs == 0 {
        return Err(altered(format!("it has {} documents, the manifest says {}", meta.max_doc(), entry.num_docs)));
    }
    Ok(segment)
}

/// Opens a reader of a segment.
pub(super) fn open_reader(path: &Path, entry: &SegmentEntry, access: Access) -> Result<SegmentReader> {
    SegmentReader::open(&open_segment(path, entry, access)?).map_err(Error::index(path))
}

/// Returns the bytes of the stored record of a document.
pub(super) fn stored_record(records: &StoreReader, doc: DocId) -> tantivy::Result<Vec<u8>> {
    let document: TantivyDocument = records.get(doc)?;
    let stored = document.get_first(SCHEMA.record).and_then(|value| value.as_bytes().map(<[u8]>::to_vec));
    Ok(stored.unwrap_or_default())
}
