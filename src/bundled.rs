//! The real data that the program carries, for the demo and for synthetic releases. `data/README.md` says where they come from.

use indexer::Input;

/// 10,000 rows of the protein portal's export.
pub(crate) const PORTAL_ROWS: Input = Input::Bundled {
    name: "data/proteins/sequence_explorer_protein_10000.csv.gz",
    bytes: include_bytes!("../data/proteins/sequence_explorer_protein_10000.csv.gz"),
};

/// MGnify's biome table.
pub(crate) const BIOMES: Input = Input::Bundled {
    name: "data/proteins/biomes_id_lineage.tsv",
    bytes: include_bytes!("../data/proteins/biomes_id_lineage.tsv"),
};

/// The families of Pfam and their clans.
pub(crate) const PFAM: Input = Input::Bundled {
    name: "data/proteins/Pfam-A.clans.tsv.gz",
    bytes: include_bytes!("../data/proteins/Pfam-A.clans.tsv.gz"),
};

/// The lineages of the release of July 2026 with their numbers of proteins.
pub(crate) const BIOME_COUNTS: Input = Input::Bundled {
    name: "data/proteins/mgy_biome_counts_2026_07.tsv",
    bytes: include_bytes!("../data/proteins/mgy_biome_counts_2026_07.tsv"),
};
