//! The full check of a published generation.

use std::collections::HashMap;
use std::path::Path;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::engine::unless_it_panics;
use crate::{Error, Manifest, PfamAccession, Record, Result};

use super::ProteinGeneration;
use super::check::{check_entries, check_order, terms_of};
use super::contents::ProteinContents;
use super::protein::Protein;
use super::replacements::check_replacements;
use super::schema::SearchTerm;
use super::segment::{Segment, stored_record};

/// A walk through all records reads one block after another.
const WALK_CACHED_BLOCKS: usize = 1;

/// What a full check has compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The number of records that were decoded.
    pub num_records: u64,
    /// The number of replaced accessions.
    pub num_replacements: u64,
    /// The number of terms whose postings were compared with the records.
    pub num_terms: u64,
}

/// Equal lists of documents have equal digests, and different ones practically never.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct PostingsDigest {
    num_docs: u32,
    hash: u64,
}

impl PostingsDigest {
    fn add(&mut self, doc: DocId) {
        self.num_docs += 1;
        self.hash = (self.hash ^ u64::from(doc)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// See [`ProteinGeneration::verify`]. The files come first, since the engine may panic over damaged ones.
pub(super) fn verify_folder(path: &Path) -> Result<Verification> {
    let manifest = Manifest::<ProteinContents>::read(path)?;
    manifest.verify_files(path)?;
    unless_it_panics(path, || {
        let generation = ProteinGeneration::with_manifest(path, manifest)?;
        let contents = &generation.manifest.contents;
        check_entries(path, contents)?;
        check_replacements(path, &contents.replacements)?;
        let mut verification =
            Verification { num_replacements: contents.num_replacements(), ..Verification::default() };
        for segment in &generation.segments {
            check_order(segment)?;
            let expected = verify_records(&generation, segment)?;
            verification.num_records += u64::from(segment.entry.num_docs);
            verification.num_terms += expected.len() as u64;
            verify_terms(segment, expected)?;
        }
        Ok(verification)
    })
}

/// Decodes all records of a segment, compares them with the columns, and returns the expected postings of each term.
fn verify_records(generation: &ProteinGeneration, segment: &Segment) -> Result<HashMap<SearchTerm, PostingsDigest>> {
    let records = segment.reader.get_store_reader(WALK_CACHED_BLOCKS).map_err(Error::index(&segment.path))?;
    let mut digests: HashMap<SearchTerm, PostingsDigest> = HashMap::new();
    for doc in 0..segment.entry.num_docs {
        let hit = segment.hit(doc)?;
        let accession = hit.accession;
        let stored = stored_record(&records, doc).map_err(Error::index(&segment.path))?;
        let record = Record::decode(accession, &stored).map_err(|error| segment.altered(accession, error))?;
        if (hit.full_length, hit.cluster_size) != (record.full_length, record.cluster_size) {
            return Err(segment.altered(accession, "the hit differs from the record"));
        }
        for term in terms_of(&generation.biomes, &record) {
            digests.entry(term).or_default().add(doc);
        }
        Protein::resolve(accession, record, &generation.biomes, &generation.families)
            .map_err(|error| segment.altered(accession, error))?;
    }
    Ok(digests)
}

fn verify_terms(segment: &Segment, mut expected: HashMap<SearchTerm, PostingsDigest>) -> Result<()> {
    let fields: [fn(u64) -> Option<SearchTerm>; 3] = [
        |value| u32::try_from(value).ok().map(SearchTerm::Biome),
        |value| u32::try_from(value).ok().map(SearchTerm::Lineage),
        |value| Some(SearchTerm::Family(PfamAccession(value))),
    ];
    for term_of in fields {
        let terms = segment.terms(term_of(0).expect("0 is a value of every field"));
        let mut dictionary = terms.terms().stream().map_err(Error::index(&segment.path))?;
        while let Some((key, info)) = dictionary.next() {
            let key = <[u8; 8]>::try_from(key).map_err(|error| segment.altered(format_args!("term {key:?}"), error))?;
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
                return Err(segment.altered(format_args!("term {value}"), "its postings differ from the records"));
            }
        }
    }
    match expected.keys().next() {
        None => Ok(()),
        Some(term) => Err(segment.altered(format_args!("{term:?}"), "the index lacks it")),
    }
}
