//! The tables that a release consists of, whatever files they come in.

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
    /// Places on contigs, by protein.
    Occurrences,
    /// Names of contigs, by contig.
    ContigNames,
    /// Numbers of occurrences, by protein.
    Counts,
    /// Numbers of proteins under each lineage.
    BiomeCounts,
}

impl Table {
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
