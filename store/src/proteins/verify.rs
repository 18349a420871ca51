//! The full check of a generation.

use std::collections::HashMap;
use std::path::Path;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::families::PfamAccession;
use crate::record::Record;
use crate::{Error, Result};

use super::check::{check_entries, check_order, terms_of};
use super::contents::ProteinContents;
use super::data::ProteinData;
use super::protein::Protein;
use super::replacements::check_replacements;
use super::schema::SearchTerm;
use super::segment::{Segment, stored_record};

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
    /// Compares everything with everything.
    pub(super) fn verify(&self, path: &Path, contents: &ProteinContents) -> Result<Verification> {
        check_entries(path, contents)?;
        check_replacements(path, &contents.replacements)?;
        let mut verification =
            Verification { num_replacements: contents.num_replacements(), ..Verification::default() };
        for segment in &self.segments {
            check_order(segment)?;
            let expected = self.verify_records(segment)?;
            verification.num_records += u64::from(segment.entry.num_docs);
            verification.num_terms += expected.len() as u64;
            verify_terms(segment, expected)?;
        }
        Ok(verification)
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
            for term in terms_of(&self.biomes, &record) {
                digests.entry(term).or_default().add(doc);
            }
            Protein::resolve(accession, record, &self.biomes, &self.families)
                .map_err(|error| segment.altered(accession, &error))?;
        }
        Ok(digests)
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
