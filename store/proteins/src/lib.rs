#![doc = include_str!("../README.md")]

mod accession_counts;
mod before;
mod builder;
mod built;
mod carrying;
mod check;
mod checksums;
mod choice;
mod cited_release;
mod contents;
mod contigs;
mod evaluation;
mod facets;
mod found_protein;
mod lowest;
mod members;
mod naming;
mod narrowing;
mod own;
mod page;
mod protein;
mod query;
mod ranking;
mod record;
mod replacements;
mod resolution;
mod rows;
mod sampling;
mod segments;
mod sequence_digest;
mod tables;
mod verify;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use store::engine::catch_panics;
use store::{BiomeTable, Error, FamilyTable, GenerationName, Generations, Manifest, ProteinAccession, Result, Served};

pub use builder::ProteinsBuilder;
pub use built::BuiltProteins;
pub use checksums::{Checksums, ChecksumsEntry, ChecksumsWriter, DigestsWriter};
pub use choice::{CHOSEN_MAX, ProteinChoice};
pub use cited_release::{CitedRelease, ReleaseContent};
pub use contents::{Part, ProteinContents, SegmentEntry};
pub use facets::{
    EnrichedValue, Enrichment, Facet, FacetCount, FacetKind, Facets, Neighbourhood, architecture, architecture_name,
};
pub use found_protein::FoundProtein;
pub use members::Successor;
pub use own::{
    PROTEIN_NAME_BYTES_MAX, SOURCES_MAX, SourceEntry, is_control, is_protein_name, is_source_name, may_have_sources,
};
pub use page::{LONG_BUDGET, PAGE_BUDGET, ProteinPage, ProteinPages, ProteinReader, Relation, Total};
pub use protein::{PfamAnnotation, Protein, ProteinBiome};
pub use query::{NEAR_GENES_MAX, NO_ACCESSION, ProteinQuery, QueryField, QueryNames, is_accession};
pub use ranking::ProteinOrder;
pub use record::{BiomeCount, Occurrence, PfamHit, Record, RecordError, RecordParts, Strand, known_cluster_size};
pub use resolution::QUERY_MEMBERS_MAX;
pub use segments::merge::merge_segments;
pub use segments::ordered_writer::SEGMENT_DOCS_MAX;
pub use segments::packed_hit::ProteinHit;
pub use segments::segment_writer::SegmentWriter;
pub use sequence_digest::{DigestAlgorithm, SequenceDigest, SequenceDigestError};
pub use store_context::contigs::{
    Around, Contig, ContigKey, Contigs, ContigsEntry, ContigsWriter, Gene, GeneCounts, GeneRow,
};
pub use store_context::members::{Members, MembersEntry, MembersWriter};
pub use verify::Verification;

use checksums::ChecksumsFiles;
use facets::FacetTables;
use replacements::{ReplacementSegment, find_replacement};
use segments::schema::SearchTerm;
use segments::segment::{Access, Segment};

/// The size of a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The number of proteins.
    pub num_proteins: u64,
    /// The number of replaced accessions.
    pub num_replacements: u64,
    /// The lowest accession, or `None` in an empty generation.
    pub first: Option<ProteinAccession>,
    /// The highest accession, or `None` in an empty generation.
    pub last: Option<ProteinAccession>,
}

/// An opened protein generation.
///
/// Files are memory-mapped: opening reads only the tables and the headers of the files, and the
/// memory of the process grows with the pages in use, which the system can free at any time.
/// [`ProteinsBuilder`] has an example.
pub struct ProteinGeneration {
    path: PathBuf,
    manifest: Manifest<ProteinContents>,
    biomes: BiomeTable,
    families: FamilyTable,
    /// Ascending by accession, without overlaps.
    segments: Vec<Segment>,
    /// Likewise.
    replacements: Vec<ReplacementSegment>,
    /// `None` in a generation without an index of digests.
    checksums: Vec<ChecksumsFiles>,
    members: Option<Members>,
    /// Those of [`ProteinContents::contigs`].
    contigs: Vec<Contigs>,
    facet_tables: FacetTables,
}

impl ProteinGeneration {
    /// Opens the current generation like [`ProteinGeneration::open`], or returns `None` if none is
    /// published.
    pub fn open_current(generations: &Generations) -> Result<Option<Self>> {
        generations.current()?.map(|name| Self::open(generations, name)).transpose()
    }

    /// Opens a published generation. Small files are compared with their checksums.
    ///
    /// # Errors
    ///
    /// * The generation is torn, damaged, of an unknown format or cannot be read.
    pub fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        Self::open_folder(&generations.path(name))
    }

    /// Opens a published generation by its own folder, like [`ProteinGeneration::open`].
    pub fn open_folder(path: &Path) -> Result<Self> {
        let manifest = Manifest::<ProteinContents>::read(path)?;
        manifest.verify_small_files(path)?;
        catch_panics(path, || Self::with_manifest(path, manifest))
    }

    fn with_manifest(path: &Path, manifest: Manifest<ProteinContents>) -> Result<Self> {
        let contents = &manifest.contents;
        let (biomes, families) = tables::read(path)?;
        let segment = |entry| Segment::open(path, entry, Access::Mapped);
        let segments = contents.segments.iter().map(segment).collect::<Result<_>>()?;
        let replacement = |entry| ReplacementSegment::open(path, entry, Access::Mapped);
        let replacements = contents.replacements.iter().map(replacement).collect::<Result<_>>()?;
        let checksums =
            contents.checksums.iter().map(|entry| ChecksumsFiles::open(path, entry)).collect::<Result<_>>()?;
        let members = contents.members.as_ref().map(|entry| Members::open(path, entry)).transpose()?;
        let contigs = contents.contigs.iter().map(|entry| Contigs::open(path, entry)).collect::<Result<_>>()?;
        let facet_tables = FacetTables::open(path, contents)?;
        Ok(Self {
            path: path.to_owned(),
            manifest,
            biomes,
            families,
            segments,
            replacements,
            checksums,
            members,
            contigs,
            facet_tables,
        })
    }

    /// Returns the name of the generation.
    pub fn name(&self) -> GenerationName {
        GenerationName::of_run(self.manifest.run)
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest<ProteinContents> {
        &self.manifest
    }

    /// Returns the biomes.
    pub fn biomes(&self) -> &BiomeTable {
        &self.biomes
    }

    /// Returns the families of the clans table.
    pub fn families(&self) -> &FamilyTable {
        &self.families
    }

    /// Returns the size of the generation.
    pub fn statistics(&self) -> Statistics {
        let contents = &self.manifest.contents;
        Statistics {
            num_proteins: contents.num_proteins(),
            num_replacements: contents.num_replacements(),
            first: contents.segments.first().map(|segment| segment.first),
            last: contents.segments.last().map(|segment| segment.last),
        }
    }

    /// Returns the average number of bytes of a protein on the disk, with its part of the index.
    pub fn mean_protein_bytes(&self) -> u64 {
        let size_bytes: u64 = self.manifest.files.iter().map(|file| file.size_bytes).sum();
        size_bytes / self.manifest.contents.num_proteins().max(1)
    }

    /// Returns the first `limit` matches of a query in ascending order of accession, without a
    /// budget of work.
    ///
    /// The cost of looking for one biome or one family grows with `limit`, not with the number of
    /// matches.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn search(&self, query: &ProteinQuery, limit: usize) -> Result<Vec<ProteinHit>> {
        // One term needs neither a tree nor windows.
        let term = match query {
            ProteinQuery::Family(family) => SearchTerm::family(*family),
            ProteinQuery::BiomeExact(biome) => SearchTerm::biome(*biome),
            ProteinQuery::Biome(biome) => SearchTerm::lineage(*biome),
            ProteinQuery::Name(name) => SearchTerm::name(name),
            _ => return Ok(self.page(query, None, limit, u64::MAX)?.hits.into_iter().map(ProteinHit::from).collect()),
        };
        catch_panics(&self.path, || {
            let mut hits = Vec::new();
            for segment in &self.segments {
                if hits.len() >= limit {
                    break;
                }
                segment.search(term, limit - hits.len(), &mut hits)?;
            }
            Ok(hits)
        })
    }

    /// Returns a protein, or `None` if the generation has no protein of that accession.
    pub fn fetch(&self, accession: ProteinAccession) -> Result<Option<Protein>> {
        let Some(segment) = self.segment_of(accession) else { return Ok(None) };
        let record = catch_panics(&self.path, || segment.fetch(accession))?;
        record.map(|record| self.resolve(accession, record)).transpose()
    }

    /// Returns the properties of a protein that the columns of the index have, or `None` if the
    /// generation has no protein of that accession.
    pub fn find(&self, accession: ProteinAccession) -> Result<Option<FoundProtein>> {
        let Some(segment) = self.segment_of(accession) else { return Ok(None) };
        catch_panics(&self.path, || {
            let mut found = Vec::with_capacity(1);
            segment.found(segment.find(accession, None).as_slice(), &mut found)?;
            Ok(found.pop())
        })
    }

    /// Returns the segment that has an accession, if any.
    fn segment_of(&self, accession: ProteinAccession) -> Option<&Segment> {
        self.segments.get(self.segments.partition_point(|segment| segment.entry.last < accession))
    }

    fn resolve(&self, accession: ProteinAccession, record: Record) -> Result<Protein> {
        let protein = Protein::resolve(accession, record, &self.biomes, &self.families);
        let mut protein = protein.map_err(|problem| Error::altered(&self.path, problem))?;
        protein.source = self.source_of(accession).map(|source| source.name.clone());
        Ok(protein)
    }

    /// Returns the sources of own data, ascending by accession.
    pub fn sources(&self) -> &[SourceEntry] {
        &self.manifest.contents.sources
    }

    /// Returns the source of a protein of own data.
    pub fn source_of(&self, accession: ProteinAccession) -> Option<&SourceEntry> {
        let sources = self.sources();
        let source = sources.get(sources.partition_point(|source| source.last < accession))?;
        (source.first <= accession).then_some(source)
    }

    /// Returns the accessions of a source, or of the release, by its name in any letter case.
    pub fn find_source(&self, name: &str) -> Option<RangeInclusive<ProteinAccession>> {
        own::find_source(self.sources(), name)
    }

    /// Returns the names of all sources, as queries accept them.
    pub fn source_names(&self) -> impl Iterator<Item = &str> {
        own::source_names(self.sources())
    }

    /// Returns the accession at the end of the chain of replacements of an accession, or `None` if
    /// it was not replaced.
    pub fn replacement(&self, accession: ProteinAccession) -> Option<ProteinAccession> {
        find_replacement(&self.replacements, accession)
    }

    /// Reads all files and compares them: checksums of files and records, order, counts, and the
    /// index with the records.
    pub fn verify(&self) -> Result<Verification> {
        verify::verify_folder(&self.path)
    }

    /// Verifies a generation that is not open, even if it cannot be opened, like
    /// [`ProteinGeneration::verify`].
    pub fn verify_published(generations: &Generations, name: GenerationName) -> Result<Verification> {
        verify::verify_folder(&generations.path(name))
    }
}

impl Served for ProteinGeneration {
    type Contents = ProteinContents;

    const WHAT: &'static str = "proteins";

    fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        Self::open(generations, name)
    }

    fn name(&self) -> GenerationName {
        self.name()
    }

    fn files(&self) -> Option<(&Manifest<Self::Contents>, &Path)> {
        Some((&self.manifest, &self.path))
    }
}

#[cfg(test)]
mod tests;
