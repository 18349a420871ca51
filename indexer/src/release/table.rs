//! The tables of a release, whatever files they come in.

use std::collections::BTreeMap;

/// A table of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Table {
    /// Cluster representatives with the sizes of their clusters, by representative.
    Clusters,
    /// Clusters with their members, by representative.
    ClusterMembers,
    /// Sequences with their completeness, by protein.
    Sequences,
    /// Biomes with the number of occurrences in them, by protein.
    Biomes,
    /// Pfam hits, by protein.
    Pfam,
    /// Loci on contigs, by protein.
    Occurrences,
    /// Names of contigs, by contig.
    ContigNames,
    /// Numbers of occurrences, by protein.
    Counts,
    /// Numbers of proteins under each lineage.
    BiomeCounts,
}

impl Table {
    /// The tables that say something about a protein that has a sequence, in the order in which they are joined.
    pub(crate) const ANNOTATIONS: [Self; 4] = [Self::Biomes, Self::Pfam, Self::Occurrences, Self::Counts];

    /// Returns what users call the rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clusters => "clusters",
            Self::ClusterMembers => "cluster members",
            Self::Sequences => "sequences",
            Self::Biomes => "biomes",
            Self::Pfam => "Pfam hits",
            Self::Occurrences => "occurrences",
            Self::ContigNames => "contig names",
            Self::Counts => "counts",
            Self::BiomeCounts => "biome counts",
        }
    }
}

pub(crate) type PerTable<T> = BTreeMap<Table, T>;
