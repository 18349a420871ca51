//! Reading a segment.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::MmapDirectory;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::store::StoreReader;
use tantivy::{DocId, Index, InvertedIndexReader, SegmentReader, TantivyDocument};

use crate::accession::ProteinAccession;
use crate::record::{Record, unpack_facts};
use crate::{Error, Result};

use super::ProteinHit;
use super::column::DenseColumn;
use super::contents::SegmentEntry;
use super::schema::{ACCESSION, FACTS, SCHEMA, SearchTerm};

/// How many blocks of records are kept by the reader for random access: none, since the system's page cache holds them.
const CACHED_BLOCKS: usize = 0;

/// An opened segment.
pub(super) struct Segment {
    /// What the manifest says of it.
    pub(super) entry: SegmentEntry,
    /// Its folder.
    pub(super) path: PathBuf,
    /// The engine's reader.
    pub(super) reader: SegmentReader,
    /// The accessions, ascending.
    pub(super) accessions: DenseColumn,
    /// What a hit shows beside its accession.
    pub(super) facts: DenseColumn,
    /// The terms, for [`SearchTerm::Biome`], [`SearchTerm::Lineage`] and [`SearchTerm::Family`].
    terms: [Arc<InvertedIndexReader>; 3],
    /// The records.
    records: StoreReader,
}

impl Segment {
    /// Opens a segment of a generation.
    pub(super) fn open(generation: &Path, entry: &SegmentEntry) -> Result<Self> {
        let path = generation.join(&entry.folder);
        let reader = open_reader(&path)?;
        if reader.max_doc() != entry.num_docs || reader.has_deletes() {
            let problem = format!("it has {} documents, the manifest says {}", reader.max_doc(), entry.num_docs);
            return Err(Error::Altered { path, problem });
        }
        let accessions = DenseColumn::open(&reader, ACCESSION).map_err(Error::index(&path))?;
        let facts = DenseColumn::open(&reader, FACTS).map_err(Error::index(&path))?;
        let terms = |field| reader.inverted_index(field).map_err(Error::index(&path));
        let terms = [terms(SCHEMA.biome)?, terms(SCHEMA.lineage)?, terms(SCHEMA.family)?];
        let records = reader.get_store_reader(CACHED_BLOCKS).map_err(Error::index(&path))?;
        Ok(Self { entry: entry.clone(), path, reader, accessions, facts, terms, records })
    }

    /// Returns the highest accession.
    pub(super) fn last(&self) -> ProteinAccession {
        self.entry.last
    }

    /// Appends the first `limit` hits, ascending.
    ///
    /// Walks the postings of the term block by block and stops at `limit`; the columns are read for a whole block at once.
    pub(super) fn search(&self, term: SearchTerm, limit: usize, hits: &mut Vec<ProteinHit>) -> Result<()> {
        let terms = self.terms(term);
        let Some(info) = terms.get_term_info(&term.to_term()).map_err(Error::index(&self.path))? else { return Ok(()) };
        let mut postings = terms
            .read_block_postings_from_terminfo(&info, IndexRecordOption::Basic)
            .map_err(Error::index(&self.path))?;
        let mut missing = limit.min(info.doc_freq as usize);
        hits.reserve(missing);
        while missing > 0 && !postings.docs().is_empty() {
            let docs = &postings.docs()[..missing.min(postings.docs().len())];
            let accessions = self.accessions.get_all(docs);
            let facts = self.facts.get_all(docs);
            for (accession, facts) in accessions.into_iter().zip(facts) {
                let (full_length, cluster_size) = unpack_facts(facts);
                hits.push(ProteinHit { accession: self.accession(accession)?, full_length, cluster_size });
            }
            missing -= docs.len();
            postings.advance();
        }
        Ok(())
    }

    /// Returns the record of a protein.
    pub(super) fn fetch(&self, accession: ProteinAccession) -> Result<Option<Record>> {
        let Some(doc) = self.accessions.bisect(accession.number()) else { return Ok(None) };
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

    /// Returns a number of the accession column as an accession.
    pub(super) fn accession(&self, number: u64) -> Result<ProteinAccession> {
        ProteinAccession::new(number).map_err(|error| self.altered(number, &error))
    }

    /// Returns the error for a damaged document.
    pub(super) fn altered(&self, what: impl std::fmt::Display, problem: &dyn std::fmt::Display) -> Error {
        Error::Altered { path: self.path.clone(), problem: format!("{what}: {problem}") }
    }
}

/// Opens the only segment of the index in a folder.
pub(super) fn open_reader(path: &Path) -> Result<SegmentReader> {
    let directory = MmapDirectory::open(path).map_err(Error::index(path))?;
    let index = Index::open(directory).map_err(Error::index(path))?;
    let segments = index.searchable_segments().map_err(Error::index(path))?;
    let [segment] = segments.as_slice() else {
        let problem = format!("expected one segment, found {}", segments.len());
        return Err(Error::Altered { path: path.to_owned(), problem });
    };
    SegmentReader::open(segment).map_err(Error::index(path))
}

/// Returns the bytes of the stored record of a document.
pub(super) fn stored_record(records: &StoreReader, doc: DocId) -> tantivy::Result<Vec<u8>> {
    let document: TantivyDocument = records.get(doc)?;
    let stored = document.get_first(SCHEMA.record).and_then(|value| value.as_bytes().map(<[u8]>::to_vec));
    Ok(stored.unwrap_or_default())
}
