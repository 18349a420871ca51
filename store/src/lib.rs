#![doc = include_str!("../README.md")]

mod accession;
mod biomes;
mod catalogue;
mod engine;
mod error;
mod families;
mod generation;
mod proteins;
mod record;

pub use accession::{AccessionError, ProteinAccession};
pub use biomes::{Biome, BiomeOrdinal, BiomeTable, UnknownLineage};
pub use catalogue::{
    Bounds, CatalogueBuilder, CatalogueContents, CatalogueEntry, CatalogueGeneration, CatalogueVerification, Condition,
    Coordinate, Known, LinkStyle, Listing, Order, Ordinal, Pattern, PatternError, Place, ResourceBody,
    ResourceBodyWriter, Selection, Shape, TypeContents,
};
pub use error::{Error, Result};
pub use families::{Family, FamilyTable, PfamAccession, PfamAccessionError};
pub use generation::{
    Contents, Draft, FileEntry, GenerationName, Generations, InputEntry, Manifest, Origin, list_folder, seal_folder,
    verify_file,
};
pub use proteins::{
    BuiltProteins, Filter, PfamAnnotation, Protein, ProteinBiome, ProteinContents, ProteinGeneration, ProteinHit,
    ProteinsBuilder, SEGMENT_DOCS_MAX, SearchAnswer, SegmentEntry, SegmentWriter, Statistics, Verification,
    merge_segments,
};
pub use record::{BiomeCount, Occurrence, PfamHit, Record, RecordError, SearchKeys, Strand};
