//! Writing a single segment of proteins, from their records.

use std::path::Path;

use store::{BiomeTable, Error, FamilyTable, ProteinAccession, Result};

use crate::Record;

use super::biome_column::BiomeColumn;
use super::ordered_writer::{NewDocument, OrderedWriter};
use super::packed_hit::{LARGE_CLUSTER, PackedHit, ProteinHit};
use super::schema::{FAMILY, HIT, LARGE_CLUSTER_SIZE, LENGTH, SCHEMA, visit_terms};
use crate::contents::SegmentEntry;

/// Writes one segment of proteins into a draft. Several threads can each write one at the same
/// time; [`crate::ProteinsBuilder::adopt`] puts them together.
///
/// A finished segment survives a power cut once [`store::seal_folder`] has sealed its folder, or
/// the draft was published.
pub struct SegmentWriter {
    segment: OrderedWriter,
    /// The stored form of a record, reused from one to the next.
    stored: Vec<u8>,
}

impl SegmentWriter {
    /// Creates the folder of a segment in a draft. The part that is not written yet takes about
    /// `memory_bytes`.
    ///
    /// # Errors
    ///
    /// * The folder exists, or cannot be created.
    pub fn create(draft: &Path, folder: &str, memory_bytes: usize) -> Result<Self> {
        let segment = OrderedWriter::create(draft, folder, &SCHEMA.schema, memory_bytes)?;
        Ok(Self { segment, stored: Vec::new() })
    }

    /// Adds a protein by its record, which refers to `biomes`. The clans of its families are those
    /// of `families`.
    ///
    /// # Errors
    ///
    /// * The accession is not higher than the previous one.
    /// * The record refers to a biome that is not in the table.
    ///
    /// # Panics
    ///
    /// * The record cannot be stored; see [`Record::encode`].
    pub fn add(
        &mut self,
        biomes: &BiomeTable,
        families: &FamilyTable,
        accession: ProteinAccession,
        record: &Record,
    ) -> Result<()> {
        check_biomes(self.segment.path(), biomes, accession, record)?;
        self.stored.clear();
        record.encode(accession, &mut self.stored);
        self.segment.add(accession, Some(&self.stored), |document| fill(document, biomes, families, accession, record))
    }

    /// Writes the rest that is in memory, and returns the entry of the segment for the manifest. If
    /// nothing was added, the folder is removed.
    pub fn finish(self) -> Result<Option<SegmentEntry>> {
        self.segment.finish()
    }
}

/// Checks that the table has the biomes of a record. Errors name `folder`, the folder of the
/// segment.
pub(crate) fn check_biomes(
    folder: &Path,
    biomes: &BiomeTable,
    accession: ProteinAccession,
    record: &Record,
) -> Result<()> {
    match record.biomes.iter().find(|entry| biomes.get(entry.biome).is_none()) {
        Some(entry) => Err(Error::altered(folder, format!("{accession}: biome {} is not in the table", entry.biome))),
        None => Ok(()),
    }
}

/// Fills the document of a protein with the values of its record.
pub(crate) fn fill(
    document: &mut NewDocument<'_>,
    biomes: &BiomeTable,
    families: &FamilyTable,
    accession: ProteinAccession,
    record: &Record,
) {
    let &Record { full_length, cluster_size, .. } = record;
    document.add_number(HIT, PackedHit::pack(ProteinHit { accession, full_length, cluster_size }).0);
    if cluster_size >= LARGE_CLUSTER {
        document.add_number(LARGE_CLUSTER_SIZE, cluster_size);
    }
    document.add_number(LENGTH, record.sequence.len() as u64);
    BiomeColumn::add(document, &ascending(record.biomes.iter().map(|entry| entry.biome)));
    for family in ascending(record.pfam_hits.iter().map(|hit| hit.family)) {
        document.add_number(FAMILY, family.0);
    }
    visit_terms(biomes, families, record, |term| document.add_term(term));
}

/// Returns the different items in ascending order.
fn ascending<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}
