//! The quick check of a generation before it is published.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::Path;

use store::engine::catch_panics;
use store::{BiomeTable, Error, FamilyTable, Result};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Term};

use crate::Record;

use super::contents::{ProteinContents, SegmentEntry};
use super::replacements::check_replacements;
use super::segments::schema::{shown, terms_of};
use super::segments::segment::{Access, Segment};
use super::tables;

const SAMPLES: u32 = 256;

/// Checks order, counts, and a sample of records of some segments and the searches that find them.
/// One segment is open at a time, and no file is mapped: the memory is that of the columns of the
/// largest segment and of the postings of one term.
pub(super) fn check_draft(path: &Path, contents: &ProteinContents, segments: &[SegmentEntry]) -> Result<()> {
    catch_panics(path, || {
        let (biomes, families) = tables::read(path)?;
        check_entries(path, contents)?;
        for entry in segments {
            let segment = Segment::open(path, entry, Access::Unmapped)?;
            check_order(&segment)?;
            check_samples(&segment, &biomes, &families)?;
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

/// Checks that the accessions of a segment ascend, and that the first and the last are those of the
/// manifest.
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
fn check_samples(segment: &Segment, biomes: &BiomeTable, families: &FamilyTable) -> Result<()> {
    // Grouped by term, since the postings of a frequent one are large.
    let mut expected: HashMap<Term, Vec<DocId>> = HashMap::new();
    let num_docs = segment.entry.num_docs;
    let step = num_docs.div_ceil(SAMPLES).max(1);
    for doc in (0..num_docs).step_by(step as usize).chain([num_docs - 1]) {
        let accession = segment.hit(doc)?.accession;
        let record = segment.fetch(accession)?.ok_or_else(|| segment.altered(accession, "not found"))?;
        check_columns(segment, doc, &record)?;
        for term in terms_of(biomes, families, &record) {
            expected.entry(term).or_default().push(doc);
        }
    }
    for (term, docs) in expected {
        if let Some(doc) = first_missing(segment, &term, &docs)? {
            let accession = segment.hit(doc)?.accession;
            return Err(segment.altered(
                accession,
                format_args!("not found by {}", shown(term.field(), term.serialized_value_bytes())),
            ));
        }
    }
    Ok(())
}

/// Returns the first of some ascending documents that is not in the postings of a term.
fn first_missing(segment: &Segment, term: &Term, docs: &[DocId]) -> Result<Option<DocId>> {
    let postings = segment.terms(term.field()).read_postings(term, IndexRecordOption::Basic);
    let Some(mut postings) = postings.map_err(Error::index(&segment.path))? else { return Ok(docs.first().copied()) };
    Ok(docs.iter().copied().find(|&doc| postings.doc() > doc || postings.seek(doc) != doc))
}

/// Checks the columns that are read for counts and orders.
pub(super) fn check_columns(segment: &Segment, doc: DocId, record: &Record) -> Result<()> {
    let altered = |problem: &dyn fmt::Display| Err(segment.altered(format_args!("document {doc}"), problem));
    let length = record.sequence.len() as u64;
    if segment.length(doc) != length {
        return altered(&format_args!("its length is not {length}"));
    }
    let biomes: BTreeSet<u64> = record.biomes.iter().map(|entry| entry.biome.into()).collect();
    let families: BTreeSet<u64> = record.pfam_hits.iter().map(|hit| hit.family.0).collect();
    if segment.biomes.of(doc).into_iter().eq(biomes) && segment.families.values_for_doc(doc).eq(families) {
        return Ok(());
    }
    altered(&"its biomes or families are not those of the record")
}
