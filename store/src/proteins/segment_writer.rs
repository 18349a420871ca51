//! Writing a single segment of proteins, from their stored records.

use std::path::Path;

use tantivy::TantivyDocument;

use crate::{BiomeOrdinal, BiomeTable, Error, ProteinAccession, Result, SearchKeys};

use super::contents::SegmentEntry;
use super::ordered_writer::OrderedWriter;
use super::packed_hit::{LARGE_CLUSTER, PackedHit, ProteinHit};
use super::schema::SCHEMA;

/// Writes one segment of proteins into a draft. Several threads can each write one at the same time;
/// [`super::ProteinsBuilder::adopt`] puts them together.
///
/// A finished segment survives a power cut once [`crate::seal_folder`] has sealed its folder, or the draft was published.
pub struct SegmentWriter {
    segment: OrderedWriter,
    documents: DocumentMaker,
}

impl SegmentWriter {
    /// Creates the folder of a segment in a draft. What is not written yet takes about `memory_bytes`.
    ///
    /// # Errors
    ///
    /// * The folder exists, or cannot be created.
    pub fn create(draft: &Path, folder: &str, memory_bytes: usize) -> Result<Self> {
        let segment = OrderedWriter::create(draft, folder, &SCHEMA.schema, memory_bytes)?;
        Ok(Self { segment, documents: DocumentMaker::default() })
    }

    /// Adds a protein by its stored record, which refers to `biomes`.
    ///
    /// # Errors
    ///
    /// * The accession is not higher than the previous one.
    /// * `record` is not a stored record, or refers to a biome that is not in the table.
    pub fn add(&mut self, biomes: &BiomeTable, accession: ProteinAccession, record: &[u8]) -> Result<()> {
        let document = self.documents.make(self.segment.path(), biomes, accession, record)?;
        self.segment.add(accession, document)
    }

    /// Writes what is still in memory, and returns the entry of the segment for the manifest. If nothing was added, the folder is
    /// removed.
    pub fn finish(self) -> Result<Option<SegmentEntry>> {
        self.segment.finish()
    }
}

/// Reuses its buffers from one document to the next.
#[derive(Default)]
pub(super) struct DocumentMaker {
    keys: SearchKeys,
    lineages: Vec<BiomeOrdinal>,
}

impl DocumentMaker {
    /// Makes the document of a protein. Errors name `folder`, into which it goes.
    pub(super) fn make(
        &mut self,
        folder: &Path,
        biomes: &BiomeTable,
        accession: ProteinAccession,
        record: &[u8],
    ) -> Result<TantivyDocument> {
        let altered = |problem: &str| Error::altered(folder, format!("{accession}: {problem}"));
        self.keys.read(record).map_err(|error| altered(&error.to_string()))?;
        self.keys.biomes.sort_unstable();
        self.keys.biomes.dedup();
        self.keys.families.sort_unstable();
        self.keys.families.dedup();
        self.lineages.clear();
        for &biome in &self.keys.biomes {
            if biomes.get(biome).is_none() {
                return Err(altered(&format!("biome {biome} is not in the table")));
            }
            self.lineages.extend(biomes.self_and_ancestors(biome));
        }
        self.lineages.sort_unstable();
        self.lineages.dedup();

        let mut document = TantivyDocument::new();
        let SearchKeys { full_length, cluster_size, .. } = self.keys;
        document.add_u64(SCHEMA.hit, PackedHit::pack(ProteinHit { accession, full_length, cluster_size }).0);
        if cluster_size >= LARGE_CLUSTER {
            document.add_u64(SCHEMA.large_cluster_size, cluster_size);
        }
        for &biome in &self.keys.biomes {
            document.add_u64(SCHEMA.biome, biome.into());
        }
        for &lineage in &self.lineages {
            document.add_u64(SCHEMA.lineage, lineage.into());
        }
        for family in &self.keys.families {
            document.add_u64(SCHEMA.family, family.0);
        }
        document.add_bytes(SCHEMA.record, record);
        Ok(document)
    }
}
