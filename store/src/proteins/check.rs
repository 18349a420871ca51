//! The quick check of a generation before it is published.

use std::collections::HashMap;
use std::path::Path;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet};

use crate::engine::unless_it_panics;
use crate::{BiomeTable, Error, Record, Result};

use super::contents::ProteinContents;
use super::replacements::check_replacements;
use super::schema::SearchTerm;
use super::segment::{Access, Segment};
use super::tables;

const SAMPLES: u32 = 256;

/// Checks order, counts, and a sample of records and the searches that find them. One segment is open at a time, and nothing is
/// mapped: the memory is that of the columns of the largest segment and of the postings of one term.
pub(super) fn check_draft(path: &Path, contents: &ProteinContents) -> Result<()> {
    unless_it_panics(path, || {
        let (biomes, _) = tables::read(path)?;
        check_entries(path, contents)?;
        for entry in &contents.segments {
            let segment = Segment::open(path, entry, Access::Unmapped)?;
            check_order(&segment)?;
            check_samples(&segment, &biomes)?;
        }
        check_replacements(path, &contents.replacements)
    })
}

pub(super) fn check_entries(path: &Path, contents: &ProteinContents) -> Result<()> {
    if contents.segments.is_sorted_by(|left, right| left.last < right.first) {
        return Ok(());
    }
    Err(Error::altered(path, "segments overlap or are out of order"))
}

/// Checks that the accessions of a segment ascend, and that the first and the last are those of the manifest.
pub(super) fn check_order(segment: &Segment) -> Result<()> {
    if let Some(doc) = segment.first_descent() {
        return Err(segment.altered(format_args!("document {doc}"), "accessions do not ascend"));
    }
    let (first, last) = (segment.hit(0)?.accession, segment.hit(segment.entry.num_docs - 1)?.accession);
    if (first, last) != (segment.entry.first, segment.entry.last) {
        return Err(segment.altered("ends", format_args!("{first} and {last} are not those of the manifest")));
    }
    Ok(())
}

/// Fetches a sample of the records, and checks that every search for them finds them.
fn check_samples(segment: &Segment, biomes: &BiomeTable) -> Result<()> {
    // Grouped by term, since the postings of a frequent one are large.
    let mut expected: HashMap<SearchTerm, Vec<DocId>> = HashMap::new();
    let num_docs = segment.entry.num_docs;
    let step = num_docs.div_ceil(SAMPLES).max(1);
    for doc in (0..num_docs).step_by(step as usize).chain([num_docs - 1]) {
        let accession = segment.hit(doc)?.accession;
        let record = segment.fetch(accession)?.ok_or_else(|| segment.altered(accession, "not found"))?;
        for term in terms_of(biomes, &record) {
            expected.entry(term).or_default().push(doc);
        }
    }
    for (term, docs) in expected {
        if let Some(doc) = first_missing(segment, term, &docs)? {
            let accession = segment.hit(doc)?.accession;
            return Err(segment.altered(accession, format_args!("not found by {term:?}")));
        }
    }
    Ok(())
}

/// Returns the first of some ascending documents that is not in the postings of a term.
fn first_missing(segment: &Segment, term: SearchTerm, docs: &[DocId]) -> Result<Option<DocId>> {
    let postings = segment.terms(term).read_postings(&term.to_term(), IndexRecordOption::Basic);
    let Some(mut postings) = postings.map_err(Error::index(&segment.path))? else { return Ok(docs.first().copied()) };
    Ok(docs.iter().copied().find(|&doc| postings.doc() > doc || postings.seek(doc) != doc))
}

/// Returns every term by which a record must be found, each once.
pub(super) fn terms_of(biomes: &BiomeTable, record: &Record) -> Vec<SearchTerm> {
    let mut terms = Vec::new();
    for entry in &record.biomes {
        if biomes.get(entry.biome).is_some() {
            terms.push(SearchTerm::Biome(entry.biome));
            terms.extend(biomes.self_and_ancestors(entry.biome).map(SearchTerm::Lineage));
        }
    }
    terms.extend(record.pfam_hits.iter().map(|hit| SearchTerm::Family(hit.family)));
    terms.sort_unstable_by_key(|term| (term.field(), term.value()));
    terms.dedup();
    terms
}
