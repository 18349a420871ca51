//! The real data that the program carries for the demo. `data/README.md` says where they come from.

use indexer::Input;

/// Rows of the protein portal's export.
pub(crate) const PORTAL_ROWS: Input = bundled(
    "data/proteins/sequence_explorer_protein_10000.csv.gz",
    include_bytes!("../data/proteins/sequence_explorer_protein_10000.csv.gz"),
);

/// MGnify's biome table.
pub(crate) const BIOMES: Input =
    bundled("data/proteins/biomes_id_lineage.tsv", include_bytes!("../data/proteins/biomes_id_lineage.tsv"));

/// The families of Pfam and their clans.
pub(crate) const PFAM: Input = bundled("data/proteins/Pfam-A.clans.tsv.gz", synth::PFAM);

/// A catalogue of 2018.
pub(crate) const CATALOGUE: [Input; 6] = [
    bundled(
        "data/catalogue/collections/biomes.jsonl.gz",
        include_bytes!("../data/catalogue/collections/biomes.jsonl.gz"),
    ),
    bundled(
        "data/catalogue/collections/studies.jsonl.gz",
        include_bytes!("../data/catalogue/collections/studies.jsonl.gz"),
    ),
    bundled(
        "data/catalogue/collections/samples.jsonl.gz",
        include_bytes!("../data/catalogue/collections/samples.jsonl.gz"),
    ),
    bundled(
        "data/catalogue/collections/assemblies.jsonl.gz",
        include_bytes!("../data/catalogue/collections/assemblies.jsonl.gz"),
    ),
    bundled(
        "data/catalogue/collections/pipeline-tools.jsonl.gz",
        include_bytes!("../data/catalogue/collections/pipeline-tools.jsonl.gz"),
    ),
    bundled("data/catalogue/collections/cogs.jsonl.gz", include_bytes!("../data/catalogue/collections/cogs.jsonl.gz")),
];

/// Users and domains.
pub(crate) const DIRECTORY: Input =
    bundled("data/profiles/directory.jsonl", include_bytes!("../data/profiles/directory.jsonl"));

const fn bundled(name: &'static str, bytes: &'static [u8]) -> Input {
    Input::Bundled { name, bytes }
}
