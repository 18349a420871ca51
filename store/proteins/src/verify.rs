//! The full check of a published generation.

use std::collections::HashMap;
use std::path::Path;

use store::engine::catch_panics;
use store::{Error, Manifest, ProteinAccession, Result};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, TERMINATED};

use crate::{Contigs, DigestAlgorithm, Members, RecordParts};

use super::ProteinGeneration;
use super::check::{check_columns, check_entries, check_order};
use super::checksums::Fingerprint;
use super::contents::ProteinContents;
use super::facets;
use super::protein::Protein;
use super::replacements::check_replacements;
use super::segments::schema::{SCHEMA, shown, terms_of};
use super::segments::segment::Segment;

/// The counts of a full check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The number of records that were decoded.
    pub num_records: u64,
    /// The number of replaced accessions.
    pub num_replacements: u64,
    /// The number of terms whose postings were compared with the records.
    pub num_terms: u64,
}

/// A term as the dictionary of its field stores it.
type TermKey = (Field, Vec<u8>);

/// A digest of a list of documents. Different lists practically never have equal digests.
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

/// See [`ProteinGeneration::verify`]. The files are checked first, since the engine may panic on
/// damaged ones.
pub(super) fn verify_folder(path: &Path) -> Result<Verification> {
    let manifest = Manifest::<ProteinContents>::read(path)?;
    manifest.verify_files(path)?;
    catch_panics(path, || {
        let generation = ProteinGeneration::with_manifest(path, manifest)?;
        let contents = &generation.manifest.contents;
        check_entries(path, contents)?;
        check_replacements(path, &contents.replacements)?;
        let mut verification =
            Verification { num_replacements: contents.num_replacements(), ..Verification::default() };
        let mut digests = Digests::new(&generation);
        for segment in &generation.segments {
            check_order(segment)?;
            let expected = verify_records(&generation, segment, &mut digests)?;
            verification.num_records += u64::from(segment.entry.num_docs);
            verification.num_terms += expected.len() as u64;
            verify_terms(segment, expected)?;
        }
        digests.verify()?;
        generation.members.as_ref().map_or(Ok(()), Members::verify)?;
        generation.contigs.iter().try_for_each(Contigs::verify)?;
        for part in contents.parts() {
            facets::verify_table(path, part, &generation.biomes, &generation.families)?;
        }
        Ok(verification)
    })
}

/// Decodes all records of a segment, compares them with the columns, and returns the expected
/// postings of each term.
fn verify_records(
    generation: &ProteinGeneration,
    segment: &Segment,
    sequences: &mut Digests<'_>,
) -> Result<HashMap<TermKey, PostingsDigest>> {
    let mut block = None;
    let mut digests: HashMap<TermKey, PostingsDigest> = HashMap::new();
    for doc in 0..segment.entry.num_docs {
        let hit = segment.hit(doc)?;
        let accession = hit.accession;
        let record = segment.record(doc, accession, RecordParts::ALL, &mut block)?;
        if (hit.full_length, hit.cluster_size) != (record.full_length, record.cluster_size) {
            return Err(segment.altered(accession, "the hit differs from the record"));
        }
        sequences.add(accession, &record.sequence);
        check_columns(segment, doc, &record)?;
        for term in terms_of(&generation.biomes, &generation.families, &record) {
            let key = (term.field(), term.serialized_value_bytes().to_vec());
            digests.entry(key).or_default().add(doc);
        }
        Protein::resolve(accession, record, &generation.biomes, &generation.families)
            .map_err(|error| segment.altered(accession, error))?;
    }
    Ok(digests)
}

/// The expected digests of the indexes. Each index has those of the proteins after the last one of
/// the previous index.
struct Digests<'a> {
    generation: &'a ProteinGeneration,
    /// The index of the next protein, and the number of proteins before it.
    index: usize,
    num_before: u64,
    expected: Vec<[Fingerprint; 2]>,
}

impl<'a> Digests<'a> {
    fn new(generation: &'a ProteinGeneration) -> Self {
        let expected = vec![Default::default(); generation.checksums.len()];
        Self { generation, index: 0, num_before: 0, expected }
    }

    fn add(&mut self, accession: ProteinAccession, sequence: &str) {
        let Some(files) = self.generation.checksums.get(self.index) else { return };
        for (algorithm, fingerprint) in DigestAlgorithm::ALL.into_iter().zip(&mut self.expected[self.index]) {
            for key in files.entry.keys(algorithm, sequence) {
                fingerprint.add(key, accession);
            }
        }
        self.num_before += 1;
        if self.num_before == files.entry.num_proteins {
            (self.index, self.num_before) = (self.index + 1, 0);
        }
    }

    fn verify(&self) -> Result<()> {
        for (files, expected) in self.generation.checksums.iter().zip(&self.expected) {
            if files.verify()? != *expected {
                let path = self.generation.path.join(&files.entry.folder);
                return Err(Error::altered(path, "its digests differ from those of the sequences"));
            }
        }
        Ok(())
    }
}

fn verify_terms(segment: &Segment, mut expected: HashMap<TermKey, PostingsDigest>) -> Result<()> {
    for field in SCHEMA.term_fields() {
        let terms = segment.terms(field);
        let mut dictionary = terms.terms().stream().map_err(Error::index(&segment.path))?;
        while let Some((key, info)) = dictionary.next() {
            let mut digest = PostingsDigest::default();
            let mut postings = terms
                .read_postings_from_terminfo(info, IndexRecordOption::Basic)
                .map_err(Error::index(&segment.path))?;
            while postings.doc() != TERMINATED {
                digest.add(postings.doc());
                postings.advance();
            }
            if expected.remove(&(field, key.to_vec())) != Some(digest) {
                return Err(segment.altered(shown(field, key), "its postings differ from the records"));
            }
        }
    }
    match expected.keys().next() {
        None => Ok(()),
        Some((field, key)) => Err(segment.altered(shown(*field, key), "it is missing from the index")),
    }
}
