//! Writing a single segment of proteins, from their records.

use std::path::Path;

use tantivy::TantivyDocument;

use crate::{BiomeTable, Error, FamilyTable, ProteinAccession, Record, Result};

use super::biome_column::BiomeColumn;
use super::ordered_writer::OrderedWriter;
use super::packed_hit::{LARGE_CLUSTER, PackedHit, ProteinHit};
use super::schema::{SCHEMA, terms_of};
use crate::proteins::contents::SegmentEntry;

/// Writes one segment of proteins into a draft. Several threads can each write one at the same time;
/// [`crate::proteins::ProteinsBuilder::adopt`] puts them together.
///
/// A finished segment survives a power cut once [`crate::seal_folder`] has sealed its folder, or the draft was published.
pub struct SegmentWriter {
    segment: OrderedWriter,
    /// The stored form of a record, reused from one to the next.
    stored: Vec<u8>,
}

impl SegmentWriter {
    /// Creates the folder of a segment in a draft. What is not written yet takes about `memory_bytes`.
    ///
    /// # Errors
    ///
    /// * The folder exists, or cannot be created.
    pub fn create(draft: &Path, folder: &str, memory_bytes: usize) -> Result<Self> {
        let segment = OrderedWriter::create(draft, folder, &SCHEMA.schema, memory_bytes)?;
        Ok(Self { segment, stored: Vec::new() })
    }

    /// Adds a protein by its record, which refers to `biomes`. The clans of its families are those of `families`.
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
        self.stored.clear();
        record.encode(accession, &mut self.stored);
        let document = document(self.segment.path(), biomes, families, accession, record, &self.stored)?;
        self.segment.add(accession, document)
    }

    /// Writes what is still in memory, and returns the entry of the segment for the manifest. If nothing was added, the folder is
    /// removed.
    pub fn finish(self) -> Result<Option<SegmentEntry>> {
        self.segment.finish()
    }
}

/// Makes the document of a protein from its record and the stored form of it. Errors name `folder`, into which it goes.
pub(crate) fn document(
    folder: &Path,
    biomes: &BiomeTable,
    families: &FamilyTable,
    accession: ProteinAccession,
    record: &Record,
    stored: &[u8],
) -> Result<TantivyDocument> {
    if let Some(entry) = record.biomes.iter().find(|entry| biomes.get(entry.biome).is_none()) {
        return Err(Error::altered(folder, format!("{accession}: biome {} is not in the table", entry.biome)));
    }
    let mut document = TantivyDocument::new();
    let &Record { full_length, cluster_size, .. } = record;
    document.add_u64(SCHEMA.hit, PackedHit::pack(ProteinHit { accession, full_length, cluster_size }).0);
    if cluster_size >= LARGE_CLUSTER {
        document.add_u64(SCHEMA.large_cluster_size, cluster_size);
    }
    document.add_u64(SCHEMA.length, record.sequence.len() as u64);
    let mut own_biomes: Vec<_> = record.biomes.iter().map(|entry| entry.biome).collect();
    own_biomes.sort_unstable();
    own_biomes.dedup();
    BiomeColumn::add(&mut document, &own_biomes);
    for term in terms_of(biomes, families, record) {
        term.add_to(&mut document);
    }
    document.add_bytes(SCHEMA.record, stored);
    Ok(document)
}
