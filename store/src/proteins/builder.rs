//! Building a protein generation.

use std::path::Path;

use tantivy::TantivyDocument;

use crate::accession::ProteinAccession;
use crate::biomes::{BiomeOrdinal, BiomeTable};
use crate::families::FamilyTable;
use crate::generation::{Draft, GenerationName, Origin};
use crate::record::SearchKeys;
use crate::{Error, Result};

use super::contents::ProteinContents;
use super::packed_hit::{LARGE_CLUSTER, PackedHit};
use super::replacements::{replacement_document, replacement_series};
use super::schema::SCHEMA;
use super::segment_writer::SegmentSeries;
use super::{ProteinData, ProteinHit, tables};

/// Takes proteins in ascending order of accession and publishes them as a generation.
///
/// Dropped unpublished, it leaves nothing behind.
pub struct ProteinsBuilder {
    /// The folder that is being filled.
    draft: Draft,
    /// The biomes that the records refer to.
    biomes: BiomeTable,
    /// The proteins.
    proteins: SegmentSeries,
    /// The replaced accessions.
    replacements: SegmentSeries,
    /// The keys of the record that is being added.
    keys: SearchKeys,
    /// The lineages of the record that is being added.
    lineages: Vec<BiomeOrdinal>,
}

/// A generation that is written and checked, and waits to be published.
pub struct BuiltProteins {
    /// The filled folder.
    draft: Draft,
    /// What is in it.
    contents: ProteinContents,
}

impl ProteinsBuilder {
    /// Starts to fill a draft with records that refer to `biomes`. The segment that is being written takes about `memory_bytes`.
    pub fn new(draft: Draft, biomes: BiomeTable, memory_bytes: usize) -> Self {
        let proteins = SegmentSeries::new(draft.path(), "segment", &SCHEMA.schema, memory_bytes);
        let replacements = replacement_series(draft.path(), memory_bytes);
        Self { draft, biomes, proteins, replacements, keys: SearchKeys::default(), lineages: Vec::new() }
    }

    /// Returns the folder that becomes the generation. Files that are put there are published with it.
    pub fn path(&self) -> &Path {
        self.draft.path()
    }

    /// Adds a protein by its stored record.
    ///
    /// # Errors
    ///
    /// * The accession is not higher than the one before.
    /// * `record` is not a stored record, or refers to a biome that is not in the table.
    /// * The disk is full or fails.
    pub fn add(&mut self, accession: ProteinAccession, record: &[u8]) -> Result<()> {
        let altered = |problem: String| Error::Altered { path: self.draft.path().to_owned(), problem };
        self.keys.read(record).map_err(|error| altered(format!("{accession}: {error}")))?;
        self.keys.biomes.sort_unstable();
        self.keys.biomes.dedup();
        self.keys.families.sort_unstable();
        self.keys.families.dedup();
        self.lineages.clear();
        for &biome in &self.keys.biomes {
            if self.biomes.get(biome).is_none() {
                return Err(altered(format!("{accession}: biome {biome} is not in the table")));
            }
            self.lineages.extend(self.biomes.self_and_ancestors(biome));
        }
        self.lineages.sort_unstable();
        self.lineages.dedup();
        // All replaced accessions were added before: their segment gives its memory back.
        self.replacements.flush()?;

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
        self.proteins.add(accession, document)
    }

    /// Adds a replaced accession. They must ascend by the old accession, and should all come before the first protein.
    ///
    /// # Errors
    ///
    /// * The old accession is not higher than the one before.
    /// * The disk is full or fails.
    pub fn add_replacement(&mut self, old: ProteinAccession, new: ProteinAccession) -> Result<()> {
        self.replacements.add(old, replacement_document(old, new))
    }

    /// Writes what is still in memory, and checks the result: order, counts, and a sample of searches and records.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    /// * What was written does not read back.
    pub fn finish(self, families: &FamilyTable) -> Result<BuiltProteins> {
        let Self { draft, biomes, proteins, replacements, .. } = self;
        tables::write(draft.path(), &biomes, families)?;
        let contents = ProteinContents { segments: proteins.finish()?, replacements: replacements.finish()? };
        ProteinData::open(draft.path(), &contents)?.check(draft.path(), &contents)?;
        Ok(BuiltProteins { draft, contents })
    }
}

impl BuiltProteins {
    /// Makes the generation current; see [`Draft::publish`].
    ///
    /// # Errors
    ///
    /// * A file cannot be written or synced. The generation before stays current.
    pub fn publish(self, origin: Origin) -> Result<GenerationName> {
        self.draft.publish(origin, self.contents)
    }
}
