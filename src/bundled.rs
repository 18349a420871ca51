//! The data that the program contains: those of the demo, and the example files of the manual.
//! `data/README.md` names their sources.

use indexer::Input;

macro_rules! bundled {
    ($path:literal) => {
        Input::Bundled { name: $path, bytes: include_bytes!(concat!("../", $path)) }
    };
}

/// Rows of the protein portal's export.
pub(crate) const PORTAL_ROWS: Input = bundled!("data/proteins/sequence_explorer_protein_10000.csv.gz");

/// Proteins from assemblies of the catalogue, which has their runs, samples and studies. They are
/// made up, since no real row names one of these assemblies.
pub(crate) const SYNTHETIC_PROTEINS: Input = bundled!("data/proteins/synthetic/proteins.faa");

/// The assemblies and studies that they are assigned to.
pub(crate) const SYNTHETIC_ANNOTATIONS: Input = bundled!("data/proteins/synthetic/annotations.tsv");

/// MGnify's biome table.
pub(crate) const BIOMES: Input = bundled!("data/proteins/biomes_id_lineage.tsv");

/// The families of Pfam and their clans.
pub(crate) const PFAM: Input = Input::Bundled { name: "data/proteins/Pfam-A.clans.tsv.gz", bytes: indexer_synth::PFAM };

/// A catalogue of 2018.
pub(crate) const CATALOGUE: [Input; 11] = [
    bundled!("data/catalogue/collections/biomes.jsonl.gz"),
    bundled!("data/catalogue/collections/studies.jsonl.gz"),
    bundled!("data/catalogue/collections/samples.jsonl.gz"),
    bundled!("data/catalogue/collections/runs.jsonl.gz"),
    bundled!("data/catalogue/collections/assemblies.jsonl.gz"),
    bundled!("data/catalogue/collections/analyses.jsonl.gz"),
    bundled!("data/catalogue/collections/publications.jsonl.gz"),
    bundled!("data/catalogue/collections/pipelines.jsonl.gz"),
    bundled!("data/catalogue/collections/pipeline-tools.jsonl.gz"),
    bundled!("data/catalogue/collections/experiment-types.jsonl.gz"),
    bundled!("data/catalogue/collections/cogs.jsonl.gz"),
];

/// The publications of its studies.
pub(crate) const CATALOGUE_LINKS: Input = bundled!("data/catalogue/links/study-publications.jsonl.gz");

/// Users and domains.
pub(crate) const DIRECTORY: Input = bundled!("data/profiles/directory.jsonl");

/// Contigs, proteins, genes, hits and an alignment that stand for data of the user's own.
const OWN: [Input; 6] = [
    bundled!("data/proteins/own/contigs.fna"),
    bundled!("data/proteins/own/PF00005.sto"),
    bundled!("data/proteins/own/assembly.faa"),
    bundled!("data/proteins/own/assembly.gff"),
    bundled!("data/proteins/own/hmmsearch.domtblout"),
    bundled!("data/proteins/own/hmmscan.domtblout"),
];

/// Returns the files that the manual uses: the path of each below the folder for them, and its
/// bytes.
pub(crate) fn example_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let inputs = OWN.into_iter().chain([PORTAL_ROWS, BIOMES, PFAM, DIRECTORY, CATALOGUE_LINKS]).chain(CATALOGUE);
    inputs.filter_map(|input| match input {
        Input::Bundled { name, bytes } => Some((name.strip_prefix("data/")?, bytes)),
        Input::Path(_) | Input::Stdin => None,
    })
}
