//! The plan of a run over a release.

use std::path::PathBuf;

use indexer::input::Input;
use indexer::run::Acceptance;

use super::table::Table;

/// The inputs and limits of a run over a release.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct ReleasePlan {
    /// The folder of the protein generations.
    pub generations: PathBuf,
    /// The folder with the files of the release.
    pub release: PathBuf,
    /// The biome table.
    pub biomes: Input,
    /// The Pfam clans table.
    pub pfam: Input,
    /// The version of Pfam, if it is known.
    pub pfam_version: Option<String>,
    /// The table of replaced accessions.
    pub superseded: Option<Input>,
    /// An earlier index: its proteins that are members of a cluster now are replaced by the
    /// representative.
    pub previous: Option<PathBuf>,
    /// Index every protein, not only cluster representatives.
    pub all_proteins: bool,
    /// Also index the members of clusters.
    pub members: bool,
    /// Also index the genes on contigs.
    pub contigs: bool,
    /// Also index the names and lengths of contigs.
    pub contig_names: bool,
    /// Also index the digests of sequences.
    pub checksums: bool,
    /// The memory for reading, sorting and indexing. The peak of the process is at most 200 MB
    /// above it, for inputs of any size.
    pub memory_bytes: usize,
    /// The number of threads that index.
    pub num_threads: usize,
    /// The number of bad rows that are allowed.
    pub max_rejects: u64,
    /// Discard the work of an unfinished run.
    pub fresh: bool,
    /// Do not copy own data from the present index.
    pub without_own: bool,
    /// The suspicious generations that are published anyway.
    pub acceptance: Acceptance,
}

impl ReleasePlan {
    /// Returns the tables that are only read for what surrounds proteins.
    pub(super) fn context_tables(&self) -> Vec<Table> {
        let tables = [(self.members, Table::ClusterMembers), (self.contigs, Table::Occurrences)];
        tables.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, table)| table).collect()
    }

    /// Returns the small tables that are not part of the release.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Input> {
        [&self.biomes, &self.pfam].into_iter().chain(&self.superseded)
    }
}
