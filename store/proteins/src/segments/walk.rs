//! Walking through all accessions of a generation.

use std::path::Path;

use store::engine::catch_panics;
use store::{Error, ProteinAccession, Result};

use crate::{Record, RecordParts};

use super::column::DenseColumn;
use super::packed_hit::PackedHit;
use super::schema::{FAMILY, HIT};
use super::segment::{Access, Segment, open_reader};
use crate::ProteinGeneration;
use crate::contents::{ProteinContents, SegmentEntry};
use crate::replacements::ReplacementSegment;

impl ProteinGeneration {
    /// Visits the proteins of the release in ascending order of accession, without own data. No
    /// file is mapped: the memory is that of the column of one segment, at most eight bytes a
    /// protein.
    pub fn for_each_accession<E: From<Error>>(
        &self,
        visit: impl FnMut(ProteinAccession) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        visit_accessions(&self.path, &self.manifest.contents, visit)
    }

    /// Visits all replaced accessions in ascending order, each with its replacement.
    pub fn for_each_replacement<E: From<Error>>(
        &self,
        visit: impl FnMut(ProteinAccession, ProteinAccession) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        visit_replacements(&self.path, &self.manifest.contents, visit)
    }
}

pub(crate) fn visit_accessions<E: From<Error>>(
    generation: &Path,
    contents: &ProteinContents,
    mut visit: impl FnMut(ProteinAccession) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    for entry in contents.release().segments {
        let path = generation.join(&entry.folder);
        let hits = catch_panics(&path, || {
            let reader = open_reader(&path, entry, Access::Unmapped)?;
            DenseColumn::open(&reader, HIT).map_err(Error::index(&path))
        })?;
        let mut batches = hits.batches();
        while let Some((_, batch)) = catch_panics(&path, || Ok(batches.next()))? {
            for value in batch {
                visit(accession(&path, PackedHit(value).number())?)?;
            }
        }
    }
    Ok(())
}

/// Visits the numbers of the families of each protein of segments, in ascending order of accession.
pub(crate) fn visit_families<E: From<Error>>(
    generation: &Path,
    segments: &[SegmentEntry],
    mut visit: impl FnMut(ProteinAccession, &[u64]) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    for entry in segments {
        let path = generation.join(&entry.folder);
        let (hits, families) = catch_panics(&path, || {
            let reader = open_reader(&path, entry, Access::Unmapped)?;
            let hits = DenseColumn::open(&reader, HIT).map_err(Error::index(&path))?;
            Ok((hits, reader.fast_fields().u64(FAMILY).map_err(Error::index(&path))?))
        })?;
        let mut batches = hits.batches();
        while let Some((first, batch)) = catch_panics(&path, || Ok(batches.next()))? {
            for (doc, value) in (first..).zip(batch) {
                let of_doc: Vec<u64> = catch_panics(&path, || Ok(families.values_for_doc(doc).collect()))?;
                visit(accession(&path, PackedHit(value).number())?, &of_doc)?;
            }
        }
    }
    Ok(())
}

/// Visits parts of the records of segments in ascending order of accession. Each block of records
/// is read once.
pub(crate) fn visit_records<E: From<Error>>(
    generation: &Path,
    segments: &[SegmentEntry],
    parts: RecordParts,
    mut visit: impl FnMut(ProteinAccession, Record) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    for entry in segments {
        let segment = catch_panics(generation, || Segment::open(generation, entry, Access::Unmapped))?;
        let mut block = None;
        for doc in 0..entry.num_docs {
            let record = catch_panics(&segment.path, || {
                let accession = segment.hit(doc)?.accession;
                let record = segment.record(doc, accession, parts, &mut block)?;
                Ok((accession, record))
            });
            let (accession, record) = record?;
            visit(accession, record)?;
        }
    }
    Ok(())
}

pub(crate) fn visit_replacements<E: From<Error>>(
    generation: &Path,
    contents: &ProteinContents,
    mut visit: impl FnMut(ProteinAccession, ProteinAccession) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    for entry in &contents.replacements {
        let path = generation.join(&entry.folder);
        let segment = catch_panics(&path, || ReplacementSegment::open(generation, entry, Access::Unmapped))?;
        let mut batches = segment.old.batches().zip(segment.new.batches());
        while let Some(((_, old), (_, new))) = catch_panics(&path, || Ok(batches.next()))? {
            for (old, new) in old.into_iter().zip(new) {
                visit(accession(&path, old)?, accession(&path, new)?)?;
            }
        }
    }
    Ok(())
}

fn accession(path: &Path, number: u64) -> Result<ProteinAccession> {
    ProteinAccession::new(number).map_err(|error| Error::altered(path, format!("{number}: {error}")))
}
