#![doc = include_str!("../README.md")]

/// Implements the conversions by which `serde` reads and writes a type as its text.
macro_rules! serde_as_text {
    ($type:ty, $error:ty) => {
        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }

        impl TryFrom<String> for $type {
            type Error = $error;

            fn try_from(text: String) -> std::result::Result<Self, Self::Error> {
                text.parse()
            }
        }
    };
}

mod accession;
mod attribute_schema;
mod biomes;
mod catalogue;
mod directory;
pub mod durable;
mod engine;
mod error;
mod families;
mod fasta;
mod follow_state;
mod free_space;
mod generation;
mod nothing;
mod profiles;
mod proteins;
mod query_language;
mod record;
mod references;
mod sequence_digest;
mod trouble;
mod unique_json;

pub use accession::{AccessionError, ProteinAccession};
pub use attribute_schema::{AttributeSchema, SchemaError, SchemaLimits, Violations};
pub use biomes::{Biome, BiomeOrdinal, BiomeTable, UnknownLineage};
pub use catalogue::model;
pub use catalogue::{
    Area, AttributeForm, Bounds, CatalogueBuilder, CatalogueContents, CatalogueEntry, CatalogueGeneration,
    CatalogueRevision, CatalogueVerification, CheckedDatabases, Condition, Coordinate, DOCUMENT_MEMBER, Document,
    Effort, FacetCounts, FacetField, FacetScope, FacetValues, Faceted, Harvest, Known, LinkStyle, Listing,
    MetadataEntry, MetadataKey, MetadataUnit, NumberCounts, ORIGIN_MEMBER, Order, Ordinal, Pattern, PatternError,
    Period, Place, RELEVANCE, RangeCount, ResourceBody, ResourceBodyWriter, ResourceOrigin, ResourceSet, Selection,
    Shape, StoredResources, TypeContents, ascending_bits, measured, num_searched_words,
};
pub use directory::{DirectoryBuilder, DirectoryContents, DirectoryEntry, DirectoryGeneration, Membership};
pub use error::{Error, Result};
pub use families::{Family, FamilyTable, PfamAccession, PfamAccessionError};
pub use fasta::{BYTE_ORDER_MARK, FastaReader, FastaSequence, SequenceFault, looks_like_nucleotides, push_residues};
pub use follow_state::{FollowState, Lag};
pub use free_space::available_bytes;
pub use generation::{
    Contents, Draft, FileEntry, GenerationKind, GenerationName, GenerationNameError, Generations, InputEntry, Manifest,
    Origin, Receiving, Served, Watch, list_folder, seal_folder, verify_file,
};
pub use nothing::says_nothing;
pub use profiles::{
    Attempt, AttributeChange, Attributes, Authority, Evaluated, ExportLine, Imported, NewProfile, PROFILE_BYTES_MAX,
    PROFILES_FREE_BYTES_MIN, Permission, Precondition, Profile, ProfileBackend, ProfileFault, ProfileSchema,
    ProfileSnapshot, ProfileSource, ProfileWrite, Profiles, ProfilesConfig, ProfilesImport, ProfilesState, Refusal,
    SchemaChecks, SearchKey, WriteOutcome, WriteResult, WriteTurns, export_lines, is_permitted,
};
pub use proteins::{
    BuiltProteins, CHOSEN_MAX, Checksums, ChecksumsEntry, ChecksumsWriter, DigestsWriter, EnrichedValue, Enrichment,
    Facet, FacetCount, FacetKind, Facets, FoundProtein, LONG_BUDGET, NO_ACCESSION, PAGE_BUDGET, PROTEIN_NAME_BYTES_MAX,
    Part, PfamAnnotation, Protein, ProteinBiome, ProteinChoice, ProteinContents, ProteinGeneration, ProteinHit,
    ProteinOrder, ProteinPage, ProteinPages, ProteinQuery, ProteinReader, ProteinsBuilder, QueryField, QueryNames,
    Relation, SEGMENT_DOCS_MAX, SOURCES_MAX, SegmentEntry, SegmentWriter, SourceEntry, Statistics, Total, Verification,
    is_accession, is_control, is_protein_name, is_source_name, may_have_sources, merge_segments,
};
pub use query_language::{
    Bound, Grammar, QUERY_BYTES_MAX, QUERY_DEPTH_MAX, QUERY_TERMS_MAX, QueryFault, QueryPlace, QueryValue, near_names,
    parse as parse_query,
};
pub use record::{BiomeCount, Occurrence, PfamHit, Record, RecordError, RecordParts, Strand, known_cluster_size};
pub use references::{DomainReference, Owner, ProfileReference, ReferenceError, UserReference};
pub use sequence_digest::{DigestAlgorithm, SequenceDigest, SequenceDigestError};
pub use trouble::{Trouble, shortened};
pub use unique_json::UniqueJson;
