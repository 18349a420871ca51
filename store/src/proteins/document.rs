//! The indexed document of a record.

use std::path::Path;

use tantivy::TantivyDocument;

use crate::accession::ProteinAccession;
use crate::biomes::{BiomeOrdinal, BiomeTable};
use crate::record::SearchKeys;
use crate::{Error, Result};

use super::packed_hit::{LARGE_CLUSTER, PackedHit, ProteinHit};
use super::schema::SCHEMA;

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
