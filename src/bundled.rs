//! The real data that the program carries for the demo. `data/README.md` says where they come from.

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

/// A catalogue of 2018: its studies, samples, and all that belongs to them.
pub(crate) const CATALOGUE: [Input; 6] = [
    Input::Bundled {
        name: "data/catalogue/collections/biomes.jsonl.gz",
        bytes: include_bytes!("../data/catalogue/collections/biomes.jsonl.gz"),
    },
    Input::Bundled {
        name: "data/catalogue/collections/studies.jsonl.gz",
        bytes: include_bytes!("../data/catalogue/collections/studies.jsonl.gz"),
    },
    Input::Bundled {
        name: "data/catalogue/collections/samples.jsonl.gz",
        bytes: include_bytes!("../data/catalogue/collections/samples.jsonl.gz"),
    },
    Input::Bundled {
        name: "data/catalogue/collections/assemblies.jsonl.gz",
        bytes: include_bytes!("../data/catalogue/collections/assemblies.jsonl.gz"),
    },
    Input::Bundled {
        name: "data/catalogue/collections/pipeline-tools.jsonl.gz",
        bytes: include_bytes!("../data/catalogue/collections/pipeline-tools.jsonl.gz"),
    },
    Input::Bundled {
        name: "data/catalogue/collections/cogs.jsonl.gz",
        bytes: include_bytes!("../data/catalogue/collections/cogs.jsonl.gz"),
    },
];

/// The users and domains of the demo.
pub(crate) const DIRECTORY: Input =
    Input::Bundled { name: "data/profiles/directory.jsonl", bytes: include_bytes!("../data/profiles/directory.jsonl") };
