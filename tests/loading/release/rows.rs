//! The contents of the files of a release, in maps.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A release, read by other code than the program's.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// Completeness and residues of each protein.
    pub(crate) sequences: HashMap<u64, (Option<bool>, String)>,
    /// The representative of each protein's cluster.
    pub(crate) representatives: BTreeMap<u64, u64>,
    /// The size of each cluster, by representative.
    pub(crate) sizes: BTreeMap<u64, u64>,
    /// Lineages with counts.
    pub(crate) biomes: HashMap<u64, Vec<(String, u64)>>,
    /// Pfam hits.
    pub(crate) hits: HashMap<u64, Vec<Hit>>,
    /// Places on contigs.
    pub(crate) places: HashMap<u64, Vec<Place>>,
}

/// A Pfam hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    pub(crate) family: u64,
    pub(crate) evalue: f64,
    pub(crate) score: f64,
    pub(crate) hmm: (u64, u64),
    pub(crate) envelope: (u64, u64),
}

/// A place on a contig.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) study: String,
    pub(crate) assembly: String,
    pub(crate) contig: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) is_reverse: bool,
    pub(crate) contig_name: String,
}

impl Rows {
    /// Reads a release of either layout.
    pub(crate) fn read(folder: &Path) -> Self {
        if folder.join("mgy_clusters.parquet").try_exists().expect("readable") {
            crate::loading::release::parquet_files::read(folder)
        } else {
            crate::loading::release::flat_files::read(folder)
        }
    }
}
