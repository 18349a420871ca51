//! An index of synthetic proteins in a temporary folder, and what to ask it.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indexer::index_checksums;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use store::{BiomeOrdinal, BiomeTable, FamilyTable, Generations, Origin, PfamAccession, ProteinAccession};
use store_proteins::{ProteinGeneration, ProteinQuery, ProteinsBuilder};
use tempfile::TempDir;

use crate::processor::processor_time;
use crate::synthetic::{NUM_FAMILIES, Synthetic};

/// The memory of a segment in `mgdex index` by default.
const SEGMENT_MEMORY_BYTES: usize = 512 << 20;

/// The number of queries of a set.
const SET_SIZE: usize = 20;

/// The number of records that are fetched.
const NUM_FETCHES: usize = 20_000;

/// Queries of one kind.
pub(crate) struct QuerySet {
    /// The name in the results.
    pub(crate) name: &'static str,
    pub(crate) queries: Vec<ProteinQuery>,
}

/// An index, and how often each term occurs in it.
pub(crate) struct Corpus {
    /// The folder of the index.
    folder: TempDir,
    generation: Arc<ProteinGeneration>,
    accessions: Vec<ProteinAccession>,
    /// The number of hits by family.
    family_counts: Vec<u32>,
    /// The number of proteins by biome, without biomes below it.
    biome_counts: Vec<u32>,
    /// The time that one thread took to index and check it.
    pub(crate) indexing: Duration,
    /// The time that it took to index the digests of all sequences.
    pub(crate) digesting: Duration,
}

impl Corpus {
    pub(crate) fn build(num_proteins: usize) -> Self {
        let (table, mut synthetic) = synthetic();
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
        let generations = Generations::new(folder.path().join("proteins"));
        let draft = generations.begin().expect("a free folder");
        let mut builder = ProteinsBuilder::new(draft, table.clone(), families(), SEGMENT_MEMORY_BYTES);
        let mut indexing = Duration::ZERO;
        let mut accessions = Vec::new();
        let mut family_counts = vec![0; NUM_FAMILIES + 1];
        let mut biome_counts = vec![0; table.iter().len()];
        let mut stored = Vec::new();
        for _ in 0..num_proteins {
            let (accession, record) = synthetic.next(&table);
            stored.clear();
            record.encode(accession, &mut stored);
            let started = processor_time();
            builder.add(accession, &stored).expect("ascending");
            indexing += processor_time().saturating_sub(started);
            accessions.push(accession);
            for hit in &record.pfam_hits {
                family_counts[usize::try_from(hit.family.0).expect("few families")] += 1;
            }
            for entry in &record.biomes {
                biome_counts[entry.biome as usize] += 1;
            }
        }
        let origin = Origin {
            written_by: "bench".into(),
            finished_unix_s: 0,
            inputs: Vec::new(),
            report: serde_json::Value::Null,
        };
        let started = processor_time();
        let mut built = builder.finish().expect("room on the disk");
        indexing += processor_time().saturating_sub(started);
        let started = processor_time();
        index_checksums(&mut built, folder.path(), SEGMENT_MEMORY_BYTES).expect("room on the disk");
        let digesting = processor_time().saturating_sub(started);
        let started = processor_time();
        built.publish(origin).expect("room on the disk");
        indexing += processor_time().saturating_sub(started);
        let generation = ProteinGeneration::open_current(&generations).expect("whole").expect("published");
        let generation = Arc::new(generation);
        Self { folder, generation, accessions, family_counts, biome_counts, indexing, digesting }
    }

    pub(crate) fn generation(&self) -> &Arc<ProteinGeneration> {
        &self.generation
    }

    /// Returns the accessions of all proteins, ascending.
    pub(crate) fn accessions(&self) -> &[ProteinAccession] {
        &self.accessions
    }

    /// Returns the size of the index of digests.
    pub(crate) fn checksums_bytes_per_protein(&self) -> f64 {
        let files = self.generation.manifest().files.iter();
        let size_bytes: u64 = files.filter(|file| file.path.starts_with("checksums")).map(|file| file.size_bytes).sum();
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let mean = size_bytes as f64 / self.accessions.len() as f64;
        mean
    }

    /// Returns the folders of the segments.
    pub(crate) fn segments(&self) -> Vec<std::path::PathBuf> {
        let generation = self.folder.path().join("proteins").join(self.generation.name().to_string());
        self.generation.manifest().contents.segments.iter().map(|segment| generation.join(&segment.folder)).collect()
    }

    /// Returns the number of segments.
    pub(crate) fn num_segments(&self) -> usize {
        self.generation.manifest().contents.segments.len()
    }

    /// Returns the size of all but the stored records.
    pub(crate) fn index_bytes_per_protein(&self) -> f64 {
        self.bytes_per_protein(|extension| extension != "store")
    }

    /// Returns the size of the stored records.
    pub(crate) fn store_bytes_per_protein(&self) -> f64 {
        self.bytes_per_protein(|extension| extension == "store")
    }

    /// Returns the size of the table of facets.
    pub(crate) fn table_bytes_per_protein(&self) -> f64 {
        let files = self.generation.manifest().files.iter();
        self.mean(files.filter(|file| file.path == "facets.table").map(|file| file.size_bytes).sum())
    }

    /// Returns the size of some files of the segments, by extension.
    fn bytes_per_protein(&self, counts: impl Fn(&str) -> bool) -> f64 {
        let mut size_bytes = 0;
        for segment in self.segments() {
            for entry in fs::read_dir(segment).expect("a segment") {
                let entry = entry.expect("a file");
                let path = entry.path();
                let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
                if counts(extension) {
                    size_bytes += entry.metadata().expect("a file").len();
                }
            }
        }
        self.mean(size_bytes)
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    fn mean(&self, size_bytes: u64) -> f64 {
        size_bytes as f64 / self.accessions.len() as f64
    }

    pub(crate) fn query_sets(&self) -> Vec<QuerySet> {
        let families_near = |count: u32| {
            let mut families: Vec<u64> = (1..=NUM_FAMILIES as u64).collect();
            families.sort_by_key(|&family| self.family_counts[usize::try_from(family).expect("few")].abs_diff(count));
            families.into_iter().take(SET_SIZE).map(|family| ProteinQuery::Family(PfamAccession(family))).collect()
        };
        let lineages = |biomes: Vec<BiomeOrdinal>| biomes.into_iter().map(ProteinQuery::Biome).collect();
        let root = self.generation.biomes().find_lineage("root").expect("the root");
        vec![
            QuerySet { name: "common family", queries: families_near(u32::MAX) },
            QuerySet { name: "middle family", queries: families_near(1000) },
            QuerySet { name: "rare family", queries: families_near(50) },
            QuerySet { name: "broadest biome", queries: vec![ProteinQuery::Biome(root)] },
            QuerySet { name: "broad biome", queries: lineages(self.biomes_by_count(true)) },
            QuerySet { name: "deep biome", queries: lineages(self.biomes_by_count(false)) },
        ]
    }

    /// Returns the biomes with the most proteins: their roots' children, or the deepest themselves.
    pub(crate) fn biomes_by_count(&self, is_broad: bool) -> Vec<BiomeOrdinal> {
        let table = self.generation.biomes();
        let mut biomes: Vec<BiomeOrdinal> = (0..).take(self.biome_counts.len()).collect();
        biomes.retain(|&biome| {
            let num_levels = table.self_and_ancestors(biome).count();
            if is_broad { num_levels == 2 } else { num_levels >= 5 && self.biome_counts[biome as usize] > 0 }
        });
        biomes.sort_by_key(|&biome| std::cmp::Reverse(self.biome_counts[biome as usize]));
        biomes.truncate(SET_SIZE);
        biomes
    }

    /// Returns accessions to fetch.
    pub(crate) fn random_accessions(&self) -> Vec<ProteinAccession> {
        let mut random = SmallRng::seed_from_u64(7);
        (0..NUM_FETCHES).map(|_| self.accessions[random.random_range(0..self.accessions.len())]).collect()
    }
}

/// Returns what makes the proteins of a corpus, and their biomes.
pub(crate) fn synthetic() -> (BiomeTable, Synthetic) {
    let (table, shares) = biomes();
    (table, Synthetic::new(&shares))
}

/// Returns families of which four in nine are in one of 700 clans, about as in Pfam.
fn families() -> FamilyTable {
    let mut families = FamilyTable::default();
    for number in 1..=NUM_FAMILIES as u64 {
        let clan = (number % 9 < 4).then(|| format!("CL{:04}", number % 700));
        families.insert(PfamAccession(number), "a family", clan.as_deref());
    }
    families
}

/// Returns the real biome table, and the share of each biome in the release of July 2026.
fn biomes() -> (BiomeTable, Vec<(BiomeOrdinal, u64)>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/proteins/mgy_biome_counts_2026_07.tsv");
    let mut table = BiomeTable::default();
    let mut shares = Vec::new();
    for line in fs::read_to_string(path).expect("bundled").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let biome = table.insert(fields[0].parse().ok(), fields[1]).expect("consistent");
        let own_count: u64 = fields[3].parse().expect("a number");
        if own_count > 0 {
            shares.push((biome, own_count));
        }
    }
    (table, shares)
}
