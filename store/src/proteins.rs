//! Protein generations: search by biome or family in accession order, and the full record of one protein.

mod builder;
mod check;
mod column;
mod contents;
mod data;
mod document;
mod merge;
mod ordered_writer;
mod packed_hit;
mod protein;
mod replacements;
mod schema;
mod segment;
mod segment_series;
mod segment_writer;
mod tables;
mod verify;
mod walk;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use builder::{BuiltProteins, ProteinsBuilder};
pub use contents::{ProteinContents, SegmentEntry};
pub use merge::merge_segments;
pub use ordered_writer::SEGMENT_DOCS_MAX;
pub use protein::{PfamAnnotation, Protein, ProteinBiome};
pub use segment_writer::SegmentWriter;
pub use verify::Verification;

use crate::accession::ProteinAccession;
use crate::biomes::{BiomeTable, UnknownLineage};
use crate::engine::unless_it_panics;
use crate::families::{FamilyTable, PfamAccession};
use crate::generation::{GenerationName, Generations, Manifest};
use crate::{Error, Result};

use data::ProteinData;
use schema::SearchTerm;

/// What a search looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Proteins found in the biome with this id itself.
    BiomeId(i64),
    /// Proteins found in the biome with this full lineage or in any biome below it.
    BiomeLineage(String),
    /// Proteins with a hit of this family.
    Family(PfamAccession),
}

/// A protein that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProteinHit {
    /// The accession.
    pub accession: ProteinAccession,
    /// See [`crate::Record::full_length`].
    pub full_length: Option<bool>,
    /// See [`crate::Record::cluster_size`].
    pub cluster_size: u64,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchAnswer {
    /// The first hits in ascending order of accession.
    Hits(Vec<ProteinHit>),
    /// The lineage is that of no biome.
    UnknownLineage(UnknownLineage),
}

/// What a generation holds.
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

/// An opened generation. All answers of one value are of one state.
///
/// Files are memory-mapped: opening reads only the tables and the heads of the files, and the memory of the process grows with
/// the working set, which the system may drop at any time.
pub struct ProteinGeneration {
    /// The generation's name.
    name: GenerationName,
    /// The generation's folder.
    path: PathBuf,
    /// The manifest.
    manifest: Manifest<ProteinContents>,
    /// The data.
    data: ProteinData,
}

impl ProteinGeneration {
    /// Opens the current generation, or returns `None` where none was ever published.
    ///
    /// # Errors
    ///
    /// * The generation is torn, of an unknown format or cannot be read.
    pub fn open_current(generations: &Generations) -> Result<Option<Self>> {
        generations.current()?.map(|name| Self::open(generations, name)).transpose()
    }

    /// Opens a published generation.
    ///
    /// # Errors
    ///
    /// * The generation is torn, of an unknown format or cannot be read.
    pub fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        Self::open_folder(&generations.path(name))
    }

    /// Opens a published generation by its own folder, wherever that is.
    ///
    /// # Errors
    ///
    /// * The generation is torn, of an unknown format or cannot be read.
    pub fn open_folder(path: &Path) -> Result<Self> {
        let path = path.to_owned();
        let manifest = Manifest::read(&path)?;
        let data = unless_it_panics(&path, || ProteinData::open(&path, &manifest.contents))?;
        Ok(Self { name: GenerationName::of_run(manifest.run), path, manifest, data })
    }

    /// Returns the generation's name.
    pub fn name(&self) -> GenerationName {
        self.name
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest<ProteinContents> {
        &self.manifest
    }

    /// Returns the biomes.
    pub fn biomes(&self) -> &BiomeTable {
        &self.data.biomes
    }

    /// Returns the families of the clans table.
    pub fn families(&self) -> &FamilyTable {
        &self.data.families
    }

    /// Returns what the generation holds.
    pub fn statistics(&self) -> Statistics {
        let contents = &self.manifest.contents;
        Statistics {
            num_proteins: contents.num_proteins(),
            num_replacements: contents.num_replacements(),
            first: contents.segments.first().map(|segment| segment.first),
            last: contents.segments.last().map(|segment| segment.last),
        }
    }

    /// Returns the first `limit` proteins that the filter matches, in ascending order of accession.
    ///
    /// The cost grows with `limit`, not with the number of matches. An id or a family that occurs in no protein has no hits.
    ///
    /// # Errors
    ///
    /// * The index cannot be read.
    pub fn search(&self, filter: &Filter, limit: usize) -> Result<SearchAnswer> {
        let biomes = &self.data.biomes;
        let term = match filter {
            Filter::Family(family) => SearchTerm::Family(*family),
            Filter::BiomeId(id) => match biomes.find_id(*id) {
                Some(biome) => SearchTerm::Biome(biome),
                None => return Ok(SearchAnswer::Hits(Vec::new())),
            },
            Filter::BiomeLineage(lineage) => match biomes.resolve(lineage) {
                Ok(biome) => SearchTerm::Lineage(biome),
                Err(unknown) => return Ok(SearchAnswer::UnknownLineage(unknown)),
            },
        };
        unless_it_panics(&self.path, || self.data.search(term, limit)).map(SearchAnswer::Hits)
    }

    /// Returns a protein, or `None` where the generation has none of that accession.
    ///
    /// # Errors
    ///
    /// * The record cannot be read, or its checksum is wrong.
    pub fn fetch(&self, accession: ProteinAccession) -> Result<Option<Protein>> {
        let record = unless_it_panics(&self.path, || self.data.fetch(accession))?;
        let Some(record) = record else { return Ok(None) };
        Protein::resolve(accession, record, &self.data.biomes, &self.data.families)
            .map(Some)
            .map_err(|problem| Error::Altered { path: self.path.clone(), problem })
    }

    /// Returns the accession that replaces one, at the end of any chain, or `None` where it was not replaced.
    pub fn replacement(&self, accession: ProteinAccession) -> Option<ProteinAccession> {
        self.data.replacements.find(accession)
    }

    /// Reads everything and compares it: checksums of files and records, order, counts, and the index with the records.
    ///
    /// # Errors
    ///
    /// * The first thing that is wrong, with the file or accession.
    pub fn verify(&self) -> Result<Verification> {
        verify_folder(&self.path)
    }

    /// Does the same for a generation that is not open, and perhaps cannot be opened.
    ///
    /// # Errors
    ///
    /// * The first thing that is wrong, with the file or accession.
    pub fn verify_published(generations: &Generations, name: GenerationName) -> Result<Verification> {
        verify_folder(&generations.path(name))
    }
}

/// See [`ProteinGeneration::verify`]. The files come first, since the engine may stumble over damaged ones.
fn verify_folder(path: &Path) -> Result<Verification> {
    let manifest = Manifest::<ProteinContents>::read(path)?;
    manifest.verify_files(path)?;
    unless_it_panics(path, || ProteinData::open(path, &manifest.contents)?.verify(path, &manifest.contents))
}
