//! Checks of a generation: a quick one before it is published, and a full one.

use std::collections::HashMap;
use std::path::Path;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::families::PfamAccession;
use crate::record::Record;
use crate::{Error, Result};

use super::ProteinData;
use super::contents::ProteinContents;
use super::protein::Protein;
use super::schema::SearchTerm;
use super::segment::{Segment, stored_record};

/// How many records of each segment are read back before it is published.
const SAMPLES: u32 = 256;

/// How many blocks of records a walk through all of them keeps: the one it is in.
const WALK_CACHED_BLOCKS: usize = 1;

/// What a full check has compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Records that were read whole.
    pub num_records: u64,
    /// Replaced accessions.
    pub num_replacements: u64,
    /// Terms whose postings were compared with the records.
    pub num_terms: u64,
}

/// The documents of a term in brief: equal lists have equal digests, and different ones practically never.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct PostingsDigest {
    /// The number of documents.
    num_docs: u32,
    /// A hash over the document ids in order.
    hash: u64,
}

impl PostingsDigest {
    /// Takes in the next document.
    fn add(&mut self, doc: DocId) {
        self.num_docs += 1;
        self.hash = (self.hash ^ u64::from(doc)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

impl ProteinData {
    /// Checks order, counts, and a sample of records and the searches that find them.
    pub(super) fn check(&self, path: &Path, contents: &ProteinContents) -> Result<()> {
        self.check_order(path, contents)?;
        for segment in &self.segments {
            let num_docs = segment.entry.num_docs;
            let step = num_docs.div_ceil(SAMPLES).max(1);
            for doc in (0..num_docs).step_by(step as usize).chain([num_docs - 1]) {
                let accession = segment.hit(doc)?.accession;
                let record = self.fetch(accession)?.ok_or_else(|| segment.altered(accession, &"not found"))?;
                for term in self.terms_of(&record) {
                    if !contains(segment, term, doc)? {
                        return Err(segment.altered(accession, &format_args!("not found by {term:?}")));
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares everything with everything.
    pub(super) fn verify(&self, path: &Path, contents: &ProteinContents) -> Result<Verification> {
        self.check_order(path, contents)?;
        let mut verification =
            Verification { num_replacements: contents.num_replacements(), ..Verification::default() };
        for segment in &self.segments {
            let expected = self.verify_records(segment)?;
            verification.num_records += u64::from(segment.entry.num_docs);
            verification.num_terms += expected.len() as u64;
            verify_terms(segment, expected)?;
        }
        Ok(verification)
    }

    /// Checks that accessions ascend inside and between segments and are those that the manifest names.
    fn check_order(&self, path: &Path, contents: &ProteinContents) -> Result<()> {
        let altered = |problem: String| Error::Altered { path: path.to_owned(), problem };
        if !contents.segments.is_sorted_by(|left, right| left.last < right.first) {
            return Err(altered("segments overlap or are out of order".to_owned()));
        }
        for segment in &self.segments {
            if let Some(doc) = segment.first_descent() {
                return Err(segment.altered(format_args!("document {doc}"), &"accessions do not ascend"));
            }
            let (first, last) = (segment.hit(0)?.accession, segment.hit(segment.entry.num_docs - 1)?.accession);
            if (first, last) != (segment.entry.first, segment.entry.last) {
                return Err(segment.altered("ends", &format_args!("{first} and {last} are not those of the manifest")));
            }
        }
        if self.replacements.ascend() { Ok(()) } else { Err(altered("replaced accessions do not ascend".to_owned())) }
    }

    /// Reads all records of a segment, compares them with the columns, and returns what the postings of each term must be.
    fn verify_records(&self, segment: &Segment) -> Result<HashMap<SearchTerm, PostingsDigest>> {
        let records = segment.reader.get_store_reader(WALK_CACHED_BLOCKS).map_err(Error::index(&segment.path))?;
        let mut digests: HashMap<SearchTerm, PostingsDigest> = HashMap::new();
        for doc in 0..segment.entry.num_docs {
            let hit = segment.hit(doc)?;
            let accession = hit.accession;
            let stored = stored_record(&records, doc).map_err(Error::index(&segment.path))?;
            let record = Record::decode(accession, &stored).map_err(|error| segment.altered(accession, &error))?;
            if (hit.full_length, hit.cluster_size) != (record.full_length, record.cluster_size) {
                return Err(segment.altered(accession, &"the hit differs from the record"));
            }
            for term in self.terms_of(&record) {
                digests.entry(term).or_default().add(doc);
            }
            Protein::resolve(accession, record, &self.biomes, &self.families)
                .map_err(|error| segment.altered(accession, &error))?;
        }
        Ok(digests)
    }

    /// Returns every term that must find a record, each once.
    fn terms_of(&self, record: &Record) -> Vec<SearchTerm> {
        let mut terms = Vec::new();
        for entry in &record.biomes {
            if self.biomes.get(entry.biome).is_some() {
                terms.push(SearchTerm::Biome(entry.biome));
                terms.extend(self.biomes.self_and_ancestors(entry.biome).map(SearchTerm::Lineage));
            }
        }
        terms.extend(record.pfam_hits.iter().map(|hit| SearchTerm::Family(hit.family)));
        terms.sort_unstable_by_key(|term| (term.field(), term.value()));
        terms.dedup();
        terms
    }
}

/// Compares the postings of all terms of a segment with what the records say.
fn verify_terms(segment: &Segment, mut expected: HashMap<SearchTerm, PostingsDigest>) -> Result<()> {
    let makers: [fn(u64) -> Option<SearchTerm>; 3] = [
        |value| u32::try_from(value).ok().map(SearchTerm::Biome),
        |value| u32::try_from(value).ok().map(SearchTerm::Lineage),
        |value| Some(SearchTerm::Family(PfamAccession(value))),
    ];
    for term_of in makers {
        let terms = segment.terms(term_of(0).expect("0 is a value of every field"));
        let mut dictionary = terms.terms().stream().map_err(Error::index(&segment.path))?;
        while let Some((key, info)) = dictionary.next() {
            let key =
                <[u8; 8]>::try_from(key).map_err(|error| segment.altered(format_args!("term {key:?}"), &error))?;
            let value = u64::from_be_bytes(key);
            let mut digest = PostingsDigest::default();
            let mut postings = terms
                .read_postings_from_terminfo(info, IndexRecordOption::Basic)
                .map_err(Error::index(&segment.path))?;
            while postings.doc() != TERMINATED {
                digest.add(postings.doc());
                postings.advance();
            }
            let found = term_of(value).and_then(|term| expected.remove(&term));
            if found != Some(digest) {
                return Err(segment.altered(format_args!("term {value}"), &"its postings differ from the records"));
            }
        }
    }
    match expected.keys().next() {
        None => Ok(()),
        Some(term) => Err(segment.altered(format_args!("{term:?}"), &"the index lacks it")),
    }
}

/// Tells whether a term's postings have a document.
fn contains(segment: &Segment, term: SearchTerm, doc: DocId) -> Result<bool> {
    let terms = segment.terms(term);
    let Some(mut postings) =
        terms.read_postings(&term.to_term(), IndexRecordOption::Basic).map_err(Error::index(&segment.path))?
    else {
        return Ok(false);
    };
    Ok(postings.doc() <= doc && postings.seek(doc) == doc)
}
