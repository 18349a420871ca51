//! The tables of a release, whatever files they come in.

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
    /// The number of tables.
    const COUNT: usize = Self::BiomeCounts as usize + 1;

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

/// A value for each of some tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PerTable<T>([Option<(Table, T)>; Table::COUNT]);

impl<T> PerTable<T> {
    pub(crate) fn get(&self, table: Table) -> Option<&T> {
        self.0[table as usize].as_ref().map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, table: Table) -> Option<&mut T> {
        self.0[table as usize].as_mut().map(|(_, value)| value)
    }

    /// Returns the values in the order of the tables.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Table, &T)> {
        self.0.iter().flatten().map(|(table, value)| (*table, value))
    }
}

impl<T> FromIterator<(Table, T)> for PerTable<T> {
    fn from_iter<I: IntoIterator<Item = (Table, T)>>(values: I) -> Self {
        let mut slots = [const { None }; Table::COUNT];
        for (table, value) in values {
            slots[table as usize] = Some((table, value));
        }
        Self(slots)
    }
}

impl<T> IntoIterator for PerTable<T> {
    type Item = (Table, T);
    type IntoIter = std::iter::Flatten<std::array::IntoIter<Option<Self::Item>, { Table::COUNT }>>;

    /// Returns the values in the order of the tables.
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().flatten()
    }
}
