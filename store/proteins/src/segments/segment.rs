//! Reading a segment.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use store::engine::BuildDirectory;
use store::{AccessionError, Error, ProteinAccession, Result};
use tantivy::columnar::Column;
use tantivy::directory::{Advice, MmapDirectory};
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, Index, InvertedIndexReader, SegmentReader};

use crate::{Record, RecordParts};

use super::biome_column::BiomeColumn;
use super::column::DenseColumn;
use super::packed_hit::{LARGE_CLUSTER, PackedHit, ProteinHit};
use super::schema::{FAMILY, HIT, LARGE_CLUSTER_SIZE, LENGTH, SCHEMA, SearchTerm};
use super::stored::{RecordBlock, StoredRecords};
use crate::contents::SegmentEntry;
use crate::found_protein::FoundProtein;

/// The most documents of a block of postings.
const POSTINGS_BLOCK: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Memory-mapped: the fastest way to serve.
    Mapped,
    /// Memory-mapped, and nothing is read ahead: for single records at random places.
    MappedSingly,
    /// Range by range, so that nothing stays in memory longer than needed. A column is read as a
    /// whole.
    Unmapped,
}

pub(crate) struct Segment {
    pub(crate) entry: SegmentEntry,
    pub(crate) path: PathBuf,
    /// Packed hits, ascending.
    hits: DenseColumn,
    large_cluster_sizes: Column,
    lengths: DenseColumn,
    pub(crate) biomes: BiomeColumn,
    /// The numbers of the families of each document, ascending.
    pub(crate) families: Column,
    /// By number of field. Fields without terms have `None`.
    terms: Vec<Option<Arc<InvertedIndexReader>>>,
    records: StoredRecords,
}

impl Segment {
    pub(crate) fn open(generation: &Path, entry: &SegmentEntry, access: Access) -> Result<Self> {
        let path = generation.join(&entry.folder);
        let segment = open_segment(&path, entry, access)?;
        let reader = SegmentReader::open(&segment).map_err(Error::index(&path))?;
        if *reader.schema() != SCHEMA.schema {
            return Err(Error::altered(path, "its fields differ from those expected"));
        }
        let hits = DenseColumn::open(&reader, HIT).map_err(Error::index(&path))?;
        let large_cluster_sizes = reader.fast_fields().u64(LARGE_CLUSTER_SIZE).map_err(Error::index(&path))?;
        let lengths = DenseColumn::open(&reader, LENGTH).map_err(Error::index(&path))?;
        let biomes = BiomeColumn::open(&reader).map_err(Error::index(&path))?;
        let families = reader.fast_fields().u64(FAMILY).map_err(Error::index(&path))?;
        let mut terms = vec![None; SCHEMA.schema.num_fields()];
        for field in SCHEMA.term_fields() {
            terms[field.field_id() as usize] = Some(reader.inverted_index(field).map_err(Error::index(&path))?);
        }
        let single = match access {
            Access::Mapped => open_segment(&path, entry, Access::MappedSingly)?,
            Access::MappedSingly | Access::Unmapped => segment.clone(),
        };
        let records = StoredRecords::open(&segment, &single).map_err(Error::index(&path))?;
        let entry = entry.clone();
        Ok(Self { entry, path, hits, large_cluster_sizes, lengths, biomes, families, terms, records })
    }

    /// Appends the first `limit` hits, ascending: walks the postings of the term block by block and
    /// stops at `limit`. The column is read for a whole block at once.
    pub(crate) fn search(&self, term: SearchTerm<'_>, limit: usize, hits: &mut Vec<ProteinHit>) -> Result<()> {
        let Some(mut postings) = self.postings(term)? else { return Ok(()) };
        let mut missing = limit.min(postings.doc_freq() as usize);
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

    /// Returns the postings of a term, with their first block decoded, or `None` if no document has
    /// it.
    pub(crate) fn postings(&self, term: SearchTerm<'_>) -> Result<Option<BlockSegmentPostings>> {
        let terms = self.terms(term.field);
        let Some(info) = terms.get_term_info(&term.to_term()).map_err(Error::index(&self.path))? else {
            return Ok(None);
        };
        let postings = terms.read_block_postings_from_terminfo(&info, IndexRecordOption::Basic);
        postings.map(Some).map_err(Error::index(&self.path))
    }

    pub(crate) fn fetch(&self, accession: ProteinAccession) -> Result<Option<Record>> {
        let Some(doc) = self.find(accession, None) else { return Ok(None) };
        self.record(doc, accession, RecordParts::ALL, &mut None).map(Some)
    }

    /// Decodes parts of the record of a document. The block in which it is stored is read, unless
    /// `block` is that block.
    pub(crate) fn record(
        &self,
        doc: DocId,
        accession: ProteinAccession,
        parts: RecordParts,
        block: &mut Option<RecordBlock>,
    ) -> Result<Record> {
        let stored = self.records.get(doc, block).map_err(Error::index(&self.path))?;
        Record::decode_parts(accession, stored, parts).map_err(|problem| self.altered(accession, problem))
    }

    /// Decodes the residues of a document like [`Segment::record`], and replaces the content of a
    /// buffer with them.
    pub(crate) fn residues(
        &self,
        doc: DocId,
        accession: ProteinAccession,
        block: &mut Option<RecordBlock>,
        sequence: &mut Vec<u8>,
    ) -> Result<()> {
        let stored = self.records.get(doc, block).map_err(Error::index(&self.path))?;
        Record::decode_residues(accession, stored, sequence).map_err(|problem| self.altered(accession, problem))
    }

    /// Finds the document of an accession, and quickly if it follows closely after the previous
    /// one.
    pub(crate) fn find(&self, accession: ProteinAccession, previous: Option<DocId>) -> Option<DocId> {
        self.hits.find(accession.number(), previous, |hit| PackedHit(hit).number())
    }

    /// Returns the first document whose accession is not lower than this, or the number of
    /// documents.
    pub(crate) fn first_from(&self, accession: ProteinAccession) -> DocId {
        self.hits.first_from(accession.number(), |hit| PackedHit(hit).number())
    }

    /// Returns the terms of a field, which must be one of [`ProteinSchema::term_fields`].
    ///
    /// [`ProteinSchema::term_fields`]: super::schema::ProteinSchema::term_fields
    pub(crate) fn terms(&self, field: Field) -> &InvertedIndexReader {
        self.terms[field.field_id() as usize].as_deref().expect("the field has terms")
    }

    pub(crate) fn hit(&self, doc: DocId) -> Result<ProteinHit> {
        let mut hits = Vec::with_capacity(1);
        self.unpack(&[doc], &[self.hits.get(doc)], &mut hits)?;
        Ok(hits[0])
    }

    /// Appends the hits of some documents.
    pub(crate) fn found(&self, docs: &[DocId], found: &mut Vec<FoundProtein>) -> Result<()> {
        let mut values = vec![0; docs.len()];
        self.hits.get_all(docs, &mut values);
        let mut hits = Vec::with_capacity(docs.len());
        self.unpack(docs, &values, &mut hits)?;
        self.lengths.get_all(docs, &mut values);
        found.extend(hits.into_iter().zip(values).map(|(hit, length)| {
            let ProteinHit { accession, full_length, cluster_size } = hit;
            FoundProtein { accession, length, full_length, cluster_size }
        }));
        Ok(())
    }

    /// Returns the number of residues of a document.
    pub(crate) fn length(&self, doc: DocId) -> u64 {
        self.lengths.get(doc)
    }

    /// Returns the first document whose accession is not higher than that of the one before it.
    pub(crate) fn first_descent(&self) -> Option<DocId> {
        self.hits.first_descent(|hit| PackedHit(hit).number())
    }

    /// Fills `facts` with the completeness of as many documents.
    pub(crate) fn completeness(&self, docs: &[DocId], facts: &mut Vec<Option<bool>>) {
        let mut packed = vec![0; docs.len()];
        self.hits.get_all(docs, &mut packed);
        facts.clear();
        facts.extend(packed.into_iter().map(|packed| PackedHit(packed).unpack().full_length));
    }

    /// Appends the hits of documents. Large clusters are rare: the loop only notices them, and
    /// their sizes are filled in afterwards.
    fn unpack(&self, docs: &[DocId], packed: &[u64], hits: &mut Vec<ProteinHit>) -> Result<()> {
        // The values ascend: if the first and the last are accessions, all are, unless the column
        // is damaged, which `verify` finds.
        if ![packed.first(), packed.last()].into_iter().flatten().all(|&end| PackedHit(end).has_accession()) {
            return Err(self.altered(format_args!("documents {docs:?}"), AccessionError));
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

    pub(crate) fn altered(&self, what: impl std::fmt::Display, problem: impl std::fmt::Display) -> Error {
        Error::altered(&self.path, format!("{what}: {problem}"))
    }
}

/// Reads a number of each document.
#[derive(Clone, Copy)]
pub(crate) enum NumberColumn<'a> {
    Sizes(&'a Segment),
    Lengths(&'a Segment),
}

impl<'a> NumberColumn<'a> {
    pub(crate) fn segment(self) -> &'a Segment {
        let (Self::Sizes(segment) | Self::Lengths(segment)) = self;
        segment
    }

    pub(crate) fn get(self, doc: DocId) -> u64 {
        let mut value = [0];
        self.get_all(&[doc], &mut value);
        value[0]
    }

    pub(crate) fn get_all(self, docs: &[DocId], values: &mut [u64]) {
        match self {
            Self::Lengths(segment) => segment.lengths.get_all(docs, values),
            Self::Sizes(segment) => {
                segment.hits.get_all(docs, values);
                for (value, &doc) in values.iter_mut().zip(docs) {
                    *value = match PackedHit(*value).unpack().cluster_size {
                        LARGE_CLUSTER => segment.large_cluster_sizes.first(doc).unwrap_or_default(),
                        size => size,
                    };
                }
            }
        }
    }
}

/// Opens a segment of the engine and compares its size with the manifest.
pub(crate) fn open_segment(path: &Path, entry: &SegmentEntry, access: Access) -> Result<tantivy::Segment> {
    let index = match access {
        Access::Mapped => MmapDirectory::open(path).map(Index::open),
        Access::MappedSingly => MmapDirectory::open_with_madvice(path, Advice::Random).map(Index::open),
        Access::Unmapped => BuildDirectory::open(path).map(Index::open),
    };
    let index = index.map_err(Error::index(path))?;
    let mut segments = index.and_then(|index| index.searchable_segments()).map_err(Error::index(path))?;
    let (Some(segment), true) = (segments.pop(), segments.is_empty()) else {
        return Err(Error::altered(path, "it is not an index of one segment"));
    };
    let meta = segment.meta();
    if meta.max_doc() != entry.num_docs || meta.has_deletes() || entry.num_docs == 0 {
        let (found, expected) = (meta.max_doc(), entry.num_docs);
        return Err(Error::altered(path, format!("it has {found} documents, the manifest says {expected}")));
    }
    Ok(segment)
}

pub(crate) fn open_reader(path: &Path, entry: &SegmentEntry, access: Access) -> Result<SegmentReader> {
    SegmentReader::open(&open_segment(path, entry, access)?).map_err(Error::index(path))
}
