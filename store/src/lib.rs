#![doc = include_str!("../README.md")]

/// Implements the conversions with which `serde` reads and writes a type as its text.
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
mod biomes;
mod clock;
pub mod durable;
pub mod engine;
mod error;
mod error_summary;
mod families;
mod fasta;
mod follow_state;
mod free_space;
mod generation;
mod grouped;
mod locks;
mod missing_value;
mod query_language;
mod references;
mod weighted_cache;

pub use accession::{AccessionError, ProteinAccession};
pub use biomes::{Biome, BiomeOrdinal, BiomeTable, UnknownLineage};
pub use clock::unix_now_s;
pub use error::{Error, Result};
pub use error_summary::{ErrorSummary, shortened};
pub use families::{Family, FamilyTable, PfamAccession, PfamAccessionError};
pub use fasta::{BYTE_ORDER_MARK, FastaReader, FastaSequence, SequenceFault, looks_like_nucleotides, push_residues};
pub use follow_state::{FollowState, Lag};
pub use free_space::available_bytes;
pub use generation::{
    Contents, Draft, FileEntry, GenerationKind, GenerationName, GenerationNameError, Generations, InputEntry, Manifest,
    Origin, Receiving, Served, Watch, copy_folder, list_folder, restore, seal_folder, sealed_folder, verify_file,
};
pub use grouped::grouped;
pub use locks::lock;
pub use missing_value::is_missing_value;
pub use query_language::{
    Bound, Nearness, Operator, QUERY_BYTES_MAX, QUERY_DEPTH_MAX, QUERY_TERMS_MAX, QueryFault, QueryFields, QueryPlace,
    QueryTree, QueryValue, Resolved, lone_value, near_names, read as read_query,
};
pub use references::{DomainReference, Owner, ProfileReference, ReferenceError, UserReference};
pub use weighted_cache::WeightedCache;
